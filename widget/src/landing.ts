/**
 * Shows the place that a link of an answer leads to, if the browser alone does not: in a closed fold, behind another
 * tab, or moved out of sight when the panel took its room. The browser looks once, before all of that.
 */

const TRIES = 10;
const PAUSE_MS = 200;

/** What a passage stands in. */
const BLOCKS = "p,li,dt,dd,th,td,tr,pre,summary,figcaption,blockquote,h1,h2,h3,h4,h5,h6";

/** How many words of a line are looked for, and how many it has at least: fewer stand anywhere. */
const MAX_WORDS = 8;
const MIN_WORDS = 3;

/** What the reader does to be left alone: whoever scrolls has found the place, or wants another. */
const BY_HAND = ["wheel", "touchstart", "pointerdown", "keydown"];

/**
 * Looks for two seconds whether the place of a link is shown, and shows it.
 *
 * @param href Where the link leads, with the words that it leads to behind `:~:text=`.
 * @param quote What the answer shows of that place; each of its lines is opened on the page too.
 * @param arrived Is called on the page that the link leads to.
 */
export async function land(
  href: string,
  quote: string,
  arrived: () => void,
  signal: AbortSignal,
): Promise<void> {
  const left = new AbortController();
  const stop = (): void => {
    left.abort();
  };
  const { origin, pathname, search, hash } = new URL(href, location.href);
  const [fragment = "", directive = ""] = hash.slice(1).split(":~:");
  const lines = [directedTo(directive), ...quote.split("\n")].map(beginningOf).filter(Boolean);
  const ends = AbortSignal.any([signal, left.signal]);
  for (let tries = 0; tries < TRIES && !ends.aborted; tries++) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (location.origin + location.pathname + location.search !== origin + pathname + search) continue;
    arrived();
    // Not before: the key that followed the link is still being pressed.
    for (const type of BY_HAND) addEventListener(type, stop, { signal: ends, passive: true });
    show(placesOf(fragment, lines), fragment ? named(fragment) : null);
  }
  stop();
}

/** The blocks that have some lines, in the section that is named; if none has, the named element. */
function placesOf(fragment: string, lines: string[]): Element[] {
  const anchor = fragment ? named(fragment) : document.body;
  if (!anchor) return [];
  const blocks = blocksOf(anchor).map((block) => ({ block, words: wordsOf(block.textContent) }));
  const found = lines.flatMap((line) => {
    const outer = blocks.find(({ words }) => words.includes(line));
    // The innermost one: those within stand behind it.
    const inner = blocks.filter(({ block, words }) => outer?.block.contains(block) && words.includes(line));
    return inner.at(-1)?.block ?? [];
  });
  return found.length || !fragment ? found : [anchor];
}

/** The blocks of the section that an element names: those in it, or behind it up to the next heading of its level. */
function blocksOf(anchor: Element): Element[] {
  const within = [...anchor.querySelectorAll(BLOCKS)];
  if (within.length && !levelOf(anchor)) return within;
  const behind = [...document.body.querySelectorAll(BLOCKS)].filter(
    (block) => anchor.compareDocumentPosition(block) & Node.DOCUMENT_POSITION_FOLLOWING,
  );
  const next = behind.findIndex((block) => levelOf(block) && levelOf(block) <= levelOf(anchor));
  return next < 0 ? behind : behind.slice(0, next);
}

/** The level of a heading, 0 for another element. */
const levelOf = ({ nodeName }: Element): number => Number(/^H([1-6])$/.exec(nodeName)?.[1] ?? 0);

function named(fragment: string): Element | null {
  const id = decoded(fragment);
  return document.getElementById(id) ?? document.querySelector(`a[name="${CSS.escape(id)}"]`);
}

/** The first words that a text fragment leads to, without those before and behind them. */
function directedTo(directive: string): string {
  const parts = directive.replace(/^text=/, "").split(",");
  return decoded(parts.find((part) => !/^-|-$/.test(part)) ?? "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % in an address
  }
}

/** A text as its words alone, so that Markdown reads as the page does. */
const wordsOf = (text: string): string =>
  ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;

/** The first words of a line without the mark of a list, "" if it has too few. */
function beginningOf(line: string): string {
  const words = wordsOf(line.replace(/^\s*\d+\. /, ""))
    .trim()
    .split(" ")
    .slice(0, MAX_WORDS);
  return words.length < MIN_WORDS ? "" : ` ${words.join(" ")} `;
}

/** Opens what hides some places, and brings the first into sight: with the named element above it, if both fit. */
function show(places: Element[], anchor: Element | null): void {
  for (const place of places) {
    const around: Element[] = [];
    for (let at: Element | null = place; at; at = at.parentElement) around.unshift(at);
    // From the outermost inwards, as a reader would.
    if (!place.checkVisibility()) around.forEach(open);
  }
  const [first] = places;
  if (!first) return;
  const { top, bottom } = first.getBoundingClientRect();
  // The last lines of the window are as good as none: what is told there goes on below.
  if (bottom >= 0 && top <= innerHeight * 0.8) return;
  const below = top - (anchor?.getBoundingClientRect().top ?? -Infinity);
  if (anchor && below < innerHeight * 0.7) anchor.scrollIntoView();
  else first.scrollIntoView({ block: "center" });
}

/** Opens a closed fold, or chooses the tab of a panel that is not shown. */
function open(element: Element): void {
  if (element instanceof HTMLDetailsElement) {
    // Docusaurus closes its own with a style, whatever the browser has opened.
    if (!element.open || element.dataset["collapsed"] === "true") element.querySelector("summary")?.click();
  } else if (!element.checkVisibility()) tabOf(element)?.click();
}

/** The tab of a panel: by its name, or by its place among the panels of the set. */
function tabOf(panel: Element): HTMLElement | null {
  const set = panel.parentElement;
  if (!set) return null;
  const isTabPanel = panel.role === "tabpanel";
  const label = isTabPanel && panel.getAttribute("aria-labelledby");
  if (label) return document.getElementById(label);
  const panels = [...set.children].filter((child) =>
    isTabPanel ? child.role === "tabpanel" : !child.matches("input,label"),
  );
  // Docusaurus has a list of tabs; Material, VitePress and the extensions of Sphinx have buttons of a radio group.
  const tabs = isTabPanel
    ? set.parentElement?.querySelectorAll<HTMLElement>(":scope > [role=tablist] > [role=tab]")
    : [set, set.parentElement]
        .map((holder) => holder?.querySelectorAll<HTMLElement>(":scope > input, :scope > .tabs > input"))
        .find((inputs) => inputs?.length);
  return tabs?.length === panels.length ? (tabs[panels.indexOf(panel)] ?? null) : null;
}
