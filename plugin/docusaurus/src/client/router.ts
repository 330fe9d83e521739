/**
 * Links of the widget go through the site's own router. The widget clicks a link in the page itself, a child of its
 * element; Docusaurus listens on its own links only, and the browser would load the whole page.
 */
import { matchPath } from "@docusaurus/router";
import routes from "@generated/routes";
import type { Route } from "@generated/routes";
import { reveal } from "./reveal";

/** Docusaurus calls it when a page is drawn, the first one too, and when the fragment of the address changes. */
export function onRouteDidUpdate({ location }: { location: { hash: string } }): void {
  if (location.hash) reveal(location.hash);
}

/** Whether a page of this build and this locale stands at a path. */
function hasPage(path: string, among: Route[]): boolean {
  return among.some((route) => {
    // The last route of all, `*`, is the page for addresses that do not exist.
    if (route.path === "*" || !matchPath(path, route)) return false;
    return route.routes ? hasPage(path, route.routes) : true;
  });
}

/** A path as the routes have it; null if it cannot be decoded, so that no page has it. */
function decode(path: string): string | null {
  try {
    return decodeURI(path);
  } catch {
    return null;
  }
}

function onClick(event: MouseEvent): void {
  const target = event.target instanceof Element ? event.target : null;
  const link = target?.closest<HTMLAnchorElement>("trueref-chat > a[href]");
  if (!link || event.defaultPrevented || link.origin !== location.origin) return;
  const { pathname, search, hash } = link;
  // For a fragment of the same page the browser scrolls itself and notifies the router. Without a fragment it would
  // load the page again.
  if (pathname === location.pathname && hash) return;
  const path = decode(pathname);
  if (path === null || !hasPage(path, routes)) return;
  event.preventDefault();
  history.pushState({ key: Math.random().toString(36).slice(2, 8) }, "", `${pathname}${search}${hash}`);
  // The router listens to this event for the Back button. The router itself can only be reached inside of React.
  dispatchEvent(new PopStateEvent("popstate", { state: history.state as unknown }));
}

// Docusaurus runs client modules once in the browser, and once in Node for the HTML.
if (typeof document !== "undefined") document.addEventListener("click", onClick);
