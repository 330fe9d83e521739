import { sheet } from "../shared/dom";

/** Room beside the panel: the column of text gets narrower, so that the panel lies over none of it. */

/** Selectors of the column that holds the text alone, by theme; the first that fits an element of the page is taken. */
const COLUMNS = [
  ".md-content", // Material, Zensical
  ".main>.content", // furo
  "[class*=docItemCol]", // Docusaurus
  ".VPDoc .content-container",
  ".bd-article-container", // pydata, Book
  ".wy-nav-content-wrap", // Read the Docs, of Sphinx and of MkDocs
  "div.body", // the themes of Sphinx
  "main",
  "[role=main]",
  "article",
];

/** Below this width of the window the panel lies over the page: beside it the text would be too narrow. */
const WIDE = "(min-width:1200px)";
const MIN_COLUMN = 320;
const GAP = 24;

const rules = sheet("");

/** Narrows the text of the page as far as `panel` lies over it; null gives all room back. */
export function makeRoom(panel: HTMLElement | null, top: number): void {
  const sheets = document.adoptedStyleSheets;
  const selector = COLUMNS.find((name) => document.querySelector(name)) ?? "main";
  const column = document.querySelector(selector);
  const back = column ? textAt(column, top) : null;
  rules.replaceSync("");
  if (panel && column && matchMedia(WIDE).matches) {
    if (!sheets.includes(rules)) document.adoptedStyleSheets = [...sheets, rules];
    rules.replaceSync(`@media screen{${selector}{${paddingOf(column, panel)}}}`);
  } else document.adoptedStyleSheets = sheets.filter((other) => other !== rules);
  back?.();
}

/** The styles of the column. They are a rule, since a theme that changes pages by script replaces the element itself. */
function paddingOf(column: Element, panel: HTMLElement): string {
  const { left, right } = column.getBoundingClientRect();
  const beside = panel.getBoundingClientRect();
  const { paddingLeft, paddingRight } = getComputedStyle(column);
  const [side, own, other, over] =
    beside.left > 0
      ? ["right", paddingRight, paddingLeft, right - beside.left]
      : ["left", paddingLeft, paddingRight, beside.right - left];
  const most = right - left - MIN_COLUMN - Number.parseFloat(other);
  const padding = Math.max(Number.parseFloat(own), Math.min(over + GAP, most));
  // The width stays as it is: in furo the padding would be added to the width of the column.
  return `box-sizing:border-box!important;width:${right - left}px!important;padding-${side}:${padding}px!important`;
}

/** Remembers the text at the top of the window; the function that is returned scrolls it back there. */
function textAt(column: Element, top: number): (() => void) | null {
  if (!scrollY) return null;
  for (const read of column.querySelectorAll("h1,h2,h3,h4,p,li,pre,tr,dt")) {
    const before = read.getBoundingClientRect();
    if (before.bottom <= top + GAP) continue;
    return () => {
      scrollBy({ top: read.getBoundingClientRect().top - before.top, behavior: "instant" });
    };
  }
  return null;
}
