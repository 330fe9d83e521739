import type { Exchange } from "../conversation/conversation";
import { fill, type Words } from "../shared/words";
import type { ExchangeContext } from "./context";
import { ExchangeView, nearestOf } from "./exchange";
import { headingOf, markHere } from "./sources";

/** The exchanges on screen, and the one line that a screen reader speaks. */
export class Transcript {
  #views: ExchangeView[] = [];

  constructor(
    private readonly context: ExchangeContext,
    private readonly stage: { log: HTMLElement; status: HTMLElement },
    private readonly here: () => string | null,
  ) {}

  /** Draws an exchange, new or known. */
  draw(exchange: Exchange): void {
    let view = this.#views.find((candidate) => candidate.exchange === exchange);
    if (!view) {
      this.#views.push((view = new ExchangeView(exchange, this.context)));
      this.stage.log.append(view.element);
    }
    view.draw();
    this.markHere();
  }

  /** Brings the question to the top: the reader reads on from there, at their own pace. */
  scrollToLast(): void {
    // One pixel more, so that the line between two exchanges is out of sight.
    this.stage.log.scrollTop = (this.#views.at(-1)?.element.offsetTop ?? 0) + 1;
  }

  /** Has a screen reader speak the state of an exchange. */
  announce(exchange: Exchange): void {
    const { words } = this.context;
    const { state, failure } = exchange;
    const lines = {
      open: words.searching,
      stopped: words.stopped,
      error: failure || words.failed,
      done: outcome(exchange, words),
    };
    this.stage.status.textContent = lines[state];
  }

  remove(gone: (exchange: Exchange) => boolean): void {
    this.#views = this.#views.filter(({ exchange, element }) => {
      if (gone(exchange)) element.remove();
      return !gone(exchange);
    });
  }

  /** Brings the "This page" marks up to date. */
  markHere(): void {
    markHere(this.stage.log, this.here());
  }

  /** Compares the answers with the build of the pages. */
  compare(generation: string): void {
    this.context.generation = generation;
    for (const view of this.#views) view.draw();
  }
}

/** How an answer turned out, and the section that is shown first. */
function outcome(exchange: Exchange, words: Words): string {
  const { verdict, excerpts, sources } = exchange;
  if (verdict === "not-found") return fill(words.notFound, nearestOf(exchange).length);
  const first = sources.find(({ n }) => n === excerpts[0]?.n) ?? sources[0];
  const heading = first ? headingOf(first) : "";
  if (verdict === "closest") return `${words.closest} ${heading}`.trim();
  return [fill(words.ready, excerpts.length || sources.length), heading].filter(Boolean).join(" – ");
}
