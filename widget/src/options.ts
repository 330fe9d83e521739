import { resolveBase, resolveServer } from "./address";

/** What the attributes of `<trueref-chat>` say, with every address already absolute. */
export interface Options {
  server: string;
  base: string;
  label: string;
  shortcut: string;
  words: string;
}

/**
 * Reads the attributes once. Client-side navigation changes the address of the page but not the attributes,
 * so a relative base read later would point elsewhere.
 */
export function readOptions(host: HTMLElement): Options {
  const get = (name: string, fallback: string): string => host.getAttribute(name) ?? fallback;
  // A `<base>` of another host says where that host's pictures are, not where this site is.
  const here = new URL(document.baseURI).origin === location.origin ? document.baseURI : location.href;
  return {
    server: resolveServer(get("server", "/_trueref"), here),
    base: resolveBase(get("base", "/"), here),
    label: get("label", "Ask the docs"),
    shortcut: get("shortcut", "i").toLowerCase(),
    words: get("words", "{}"),
  };
}

/** The session key that says the panel was open when the reader left the page. */
export function openKey(base: string): string {
  return `trueref-open:${base}`;
}

/** The session key of the conversation. */
export function conversationKey(base: string): string {
  return `trueref:${base}`;
}
