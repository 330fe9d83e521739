import { ask } from "../src/conversation/ask";
import { Conversation } from "../src/conversation/conversation";
import { WORDS } from "../src/shared/words";

/** What conversations of the tests are made of. */
export const SOURCE = {
  n: 1,
  title: "T",
  section: "S",
  breadcrumb: ["T", "S"],
  ...{ page: "a/", anchor: "x" },
  ...{ href: "a/#s", quote: "", text_fragment: "", kind_name: "", language: "" },
};
export const DONE = { text: "Hi [1]", sources: [SOURCE], verdict: "answer", generation: "g" };
export const sse = (...events: [string, unknown][]): Response =>
  new Response(events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(""));

/** A conversation with a server that gives these responses, one for each question. */
export function talk(...responses: (Response | Error)[]): {
  talk: Conversation;
  bodies: string[];
  seen: string[];
} {
  const bodies: string[] = [];
  const seen: string[] = [];
  globalThis.fetch = (_url, init) => {
    bodies.push(init?.body as string);
    const response = responses.shift() ?? new Error("unexpected question");
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  };
  const asker: ConstructorParameters<typeof Conversation>[0] = (question, answer, signal, changed) =>
    ask("https://ask.example", question, answer, WORDS, signal, changed);
  return { talk: new Conversation(asker, ({ state, text }) => seen.push(`${state} ${text}`)), bodies, seen };
}
