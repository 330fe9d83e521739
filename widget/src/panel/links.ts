import type { Departure } from "../landing/landing";
import { OPEN_KEY } from "../pill/pill";
import { attempt, readStored } from "../shared/session-storage";

/** Following a source from inside the shadow root. */

/** The session key of the link that was followed last; it is kept until a page is loaded, or drawn for it. */
const LANDING_KEY = "trueref-landing";

/**
 * Clicks a link in the page itself, and shows the passage that it leads to. A theme's instant navigation listens on the
 * body and sees a click in a shadow root as one on the host element, so it would miss it and load the whole page.
 */
export function follow(host: HTMLElement, signal: AbortSignal, href: string, quote = ""): void {
  const link = document.createElement("a");
  link.href = href.replace(/#?:~:.*/, "");
  // A theme that handles the click would look for an anchor with the name of the whole fragment. So the part behind
  // `:~:` is put back only if no theme has handled it.
  const last = (event: Event): void => {
    if (!event.defaultPrevented) link.href = href;
  };
  addEventListener("click", last, { once: true });
  host.append(link);
  attempt(() => {
    sessionStorage.setItem(LANDING_KEY, JSON.stringify([href, quote]));
    // The next page must load the panel, which shows the passage. On a phone the closed sheet has set this key to "".
    sessionStorage.setItem(OPEN_KEY, "1");
  });
  // A router may change the address with the click.
  void landAt(signal, href, quote, { href: location.href, title: document.title });
  link.click();
  link.remove();
}

/** Goes on with the link that was followed last, on a page that was loaded for it. */
export function landLast(signal: AbortSignal): void {
  attempt(() => {
    const [href, quote] = JSON.parse(readStored(LANDING_KEY) || "[]") as string[];
    forget();
    if (href) void landAt(signal, href, quote);
  });
}

/** Aborted when the next link is followed: the search for an earlier passage would scroll the page back to that one. */
let lastLanding = new AbortController();

const forget = (): void => {
  attempt(() => {
    sessionStorage.removeItem(LANDING_KEY);
  });
};

async function landAt(life: AbortSignal, href: string, quote = "", from?: Departure): Promise<void> {
  lastLanding.abort();
  lastLanding = new AbortController();
  const signal = AbortSignal.any([life, lastLanding.signal]);
  // A site that copied the files by hand may lack this one: then the browser alone scrolls to the passage.
  const { land } = await import("../trueref-landing.js").catch(() => ({ land: null }));
  await land?.(href, quote, forget, signal, from);
}

/** Takes plain left clicks on links; those with a modifier key or another button are left to the browser. */
export function interceptLinks(root: HTMLElement, onFollow: (link: HTMLAnchorElement) => void): void {
  root.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onFollow(link);
  });
}

/** Calls back when the address of the page changes without a load. */
export function onNavigate(callback: () => void, signal: AbortSignal): void {
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener("currententrychange", callback, { signal });
  addEventListener("popstate", callback, { signal });
}
