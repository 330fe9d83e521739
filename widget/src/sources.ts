import type { Source } from "./answer";
import { joinLink, samePage } from "./address";
import { h } from "./dom";
import { fill, type Words } from "./words";

/** The cards above an answer, and the citation markers in it. */

/** The list of source cards. */
export function sourceList(sources: Source[], base: string, words: Words): HTMLElement {
  const list = h("ol", "cards", ...sources.map((source) => h("li", "", sourceCard(source, base, words))));
  list.setAttribute("role", "list"); // Safari drops the role of a list without bullets
  return list;
}

function sourceCard(source: Source, base: string, words: Words): HTMLElement {
  const path = source.breadcrumb.join(" › ") || source.title;
  const here = h("span", "badge", words.thisPage);
  here.hidden = true;
  const line = h("span", "line", h("span", "heading", headingOf(source)), here);
  if (source.page_number) line.append(h("span", "badge", fill(words.page, source.page_number)));
  const body = h("span", "body", line);
  if (path !== headingOf(source)) body.append(h("span", "path", path));
  const card = sourceLink("source", source, base, h("b", "", String(source.n)), body);
  card.dataset["page"] = source.page;
  return card;
}

/** A marker for one source, leading where its card leads. */
export function citation(source: Source, base: string, words: Words): HTMLElement {
  const marker = sourceLink("citation", source, base, String(source.n));
  marker.title = headingOf(source);
  marker.setAttribute("aria-label", `${fill(words.source, source.n)}: ${marker.title}`);
  return marker;
}

function sourceLink(
  name: string,
  { href }: Source,
  base: string,
  ...content: (Node | string)[]
): HTMLElement {
  const element = h("a", name, ...content);
  const link = joinLink(href, base);
  if (link) element.href = link;
  return element;
}

/** Marks the cards whose page the reader is on. */
export function markHere(root: ParentNode, page: string | null): void {
  for (const card of root.querySelectorAll<HTMLElement>(".source")) {
    const badge = card.querySelector<HTMLElement>(".badge");
    if (badge) badge.hidden = page === null || !samePage(card.dataset["page"] ?? "", page);
  }
}

/** What a source is called: its section, or its page where it is the whole page. */
export function headingOf({ section, title }: Source): string {
  return section || title;
}
