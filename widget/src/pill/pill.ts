import { pill as ENGLISH } from "../../trueref_widget/languages/en.json";
import type { Words } from "../shared/words";

/** Those of a language are all there; of English the panel has its own. */
export type PillWords = typeof ENGLISH & Partial<Words>;

/** What the pill reads from its element; the panel reads the rest of its attributes when it is wanted. */
export interface Pill {
  label: string;
  /** The words of the language of the page, or those of the button in English. */
  words: Promise<PillWords>;
  shortcut: string;
  /** The address that the relative addresses among the attributes start from. */
  baseURI: string;
}

/**
 * Reads what the pill needs. The address of the page is read now: client-side navigation changes it later, but not the
 * attributes, and relative addresses among them would then point elsewhere.
 */
export function readPill(host: HTMLElement): Pill {
  // A `<base>` may name another host, for pictures. This site is not there, so the page's own address is taken then.
  const baseURI = new URL(document.baseURI).origin === location.origin ? document.baseURI : location.href;
  return {
    label: host.getAttribute("label") ?? ENGLISH.label,
    words: wordsFor(host.closest<HTMLElement>("[lang]")?.lang ?? ""),
    shortcut: (host.getAttribute("shortcut") ?? "i").toUpperCase(),
    baseURI,
  };
}

/** The session key that says the panel was open when the reader left the page. */
export const OPEN_KEY = "trueref-open";

/**
 * Loads the words of the language with a tag, if they are shipped. English stands in for those that are not, and says so
 * by its `lang`: a screen reader would speak it by the rules of the page's language.
 */
async function wordsFor(tag: string): Promise<PillWords> {
  const lang = /^(de|es|fr|it|ja|nl|p[lt]|zh)(?![a-z])/i.exec(tag);
  const file = `./trueref-${lang?.[0].toLowerCase()}.js`;
  const loaded = lang && ((await import(file).catch(() => null)) as { words: Words } | null);
  return loaded?.words ?? (/^en/i.test(tag) ? ENGLISH : { ...ENGLISH, lang: "en" });
}
