import { fieldsOf, readAnswer, textOf } from "../shared/answer";
import { attempt } from "../shared/session-storage";
import type { Exchange } from "./conversation";

/** The conversation in this tab's session storage, so that a full page load keeps it. */

const MAX_EXCHANGES = 20;
const MAX_CHARACTERS = 100_000;

/** Saves the newest exchanges that fit. Storage may be off or full: then nothing is kept. */
export function save(key: string, exchanges: Exchange[]): void {
  const kept = exchanges.slice(-MAX_EXCHANGES).map((exchange) => JSON.stringify(exchange));
  while (kept.join().length > MAX_CHARACTERS) kept.shift();
  attempt(() => {
    sessionStorage.setItem(key, `[${kept.join()}]`);
  });
}

/** The exchanges that were saved; one whose answer was still coming in is restored as stopped. */
export function restore(key: string): Exchange[] {
  let exchanges: Exchange[] = [];
  attempt(() => {
    const saved = JSON.parse(sessionStorage.getItem(key) ?? "[]") as unknown[];
    exchanges = saved.map(readExchange);
  });
  return exchanges;
}

function readExchange(value: unknown): Exchange {
  const saved = fieldsOf(value);
  const { state, helpful } = saved as Record<string, unknown>;
  return {
    ...readAnswer(saved),
    updating: false, // true only while the answer was given
    question: textOf(saved["question"]),
    state: state === "done" || state === "error" ? state : "stopped",
    failure: textOf(saved["failure"]),
    helpful: typeof helpful === "boolean" ? helpful : null,
  };
}
