import type { Source } from "./answer";
import { joinLink, samePage, type Places } from "./address";
import { h } from "./dom";
import { fill, type Words } from "./words";

/** The cards above an answer, and the citation markers in it. */

/** The list of source cards. */
export function sourceList(sources: Source[], options: Places, words: Words): HTMLElement {
  const list = h("ol", "cards", ...sources.map((source) => h("li", "", sourceCard(source, options, words))));
  list.setAttribute("role", "list"); // Safari drops the role of a list without bullets
  return list;
}

function sourceCard(source: Source, options: Places, words: Words): HTMLElement {
  const path = source.breadcrumb.join(" › ") || source.title;
  const here = h("span", "badge", words.thisPage);
  here.hidden = true;
  const line = h("span", "line", h("span", "heading", headingOf(source)), here);
  const body = h("span", "body", line);
  if (path !== headingOf(source)) body.append(h("span", "path", path));
  const card = sourceLink("source", source, options, h("b", "", String(source.n)), body);
  card.dataset["page"] = source.page;
  return card;
}

/** A marker for one source, leading where its card leads. */
export function citation(source: Source, options: Places, words: Words): HTMLElement {
  const marker = sourceLink("citation", source, options, String(source.n));
  marker.title = headingOf(source);
  marker.setAttribute("aria-label", `${fill(words.source, source.n)}: ${marker.title}`);
  return marker;
}

function sourceLink(
  name: string,
  { href }: Source,
  options: Places,
  ...content: (Node | string)[]
): HTMLElement {
  const element = h("a", name, ...content);
  const link = joinLink(href, options);
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
