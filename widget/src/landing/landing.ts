/**
 * Shows the passage that a link of an answer leads to, if the browser alone does not: it may be in a closed fold, in a
 * tab that is not chosen, or out of sight since the panel narrowed the page. The browser scrolls once, before all of that.
 */

/** How often a passage is looked for once its page is drawn. */
const MAX_TRIES = 10;

/** How often its page is awaited at most: a router may have to fetch it on a slow network. */
const MAX_WAITS = 150;

/** How often the page is awaited at most if it has the title of the page before, and may be drawn already. */
const MAX_WAITS_FOR_TITLE = 25;

const PAUSE_MS = 200;

/** The elements that hold a passage. */
const BLOCKS = "p,li,dt,dd,th,td,tr,pre,summary,figcaption,blockquote,h1,h2,h3,h4,h5,h6";

/** How many words of a line are looked for. A line with fewer than the minimum is not looked for: they may be anywhere. */
const MAX_WORDS = 8;
const MIN_WORDS = 3;

/** Events that end the search: a reader who scrolls or types has found the passage, or wants to be elsewhere. */
const READER_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** The page on which a link was followed. */
export interface Departure {
  href: string;
  title: string;
}

/**
 * Looks for the passage of a link for two seconds, and shows it if it is hidden or out of sight. The two seconds begin
 * when the page of the link is drawn and has what the fragment names: that is awaited for half a minute, or until the
 * reader goes elsewhere.
 *
 * @param href Where the link leads, with the words that it leads to behind `:~:text=`.
 * @param quote What the answer shows of the passage; each of its lines is looked for and shown too.
 * @param arrived Is called once, on the page that the link leads to.
 * @param from The page on which the link was followed; none if this page was loaded for the link.
 */
export async function land(
  href: string,
  quote: string,
  arrived: () => void,
  signal: AbortSignal,
  from?: Departure,
): Promise<void> {
  const search = new AbortController();
  const stop = (): void => {
    search.abort();
  };
  const target = new URL(href, location.href);
  const [fragment = "", directive = ""] = target.hash.slice(1).split(":~:");
  const lines = [directedTo(directive), ...quote.split("\n")].map(beginningOf).filter(Boolean);
  const ends = AbortSignal.any([signal, search.signal]);
  const goal = addressOf(target);
  const start = from && addressOf(new URL(from.href, location.href));
  let isThere = false;
  for (let tries = 0, waits = 0; tries < MAX_TRIES && waits < MAX_WAITS;) {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (ends.aborted) return;
    const at = addressOf(location);
    // The reader has gone elsewhere, or back.
    if (at !== goal && (isThere || at !== start)) break;
    isThere = at === goal;
    // A router may change the address before it draws the page.
    const isDrawn = !start || start === goal || document.title !== from.title || waits >= MAX_WAITS_FOR_TITLE;
    const named = isThere && isDrawn && (fragment ? elementOf(fragment) : document.body);
    if (!named) {
      waits++;
      continue;
    }
    if (!tries++) {
      arrived();
      // Only now: before that, the key press that followed the link would end the search.
      for (const type of READER_EVENTS) addEventListener(type, stop, { signal: ends, passive: true });
    }
    show(passagesOf(named, lines), named);
  }
  stop();
}

/** The address of a page without its fragment, and without what a server may add to it or take from it. */
const addressOf = ({ origin, pathname, search }: URL | Location): string =>
  origin + decoded(pathname).replace(/(\/index)?(\.html)?\/?$/, "") + search;

/** The blocks that hold the lines, in the section that the fragment names; if none does, the named element itself. */
function passagesOf(named: Element, lines: string[]): Element[] {
  const blocks = blocksOf(named).map((block) => ({ block, words: wordsOf(block.textContent) }));
  const passages = lines.flatMap((line) => {
    const outer = blocks.find(({ words }) => words.includes(line));
    // The innermost of these blocks is the last: an element stands before those inside it.
    const inner = blocks.filter(({ block, words }) => outer?.block.contains(block) && words.includes(line));
    return inner.at(-1)?.block ?? [];
  });
  return passages.length || named === document.body ? passages : [named];
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

/** The element that a fragment names. */
function elementOf(fragment: string): Element | null {
  const id = decoded(fragment);
  return document.getElementById(id) ?? document.querySelector(`a[name="${CSS.escape(id)}"]`);
}

/** The words that a text fragment starts with, without its prefix and suffix. */
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

/** A text as its words alone, so that Markdown and the text of the page compare equal. */
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

/** Opens what hides the passages, and scrolls to the first: with the named element above it, if both fit. */
function show(passages: Element[], named: Element): void {
  for (const passage of passages) {
    const around: Element[] = [];
    for (let at: Element | null = passage; at; at = at.parentElement) around.unshift(at);
    // From the outermost inwards, as a reader would.
    if (!passage.checkVisibility()) around.forEach(open);
  }
  const [first] = passages;
  if (!first) return;
  const { top, bottom } = first.getBoundingClientRect();
  // A passage that starts in the lowest fifth of the window goes on below it, so the page is scrolled for it too.
  if (bottom >= 0 && top <= innerHeight * 0.8) return;
  // The body is no heading, and a page may scroll in an element of its own.
  const isHeading = named !== document.body;
  if (isHeading && top - named.getBoundingClientRect().top < innerHeight * 0.7) named.scrollIntoView();
  else first.scrollIntoView({ block: "center" });
}

/** Opens a closed fold, or chooses the tab of a panel that is not shown. */
function open(element: Element): void {
  if (element instanceof HTMLDetailsElement) {
    // Docusaurus closes its own with a style, whatever the browser has opened.
    if (!element.open || element.dataset["collapsed"] === "true") element.querySelector("summary")?.click();
  } else if (!element.checkVisibility()) tabOf(element)?.click();
}

/** The tab of a panel: by its id, or by the position of the panel among those of the set. */
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
