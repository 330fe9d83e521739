import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "../src/conversation/ask";
import { readAnswer } from "../src/shared/answer";
import { WORDS } from "../src/shared/words";
import "./dom";

const sse = (event: string, data: unknown): Response =>
  new Response(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

const refused = (): Response => sse("error", { error: { code: "no-session" } });

/** Asks a server that gives these responses; the addresses and bodies that it got. */
async function asking(times: number, ...responses: (Response | Error)[]): Promise<[string, string][]> {
  const sent: [string, string][] = [];
  globalThis.fetch = (url, init) => {
    sent.push([url as string, (init?.body ?? "") as string]);
    const response = responses.shift() ?? new Response();
    return response instanceof Error ? Promise.reject(response) : Promise.resolve(response);
  };
  for (let n = 0; n < times; n++) {
    const { signal } = new AbortController();
    await ask("/ask-here", { question: "q", history: [] }, readAnswer({}), WORDS, signal, () => undefined);
  }
  return sent;
}

test("a session that does not help is fetched once", async () => {
  await assert.rejects(asking(1, refused(), new Response("{}"), refused()), { message: WORDS.failed });
});

test("a server that is gone when it should issue a session is out of reach", async () => {
  const gone = asking(1, refused(), new TypeError("Failed to fetch"));
  await assert.rejects(gone, { message: WORDS.offline, isDown: true });
});

test("a server with a model is asked again, with the session that it issues", async () => {
  const session = new Response(JSON.stringify({ session: "signed", seconds: 60 }));
  const sent = await asking(2, refused(), session, sse("done", { text: "a" }), sse("done", { text: "b" }));
  assert.deepEqual(
    sent.map(([url]) => url),
    ["/ask-here/ask", "/ask-here/session", "/ask-here/ask", "/ask-here/ask"],
  );
  const named = sent.map(([, body]) => (body ? (JSON.parse(body) as { session?: string }).session : ""));
  assert.deepEqual(named, [undefined, "", "signed", "signed"]);
});
