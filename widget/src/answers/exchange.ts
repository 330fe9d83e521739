import type { Exchange } from "../conversation/conversation";
import { AnswerText } from "../markup/answer-text";
import { copyButton } from "../markup/code";
import { joinLink } from "../shared/address";
import type { Excerpt, Source } from "../shared/answer";
import { button, h } from "../shared/dom";
import { fill, inLanguage } from "../shared/words";
import { drawCard } from "./card";
import type { ExchangeContext } from "./context";
import { feedbackOf } from "./feedback";
import { citation, headingOf, sourceList } from "./sources";

/** The characters of a question that fits two lines on a phone. */
const MAX_SHORT_QUESTION = 70;

/** The sections that are offered if the docs have no answer: a longer list would look like an answer. */
const MAX_NEAREST = 3;

/** The sections that are nearest to a question that the docs do not answer. */
export function nearestOf({ sources, more }: Exchange): Source[] {
  return [...sources, ...more].slice(0, MAX_NEAREST);
}

/** A text that is complete sooner than this is not shown while it comes in: cards will replace it at once. */
const SLOW_MS = 400;

/** One exchange on screen: the question, the cards or the text that answer it, and further sections. */
export class ExchangeView {
  readonly element = h("article", "exchange");
  readonly #answer = h("div", "answer");
  readonly #links = h("div");
  readonly #end = h("div", "end");
  #feedback: HTMLElement | null = null;
  #cards: Excerpt[] | null = null;
  #text: AnswerText | null = null;
  #shown = "";
  #marks = 0;
  /** Whether the text takes long enough to be shown while it comes in; null before the first of it. */
  #slow: boolean | null = null;

  constructor(
    readonly exchange: Exchange,
    private readonly context: ExchangeContext,
  ) {
    const question = h("h3", "question", exchange.question);
    // A long one scrolls, so the keyboard must reach it.
    if (exchange.question.length > MAX_SHORT_QUESTION) question.tabIndex = 0;
    inLanguage("docs", context.words, question);
    this.element.append(question, this.#answer, this.#links, this.#end);
  }

  /** Brings the screen up to date with the exchange; elements that are up to date stay the same. */
  draw(): void {
    const { excerpts, verdict, text, state } = this.exchange;
    if (excerpts.length) this.#drawCards(excerpts);
    else if (state !== "open" || this.#slow) this.#drawText();
    else if (text && this.#slow === null) this.#wait();
    this.#end.replaceChildren(...this.#ending());
    Object.assign(this.element.dataset, { state, verdict });
  }

  #wait(): void {
    this.#slow = false;
    setTimeout(() => {
      this.#slow = true;
      // To draw a finished exchange again would take its buttons from under a click, and the focus from them.
      if (this.exchange.state === "open") this.draw();
    }, SLOW_MS);
  }

  #drawCards(excerpts: Excerpt[]): void {
    // Built once, so that a card stays folded or open, and keeps the focus.
    if (excerpts === this.#cards) return;
    this.#cards = excerpts;
    const { context } = this;
    const { words } = context;
    const { verdict, note, read_as, more } = this.exchange;
    const lines = [read_as && fill(words.readAs, read_as), note].filter(Boolean);
    const shown: HTMLElement[] = lines.map((line) => h("p", "note", line));
    if (verdict === "closest") shown.push(h("p", "closest", words.closest));
    this.#answer.replaceChildren(...shown, ...excerpts.flatMap((excerpt) => this.#card(excerpt)));
    this.#links.replaceChildren(...sourceList("more", words.more, more, context));
  }

  #card(excerpt: Excerpt): HTMLElement[] {
    const { context } = this;
    const { sources, more, citations, excerpts } = this.exchange;
    const source = sources.find(({ n }) => n === excerpt.n);
    // The first card, which is the best, is open even if it is not cited.
    const open = excerpt === excerpts[0] || citations.includes(excerpt.n);
    const among = [...sources, ...more];
    return source ? [drawCard({ excerpt, source, among }, context, open ? undefined : context.keep)] : [];
  }

  #drawText(): void {
    const { context } = this;
    const { words } = context;
    const { mode, verdict, text, marks, more: given, sources } = this.exchange;
    const missing = verdict === "not-found";
    const more = missing ? nearestOf(this.exchange) : given;
    const wanted = JSON.stringify([sources, more]);
    if (wanted !== this.#shown || !this.#text || !text.startsWith(this.#text.text)) {
      this.#cards = null;
      this.#shown = wanted;
      this.#links.replaceChildren(
        mode === "model" ? h("p", "note", words.written) : "",
        ...sourceList("sources", words.sources, missing ? [] : sources, context),
        ...sourceList("more", missing ? words.nearest : words.more, more, context),
      );
      this.#text = this.#newText();
      this.#answer.replaceChildren(this.#text.element);
      this.#marks = 0;
    }
    this.#answer.hidden = !text;
    this.#text.append(text.slice(this.#text.text.length));
    for (const mark of marks.slice(this.#marks)) this.#text.mark(mark);
    this.#marks = marks.length;
  }

  #newText(): AnswerText {
    const { context } = this;
    const { mode, sources } = this.exchange;
    const cite = (n: number): HTMLElement | null => {
      const source = sources.find((candidate) => candidate.n === n);
      return source ? citation(source, context) : null;
    };
    const text = new AnswerText(cite, context.words);
    // A model writes in the language of the question, the server in that of its own sentences.
    if (mode === "model") inLanguage("docs", context.words, text.element);
    return text;
  }

  /** The end of an exchange: progress, what went wrong, or the note, Copy and the rating of a finished answer. */
  #ending(): (HTMLElement | "")[] {
    const { words, retry, generation } = this.context;
    const { exchange } = this;
    const { state } = exchange;
    if (state === "open") {
      const line = this.#cards ? words.writing : words.searching;
      return [this.#text ? "" : h("p", "progress", line)];
    }
    if (state === "done") {
      const other = generation && exchange.generation && generation !== exchange.generation;
      const line = exchange.updating ? words.updating : other ? words.otherBuild : "";
      const note = line && h("p", "note", line);
      // Each card has its own Copy button, and if nothing was found there is nothing to copy.
      const copy =
        this.#cards || exchange.verdict === "not-found" ? "" : copyButton(words, () => this.#asPlainText());
      if (exchange.feedback && exchange.answer_id) this.#feedback ??= feedbackOf(exchange, this.context);
      return [note, copy, this.#feedback ?? ""];
    }
    const stopped = state === "stopped";
    const line = stopped ? words.stopped : exchange.failure || words.failed;
    const again = button(stopped ? words.askAgain : words.again, "retry", () => {
      again.disabled = true; // it may have to wait for another answer
      retry(exchange);
    });
    return [h("div", "trouble", h("p", state, line), again)];
  }

  #asPlainText(): string {
    const { text, sources } = this.exchange;
    const { options } = this.context;
    const rows = sources.map(
      (source) => `[${source.n}] ${headingOf(source)} ${joinLink(source.href, options)}`,
    );
    return [text.trim(), "", ...rows].join("\n");
  }
}
