import { pill, widget } from "../../trueref_widget/languages/en.json";

/** Every sentence of the button and the panel, in English. The `words` attribute overrides them by their names. */
export const WORDS = /* @__PURE__ */ Object.assign({}, pill, widget);

export type Words = Record<keyof typeof WORDS, string>;

/** The words of a language with the overrides of a JSON object; what is not a string is left out. */
export function readWords(json: string, own: Words = WORDS): Words {
  const words: Words = { ...own };
  try {
    // The viewer of PDFs has words of its own, so a name that is not in `own` may be one of these (see pdf/words.ts).
    for (const [name, word] of Object.entries((JSON.parse(json) ?? {}) as object))
      if (typeof word === "string") words[name as keyof Words] = word;
  } catch {
    console.warn("trueref-chat: words is not JSON.");
  }
  return words;
}

/** Puts a value where the sentence says {n} or {text}. */
export function fill(sentence: string, value: number | string): string {
  return sentence.replace(/\{(n|text)\}/, () => String(value));
}
