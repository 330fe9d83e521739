/**
 * Opens what hides the element that an address names: folds and tabs. Browsers open a fold that is closed by itself, but
 * Docusaurus closes its own with a style, and shows one tab of a group.
 */

const MAX_TRIES = 10;
const PAUSE_MS = 100;

/**
 * Shows the element that a fragment names, wherever it is hidden, and scrolls to it. After a page load it may take a
 * moment until React closes folds and draws tabs anew, so the element is looked up again and again for a second.
 */
export function reveal(hash: string, tries = MAX_TRIES): void {
  setTimeout(() => {
    if (location.hash !== hash) return;
    const target = elementOf(hash);
    if (target && !target.checkVisibility()) show(target);
    if (tries > 1) reveal(hash, tries - 1);
  }, PAUSE_MS);
}

function show(target: Element): void {
  // From the outermost inwards, as a reader would.
  for (const hidden of enclosing(target).reverse()) open(hidden);
  // React draws what the clicks changed only after this function has returned.
  setTimeout(() => {
    target.scrollIntoView();
  });
}

/** The element that a fragment names. */
function elementOf(hash: string): Element | null {
  const id = hash.slice(1);
  try {
    return document.getElementById(id) ?? document.getElementById(decodeURIComponent(id));
  } catch {
    return null; // a stray % in the address bar
  }
}

function enclosing(target: Element): Element[] {
  const elements: Element[] = [];
  for (let at = target.parentElement; at; at = at.parentElement) {
    if (at.matches("details, [role=tabpanel]")) elements.push(at);
  }
  return elements;
}

function open(hidden: Element): void {
  if (hidden instanceof HTMLDetailsElement) {
    // The browser may have opened it already, and Docusaurus not. A click on one that both opened would close it.
    if (!hidden.open || hidden.dataset["collapsed"] === "true") hidden.querySelector("summary")?.click();
  } else if (hidden.hasAttribute("hidden")) {
    tabOf(hidden)?.click();
  }
}

/** The tab of a panel. It has no id, so it is the one at the position of the panel among the panels. */
function tabOf(panel: Element): HTMLElement | null {
  // `Array.from`, since Docusaurus compiles the spread syntax in a way that works only for arrays.
  const panels = Array.from(panel.parentElement?.children ?? []).filter((child) =>
    child.matches("[role=tabpanel]"),
  );
  const list = panel.closest(".tabs-container")?.querySelector("[role=tablist]");
  return list?.querySelectorAll<HTMLElement>(":scope > [role=tab]")[panels.indexOf(panel)] ?? null;
}
