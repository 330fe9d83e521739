import { joinLink, samePage } from "../shared/address";
import type { Source } from "../shared/answer";
import { h } from "../shared/dom";
import { beside, fill, inLanguage, type Words } from "../shared/words";
import type { Context } from "./context";

/** Links to sections, and the names of sources. */

/** The sources that are seen at once; those beyond them are behind a fold. */
const MAX_SHOWN = 5;

/** A heading with links under it; nothing if there is nothing to list. Those that a text cites have numbers. */
export function sourceList(
  name: "sources" | "more",
  heading: string,
  sources: Source[],
  context: Context,
): HTMLElement[] {
  if (!sources.length) return [];
  const items = sources.map((source, at) => {
    const cited = name === "sources";
    const kind = cited && source.kind_name !== sources[at - 1]?.kind_name && source.kind_name;
    const number = cited ? h("b", "", String(source.n)) : "";
    const words = beside(source.language, context.words);
    const line = h("span", "line", number, h("span", "heading", headingOf(source)), badge(words));
    const link = sourceLink("source", source, context, line, ...pathOf(source, sources));
    link.dataset["page"] = source.page;
    inLanguage("docs", words, link);
    return h("li", "", kind ? h("div", "kind", kind) : "", link);
  });
  const rest = items.splice(MAX_SHOWN);
  const more = h("details", "", h("summary", "", `${heading} +${rest.length}`), listOf(rest));
  return [h("section", name, h("h4", "", heading), listOf(items), rest.length ? more : "")];
}

function listOf(items: HTMLElement[]): HTMLElement {
  const list = h("ul", "links", ...items);
  list.role = "list"; // Safari drops the role of a list without bullets
  return list;
}

/** A marker for one source in a text, leading where its link in the list leads. */
export function citation(source: Source, context: Context): HTMLElement {
  const marker = sourceLink("citation", source, context, String(source.n));
  marker.title = headingOf(source);
  marker.ariaLabel = `${fill(context.words.source, source.n)}: ${marker.title}`;
  return marker;
}

/** A link to a section, or plain text if it would lead neither into the site nor to the server. */
export function sourceLink(
  name: string,
  { href, title, quote, text_fragment: words }: Source,
  { options }: Context,
  ...content: (Node | string)[]
): HTMLElement {
  const link = joinLink(href, options);
  const element = h(link ? "a" : "span", name, ...content);
  const fragment = words && `${link.includes("#") ? "" : "#"}:~:${words}`;
  if (link) (element as HTMLAnchorElement).href = link + fragment;
  if (quote) element.dataset["quote"] = quote;
  // Only pages of PDFs have such anchors.
  if (/#page=\d+$/.test(link)) Object.assign(element.dataset, { title, passage: quote });
  return element;
}

/** The words "This page" at a link or card, for those of the page that the reader is on; hidden until `markHere`. */
export function badge(words: Words): HTMLElement {
  const element = inLanguage("words", words, h("span", "badge", words.thisPage));
  element.hidden = true;
  return element;
}

/** Marks the cards and links whose page the reader is on. */
export function markHere(root: ParentNode, page: string | null): void {
  for (const element of root.querySelectorAll<HTMLElement>("[data-page]")) {
    const mark = element.querySelector<HTMLElement>(".badge");
    if (mark) mark.hidden = page === null || !samePage(element.dataset["page"] ?? "", page);
  }
}

/** The name of a source: its section, or its page if it is the whole page. */
export function headingOf({ section, title }: Source): string {
  return section || title;
}

/** The headings above a source; if another source has the same ones, also the page or the anchor, in which they differ. */
export function pathOf(source: Source, among: Source[]): HTMLElement[] {
  const path = crumbsOf(source);
  const heading = headingOf(source);
  const same = among.filter((other) => headingOf(other) === heading && crumbsOf(other) === path);
  const elsewhere = same.some(({ page }) => page !== source.page);
  const beside = same.some(({ page, anchor }) => page === source.page && anchor !== source.anchor);
  const apart = `${elsewhere ? source.page || "/" : ""}${beside ? `#${source.anchor}` : ""}`;
  const text = [path, apart && `(${apart})`].filter(Boolean).join(" ");
  return text ? [h("span", "path", text)] : [];
}

function crumbsOf(source: Source): string {
  return source.breadcrumb.filter((crumb) => crumb !== headingOf(source)).join(" › ");
}
