import { Conversation, type Exchange } from "../conversation/conversation";
import { restore, save } from "../conversation/saved-exchanges";
import { askOrSearch } from "../conversation/without-server";
import type { Options } from "../pill/options";
import { sheet } from "../shared/dom";
import type { Words } from "../shared/words";
import css from "./answers.css";
import { Transcript } from "./transcript";

/** What the panel gives to its answers: the elements in which they are drawn, and what they need to know. */
export interface AnswersHost {
  root: ShadowRoot;
  log: HTMLElement;
  status: HTMLElement;
  options: Options;
  words: Words;
  /** The build of these pages, "" if it is not known. */
  generation: Promise<string>;
  /** The page that the reader is on, null if it lies outside the site. */
  here: () => string | null;
  /** Called when an answer begins to come in, and when it has ended. */
  busy: (busy: boolean) => void;
  /** Moves the keyboard to where a question is typed. */
  focus: () => void;
  /** Called when the number of exchanges changed. */
  filled: (exchanges: number) => void;
}

/** The conversation with all that draws it: fetched with the first question, or at once if one is kept from before. */
export class Answers {
  readonly #conversation: Conversation;
  readonly #transcript: Transcript;
  /** What the reader wants to ask again, each once the answer before it has ended. */
  readonly #waiting: Exchange[] = [];

  constructor(
    private readonly host: AnswersHost,
    life: AbortSignal,
  ) {
    const { root, options, words, here } = host;
    root.adoptedStyleSheets.push(sheet(css));
    this.#conversation = new Conversation(
      (question, answer, signal, changed) => askOrSearch(options, question, answer, words, signal, changed),
      this.#changed,
    );
    const [retry, keep] = [this.#retry, this.#keep];
    this.#transcript = new Transcript({ options, words, retry, keep, generation: "" }, host, here);
    this.#restore();
    void host.generation.then((generation) => {
      this.#transcript.compare(generation);
    });
    // A page that Back brings back as it was has not seen what was asked on the pages after it.
    addEventListener(
      "pageshow",
      ({ persisted }) => {
        if (!persisted) return;
        this.#transcript.remove(() => true);
        this.#restore();
      },
      { signal: life },
    );
    life.addEventListener("abort", () => {
      this.stop();
    });
  }

  #restore(): void {
    this.#conversation.exchanges = restore(this.host.options.key);
    for (const exchange of this.#conversation.exchanges) this.#transcript.draw(exchange);
    this.#count();
    this.#transcript.scrollToLast();
  }

  ask(question: string): void {
    void this.#conversation.ask(question, this.host.here());
    this.#transcript.scrollToLast();
  }

  /** Stops the answer in flight; what has come stays. */
  stop(): void {
    this.#conversation.stop();
  }

  clear(): void {
    this.#waiting.length = 0;
    this.#conversation.clear();
    this.#transcript.remove(() => true);
    this.#count();
    this.#keep();
  }

  /** Brings the screen up to date with the page that the reader is on. */
  shown(): void {
    this.#transcript.markHere();
  }

  /** Brings the last question to the top. */
  scrollToLast(): void {
    this.#transcript.scrollToLast();
  }

  #count(): void {
    this.host.filled(this.#conversation.exchanges.length);
  }

  #keep = (): void => {
    save(this.host.options.key, this.#conversation.exchanges);
  };

  #retry = (exchange: Exchange): void => {
    this.host.focus();
    if (this.#conversation.busy) {
      this.#waiting.push(exchange);
      return;
    }
    this.#conversation.remove(exchange);
    this.#transcript.remove((candidate) => candidate === exchange);
    this.ask(exchange.question);
  };

  #changed = (exchange: Exchange): void => {
    this.#transcript.draw(exchange);
    this.#count();
    const busy = exchange.state === "open";
    if (busy && (exchange.sources.length || exchange.text)) return;
    this.host.busy(busy);
    this.#transcript.announce(exchange);
    this.#keep();
    const next = !busy && this.#waiting.shift();
    if (next) this.#retry(next);
  };
}
