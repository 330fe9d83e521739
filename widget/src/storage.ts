import { fieldsOf, readAnswer, textOf } from "./answer";
import type { Exchange } from "./conversation";
import { openKey } from "./options";

/** The conversation in this tab's session storage, so that a full page load keeps it. */

const LIMIT_EXCHANGES = 20;
const LIMIT_CHARACTERS = 100_000;

/** Saves the newest exchanges that fit. Storage may be off or full: then nothing is kept. */
export function save(base: string, exchanges: Exchange[]): void {
  const kept = exchanges.slice(-LIMIT_EXCHANGES).map((exchange) => JSON.stringify(exchange));
  while (kept.join().length > LIMIT_CHARACTERS) kept.shift();
  attempt(() => {
    sessionStorage.setItem(`trueref:${base}`, `[${kept.join()}]`);
  });
}

/** The exchanges saved before; one that was in flight comes back as stopped. */
export function restore(base: string): Exchange[] {
  let exchanges: Exchange[] = [];
  attempt(() => {
    const saved = JSON.parse(sessionStorage.getItem(`trueref:${base}`) ?? "[]") as unknown[];
    exchanges = saved.map(readExchange);
  });
  return exchanges;
}

/** Remembers whether the panel is open; read at boot by the small half of the widget. */
export function saveOpen(base: string, open: boolean): void {
  attempt(() => {
    sessionStorage.setItem(openKey(base), open ? "1" : "");
  });
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Private windows and full quotas: the conversation then lives as long as the page.
  }
}

function readExchange(value: unknown): Exchange {
  const saved = fieldsOf(value);
  const { state } = saved as { state?: unknown };
  return {
    ...readAnswer(saved),
    question: textOf(saved["question"]),
    state: state === "done" || state === "error" ? state : "stopped",
    failure: textOf(saved["failure"]),
  };
}
