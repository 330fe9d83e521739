/** Following a source from inside the shadow root. */

/**
 * Clicks a link in the page itself. A theme's instant navigation listens on the body and sees a click in a
 * shadow root as one on the host element, so it would miss it and load the whole page.
 */
export function follow(host: HTMLElement, href: string): void {
  const link = document.createElement("a");
  link.href = href.replace(/#?:~:.*/, "");
  // A theme that takes the click would look for an anchor with the name of the whole fragment.
  const last = (event: Event): void => {
    if (!event.defaultPrevented) link.href = href;
  };
  addEventListener("click", last, { once: true });
  host.append(link);
  link.click();
  link.remove();
}

/** Takes plain left clicks on links; with a modifier key, or another button, the browser knows what to do. */
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
