/**
 * Addresses: where the site starts, which page the reader is on, and where a source leads.
 * `page` is a site-relative path as the browser shows it, `href` is a page with its encoded #anchor.
 */

/** The site root as an absolute URL that ends in a slash; `documentBase` is document.baseURI at boot. */
export function resolveBase(base: string, documentBase: string): string {
  // An empty relative URL means the document itself, not its folder.
  const url = new URL(base || ".", documentBase);
  url.search = url.hash = "";
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url.href;
}

/** The server's prefix as an absolute URL without a slash at the end; "" for none. */
export function resolveServer(server: string, documentBase: string): string {
  return server && new URL(server, documentBase).href.replace(/\/$/, "");
}

/**
 * The root of the site that shows a page, among the addresses where sites are published. A preview on another host shows
 * its site at the same path; if no site is at the path of the page, the root of the host is taken.
 */
export function chooseBase(bases: string[], address: string): string {
  const { href, origin, pathname } = new URL(address);
  const roots = bases
    .filter((base) => /^https?:\/\/\w/.test(base))
    .sort((one, other) => other.length - one.length);
  const published = roots.find((base) => `${href}/`.startsWith(base));
  const path = roots.map((base) => new URL(base).pathname).find((root) => `${pathname}/`.startsWith(root));
  return published ?? new URL(path ?? "/", origin).href;
}

/** The page an address shows: "" for the root, null when it lies outside the site. */
export function pageOf(address: string, base: string): string | null {
  const { origin, pathname } = new URL(address);
  const root = new URL(base);
  if (origin !== root.origin) return null;
  // The address of the root without its slash is still the root page.
  if (!`${pathname}/`.startsWith(root.pathname)) return null;
  const path = pathname.slice(root.pathname.length);
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // a stray % in the address bar
  }
}

/** What links start from: the root of the site, and the server, which gives the PDFs that the site does not publish. */
export interface LinkRoots {
  base: string;
  server: string;
}

/** An absolute link for a source, or "" when it leads neither into the site nor to a document of the server. */
export function joinLink(href: string, { base, server }: LinkRoots): string {
  try {
    // Only the address of a server's document begins with a slash, behind the prefix that the server knows of. The browser
    // may have to ask another host, and another prefix.
    const document = href.replace(/^\/.+(?=\/documents\/)/, server);
    if (document !== href) return document;
    const url = new URL(href, base);
    const safe = /^http/.test(url.protocol) && url.origin === new URL(base).origin && !url.username;
    return safe ? url.href : "";
  } catch {
    return "";
  }
}

/** True when two spellings name one page: `a/`, `a/index.html`, `a.html` and `a` are the same page. */
export function samePage(one: string, other: string): boolean {
  return plainPage(one) === plainPage(other);
}

/** A page in its shortest spelling, which the build uses too when it lists the version of each page. */
export function plainPage(page: string): string {
  return page.replace(/(^|\/)index\.html?$/, "").replace(/\.html?$|\/$/, "");
}
