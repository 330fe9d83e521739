import { readAnswer, type Answer } from "../shared/answer";
import { Failure, type Question } from "./ask";

export type State = "open" | "done" | "stopped" | "error";

/** A question with its answer. */
export interface Exchange extends Answer {
  question: string;
  state: State;
  failure: string;
  /** Whether the reader found it helpful, null if the reader has not said. */
  helpful: boolean | null;
}

/** Fills an answer from the server; see `ask`. */
export type Asker = (
  question: Question,
  answer: Answer,
  signal: AbortSignal,
  changed: () => void,
) => Promise<void>;

// As many turns as a model reads. Even with the longest questions they have no more than the server's 20,000 characters.
const MAX_TURNS = 5;
const MAX_TURN_ANSWER = 2000;
/** If a character takes three bytes, the oldest turns are left out: the server takes a body of 64 KiB. */
const MAX_HISTORY_BYTES = 49_000;
const MAX_NUMBERED = 100;

/** The exchanges of this session, and the request in flight if there is one. */
export class Conversation {
  exchanges: Exchange[] = [];
  #flight: AbortController | null = null;

  /** `changed` is called with an exchange after every change of it. */
  constructor(
    private readonly asker: Asker,
    private readonly changed: (exchange: Exchange) => void,
  ) {}

  /** The last finished turns, oldest first, as the server wants them. */
  history(): Question["history"] {
    const turns = this.exchanges
      .filter(({ state, text }) => state === "done" && text)
      .slice(-MAX_TURNS)
      .map(({ question, text }) => ({
        question,
        answer: Array.from(text).slice(0, MAX_TURN_ANSWER).join(""),
      }));
    while (new Blob([JSON.stringify(turns)]).size > MAX_HISTORY_BYTES) turns.shift();
    return turns;
  }

  /** The address of each numbered source so far, by its number less 1; a number that is not shown any more leaves a gap. */
  numbered(): string[] {
    const hrefs: string[] = [];
    for (const { sources, more } of this.exchanges)
      for (const { n, href } of [...sources, ...more]) if (n <= MAX_NUMBERED) hrefs[n - 1] ??= href;
    return hrefs;
  }

  get busy(): boolean {
    return !!this.#flight;
  }

  /** Asks a question; one is in flight at a time. */
  async ask(question: string, page: string | null): Promise<void> {
    if (this.busy) return;
    const { signal } = (this.#flight = new AbortController());
    const asked = { question, history: this.history(), page: page ?? undefined, numbered: this.numbered() };
    const exchange: Exchange = { ...readAnswer({}), question, state: "open", failure: "", helpful: null };
    this.exchanges.push(exchange);
    const changed = (): void => {
      if (!signal.aborted) this.changed(exchange);
    };
    changed();
    try {
      await this.asker(asked, exchange, signal, changed);
      exchange.state = "done";
    } catch (error) {
      exchange.state = signal.aborted ? "stopped" : "error";
      if (error instanceof Failure) exchange.failure = error.message;
    }
    if (!this.exchanges.includes(exchange)) return; // cleared meanwhile
    this.#flight = null;
    this.changed(exchange);
  }

  /** Stops the answer in flight; what has come stays. */
  stop(): void {
    this.#flight?.abort();
  }

  /** Takes an exchange out, to ask it again. */
  remove(exchange: Exchange): void {
    this.exchanges = this.exchanges.filter((kept) => kept !== exchange);
  }

  clear(): void {
    this.stop();
    this.#flight = null;
    this.exchanges = [];
  }
}
