import { copyButton } from "../markup/code";
import { drawExcerpt, plainExcerpt } from "../markup/excerpt";
import { joinLink } from "../shared/address";
import type { Excerpt, Source } from "../shared/answer";
import { button, h } from "../shared/dom";
import { beside, inLanguage } from "../shared/words";
import type { Context } from "./context";
import { badge, headingOf, pathOf, sourceLink } from "./sources";

/** A card: an excerpt, its source, and all sources of the answer, from which its title may have to be distinguished. */
export interface Card {
  excerpt: Excerpt;
  source: Source;
  among: Source[];
}

// Ids are unique in a shadow root, and so in all exchanges.
let cards = 0;

/**
 * A section with its excerpt. `toggled` makes it a card that folds, and is called after each change. The title is a
 * link while the card is open.
 */
export function drawCard(card: Card, { options, words }: Context, toggled?: () => void): HTMLElement {
  const { excerpt, among } = card;
  const context = { options, words: beside(card.source.language, words) };
  // The viewer of PDFs marks the whole passage, and not only the sentence that is cited.
  const source = { ...card.source, quote: excerpt.blocks.map(({ text }) => text).join("\n") };
  const id = `card-${++cards}`;
  const heading = headingOf(source);
  const title = h("h4");
  const line = h("div", "line", title, badge(context.words));
  const telling = h("p", "telling", excerpt.caption.replace(/`/g, ""));
  const body = h("div", "excerpt", ...drawInside({ ...card, source }, context));
  body.id = id;
  const show = (open: boolean): void => {
    title.replaceChildren(
      open ? sourceLink("card-title", source, context, heading) : h("span", "card-title", heading),
    );
    telling.hidden = open || !excerpt.caption;
    body.hidden = !open;
  };
  if (toggled) {
    const fold = foldButton(excerpt, show, toggled);
    fold.ariaLabel = heading;
    fold.setAttribute("aria-controls", id);
    line.append(fold);
  } else show(true);
  const element = h("section", "card", h("div", "head", line, ...pathOf(source, among), telling), body);
  element.dataset["page"] = source.page;
  return inLanguage("docs", context.words, element);
}

/** The button that folds a card. It stays the same element and keeps the focus; only the title beside it changes. */
function foldButton(excerpt: Excerpt, show: (open: boolean) => void, toggled: () => void): HTMLElement {
  const update = (): void => {
    control.ariaExpanded = String(excerpt.opened);
    show(excerpt.opened);
  };
  const control = button("", "fold", () => {
    excerpt.opened = !excerpt.opened;
    update();
    toggled();
  });
  update();
  return control;
}

function drawInside({ excerpt, source }: Card, context: Context): HTMLElement[] {
  const { words, options } = context;
  const whole = (): HTMLElement =>
    inLanguage("words", words, sourceLink("whole", source, context, words.whole));
  const copy = copyButton(
    words,
    () => `${plainExcerpt(excerpt)}\n\n${headingOf(source)} ${joinLink(source.href, options)}`,
  );
  return [...drawExcerpt(excerpt, words, whole), h("div", "foot", copy)];
}
