import { joinLink, type Places } from "./address";
import type { Exchange } from "./conversation";
import { button, h } from "./dom";
import { AnswerText } from "./render";
import { citation, headingOf, sourceList } from "./sources";
import type { Words } from "./words";

/** What an exchange on screen needs from around it. */
export interface ExchangeContext {
  options: Places;
  words: Words;
  retry: (exchange: Exchange) => void;
}

/** One exchange on screen: the question, then the sources, then the answer. */
export class ExchangeView {
  readonly element = h("article", "exchange");
  readonly #sources = h("section", "sources");
  readonly #answer = h("div", "answer");
  readonly #end = h("div", "end");
  #text: AnswerText | null = null;
  #shown = "";
  #marks = 0;

  constructor(
    readonly exchange: Exchange,
    private readonly context: ExchangeContext,
  ) {
    this.element.append(h("h3", "question", exchange.question), this.#sources, this.#answer, this.#end);
  }

  /** Brings the screen up to date with the exchange; what already stands as it should is left alone. */
  draw(generation: string): void {
    const { sources, verdict, text, marks, state } = this.exchange;
    const wanted = JSON.stringify([sources, verdict]);
    if (wanted !== this.#shown || !this.#text || !text.startsWith(this.#text.text)) {
      this.#drawSources();
      this.#shown = wanted;
      this.#text = this.#newText();
      this.#marks = 0;
    }
    this.#text.append(text.slice(this.#text.text.length));
    for (const mark of marks.slice(this.#marks)) this.#text.mark(mark);
    this.#marks = marks.length;
    this.#answer.hidden = !text;
    this.#end.replaceChildren(...this.#ending(generation));
    Object.assign(this.element.dataset, { state, verdict });
  }

  #drawSources(): void {
    const { options, words } = this.context;
    const { sources, verdict } = this.exchange;
    const title = verdict === "answer" ? words.sources : words.closest;
    this.#sources.replaceChildren(h("h4", "caption", title), sourceList(sources, options, words));
    this.#sources.hidden = !sources.length;
  }

  #newText(): AnswerText {
    const { options, words } = this.context;
    const { sources } = this.exchange;
    const cite = (n: number): HTMLElement | null => {
      const source = sources.find((candidate) => candidate.n === n);
      return source ? citation(source, options, words) : null;
    };
    const text = new AnswerText(cite, (code) => copyButton(words, code), words.unsupported);
    this.#answer.replaceChildren(text.element);
    return text;
  }

  /** What stands below the text: progress, trouble, or the quiet things of a finished answer. */
  #ending(generation: string): HTMLElement[] {
    const { words, retry } = this.context;
    const { exchange } = this;
    const { state } = exchange;
    if (state === "open") return exchange.text ? [] : [h("p", "progress", words.searching)];
    if (state === "done") {
      const note = generation && exchange.generation && generation !== exchange.generation;
      const copy = copyButton(words, () => this.#asPlainText());
      return [...(note ? [h("p", "note", words.otherBuild)] : []), copy];
    }
    const stopped = state === "stopped";
    const line = stopped ? words.stopped : exchange.failure || words.failed;
    const again = button(stopped ? words.askAgain : words.again, "retry", () => {
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

/** A quiet button; without a clipboard (plain http) it stays away. */
function copyButton(words: Words, content: () => string): HTMLElement {
  const element = button(words.copy, "copy", () => {
    void navigator.clipboard.writeText(content()).then(() => {
      element.textContent = words.copied;
      setTimeout(() => (element.textContent = words.copy), 2000);
    });
  });
  element.hidden = !window.isSecureContext;
  return element;
}
