import { pill, widget } from "../trueref_widget/languages/en.json";

/** Every sentence the reader sees, in English. The `words` attribute overrides those of the panel by their names. */
export const WORDS = /* @__PURE__ */ Object.assign({}, pill, widget);

export type Words = Record<keyof typeof WORDS, string>;

/** The words of a language with the overrides of a JSON object; what is not a known word or a string is left out. */
export function readWords(json: string, own: Words = WORDS): Words {
  const words: Words = { ...own };
  try {
    const given = JSON.parse(json) as Record<string, unknown> | null;
    for (const name of Object.keys(WORDS) as (keyof Words)[]) {
      const word = given?.[name];
      if (typeof word === "string") words[name] = word;
    }
  } catch {
    console.warn("trueref-chat: words is not JSON.");
  }
  return words;
}

/** Puts a value where the sentence says {n} or {text}. */
export function fill(sentence: string, value: number | string): string {
  return sentence.replace(/\{(n|text)\}/, () => String(value));
}
