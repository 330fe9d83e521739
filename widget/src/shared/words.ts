import { pill, widget } from "../../trueref_widget/languages/en.json";

/** Every sentence of the button and the panel, in English. The `words` attribute overrides them by their names. */
export const WORDS = /* @__PURE__ */ Object.assign({}, pill, widget);

export type Words = Record<keyof typeof WORDS, string> & {
  /** The language of the words, if it may be another than that of the page. */
  lang?: string;
  /** The language of the docs beside the words, if it is another than that of the page. */
  docs?: string;
};

/** The words of a language with the overrides of a JSON object; what is not a string is left out. */
export function readWords(json: string, own: Words = WORDS): Words {
  const words: Words = { ...own };
  try {
    // The viewer of PDFs has words of its own, so a name that is not in `own` may be one of these (see pdf/words.ts).
    for (const [name, word] of Object.entries((JSON.parse(json) ?? {}) as object))
      if (typeof word === "string") {
        words[name as keyof Words] = word;
        delete words.lang; // whoever gives words gives them in the language of the page
      }
  } catch {
    console.warn("trueref-chat: words is not JSON.");
  }
  return words;
}

/** Names the language of an element, that of the words or that of the docs, if there are two on the page. */
export function inLanguage<E extends HTMLElement>(
  of: "words" | "docs",
  { lang, docs }: Words,
  element: E,
): E {
  if (lang || docs) element.lang = (of === "docs" ? docs : lang) || document.documentElement.lang;
  return element;
}

/** The words beside docs in a language, "" if it is not known; on a page in French, docs in "fr" are in that of the page. */
export function beside(language: string, words: Words): Words {
  const page = document.documentElement.lang.toLowerCase();
  return !language || page.startsWith(language.toLowerCase()) ? words : { ...words, docs: language };
}

/** Puts a value where the sentence says {n} or {text}. */
export function fill(sentence: string, value: number | string): string {
  return sentence.replace(/\{(n|text)\}/, () => String(value));
}
