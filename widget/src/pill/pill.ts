import { pill as ENGLISH } from "../../trueref_widget/languages/en.json";
import type { Words } from "../shared/words";

export { ENGLISH };

/** What the pill reads from its element; the panel reads the rest of its attributes when it is wanted. */
export interface Pill {
  label: string;
  /** The words of the reader's language, undefined for English or if they could not be loaded. */
  words: Promise<Words | undefined>;
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
    words: wordsFor(host),
    shortcut: (host.getAttribute("shortcut") ?? "i").toLowerCase(),
    baseURI,
  };
}

/** The session key that says the panel was open when the reader left the page. */
export const OPEN_KEY = "trueref-open";

/** Loads the words of the language of the page, if it is one that is shipped. */
async function wordsFor(host: HTMLElement): Promise<Words | undefined> {
  const lang = /^(de|es|fr|it|ja|nl|p[lt]|zh)\b/.exec(host.closest<HTMLElement>("[lang]")?.lang ?? "");
  if (!lang) return;
  const file = `./trueref-${lang[0]}.js`;
  try {
    return ((await import(file)) as { words: Words }).words;
  } catch {
    return; // English stands in
  }
}
