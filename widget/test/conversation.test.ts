import assert from "node:assert/strict";
import { test } from "node:test";
import type { Exchange } from "../src/conversation/conversation";
import { restore, save } from "../src/conversation/saved-exchanges";
import { WORDS } from "../src/shared/words";
import "./dom";
import { DONE, SOURCE, sse, talk } from "./talking";

const BASE = "https://docs.example/site/";
const BLOCK = { kind: "prose", text: "Hi there.", caption: "", code_language: "", highlight: [0, 2] };
const CARDS = {
  ...DONE,
  excerpts: [{ n: 1, caption: "Hi", blocks: [BLOCK] }],
  more: [{ ...SOURCE, n: 2 }],
  citations: [1],
  note: "Of version 2.",
  read_as: "Hello",
};

const refusal = (status: number, error: object): Response => Response.json({ error }, { status });

async function askOne(response: Response | Error): Promise<Exchange> {
  const { talk: conversation } = talk(response);
  await conversation.ask("q", "a/");
  const [exchange] = conversation.exchanges;
  assert.ok(exchange);
  return exchange;
}

test("an answer comes in step by step", async () => {
  const {
    talk: conversation,
    bodies,
    seen,
  } = talk(
    sse(
      ["sources", { sources: [SOURCE] }],
      ["delta", { text: "Hi " }],
      ["ping", {}],
      ["delta", { text: "[1]" }],
      ["done", DONE],
    ),
  );
  await conversation.ask("q", "a/");
  assert.deepEqual(JSON.parse(bodies[0] ?? ""), {
    question: "q",
    history: [],
    page: "a/",
    stream: true,
    numbered: [],
  });
  assert.deepEqual(seen, [
    "open ",
    "open ",
    "open Hi ",
    "open Hi ",
    "open Hi [1]",
    "open Hi [1]",
    "done Hi [1]",
  ]);
  assert.deepEqual(conversation.exchanges[0]?.sources, [SOURCE]);
});

test("a replaced draft takes its marks with it, a kept one keeps them", async () => {
  const draft: [string, unknown][] = [
    ["delta", { text: "Hi [1]" }],
    ["mark", { start: 0, end: 2, reason: "r" }],
  ];
  assert.equal((await askOne(sse(...draft, ["done", DONE]))).marks.length, 1);
  const replaced = await askOne(sse(...draft, ["done", { ...DONE, text: "Other" }]));
  assert.equal(replaced.text, "Other");
  assert.equal(replaced.marks.length, 0);
});

for (const [name, response, line] of [
  ["no network", new TypeError("Failed to fetch"), WORDS.offline],
  ["no done", sse(["delta", { text: "half" }]), WORDS.broken],
  ["an empty body", new Response(null), WORDS.broken],
  ["not JSON", new Response("<h1>Bad gateway</h1>", { status: 502 }), WORDS.failed],
  // What the server says of itself is for programs, in English, and may name a folder.
  ["an error event", sse(["error", { error: { code: "internal", message: "/srv" } }]), WORDS.failed],
  ["no index", refusal(503, { code: "index-unavailable", message: "No index at /srv." }), WORDS.noIndex],
  ["a long question", refusal(422, { code: "invalid", message: "`question` has 9." }), WORDS.tooLong],
  ["a long body", refusal(413, { code: "body-too-long" }), WORDS.tooLong],
  ["too many requests", refusal(429, { code: "x", retry_after: 7 }), WORDS.busy.replace("{n}", "7")],
  ["waiting that helps nothing", sse(["error", { error: { retry_after: null } }]), WORDS.failed],
] as const) {
  test(`failure: ${name}`, async () => {
    const { state, failure } = await askOne(response);
    assert.deepEqual([state, failure], ["error", line]);
  });
}

for (const sources of [null, "x", [null], [{ n: "1" }], [{ n: 1, breadcrumb: [3] }], {}]) {
  test(`malformed sources do no harm: ${JSON.stringify(sources)}`, async () => {
    const exchange = await askOne(sse(["sources", { sources }], ["done", { text: 5, sources }]));
    assert.equal(exchange.state, "done");
    assert.ok(exchange.sources.every(({ breadcrumb }) => !breadcrumb.length));
  });
}

test("cards come with the end of a stream", async () => {
  const { excerpts, more, citations, note, read_as } = await askOne(sse(["done", CARDS]));
  const { note: sentNote, read_as: sentReadAs } = CARDS;
  assert.deepEqual(excerpts, [{ ...CARDS.excerpts[0], opened: false }]);
  assert.deepEqual([more, citations, note, read_as], [CARDS.more, [1], sentNote, sentReadAs]);
});

for (const [name, sent, left] of [
  ["no list", 5, 0],
  ["no objects", [null, "x", 3], 0],
  [
    "nothing to show",
    [
      { n: 1, blocks: [] },
      { n: 1, blocks: [{ kind: "prose", text: " " }] },
    ],
    0,
  ],
  ["a number without a source", [{ n: 9, blocks: [BLOCK] }], 0],
  ["a kind that is not known", [{ n: 1, blocks: [{ ...BLOCK, kind: "video" }] }], 1],
] as const) {
  test(`malformed excerpts do no harm: ${name}`, async () => {
    const { excerpts } = await askOne(sse(["done", { ...DONE, excerpts: sent }]));
    assert.equal(excerpts.length, left);
    assert.ok(excerpts.every(({ blocks }) => blocks.every(({ kind }) => kind === "prose")));
  });
}

for (const highlight of [null, 5, [], [1], [2, 1], [1, 1], ["0", "2"], [-1, 2], [0.5, 2]]) {
  test(`a highlight that is no range is none: ${JSON.stringify(highlight)}`, async () => {
    const sent = { ...DONE, excerpts: [{ n: 1, blocks: [{ ...BLOCK, highlight }] }] };
    assert.equal((await askOne(sse(["done", sent]))).excerpts[0]?.blocks[0]?.highlight, null);
  });
}

test("a flood is cut off", async () => {
  const block = { ...BLOCK, text: "x".repeat(100_000) };
  const excerpts = Array.from({ length: 1000 }, () => ({ n: 1, blocks: [block] }));
  const exchange = await askOne(sse(["done", { ...DONE, excerpts }]));
  assert.equal(exchange.excerpts.length, 200);
  assert.equal(exchange.excerpts[0]?.blocks[0]?.text.length, 20_000);
});

test("stopping keeps what has come; clearing says nothing more", async () => {
  const { talk: conversation, seen } = talk();
  const hang = (init?: RequestInit): Promise<Response> =>
    new Promise((_resolve, reject) =>
      init?.signal?.addEventListener("abort", () => {
        reject(new DOMException("", "AbortError"));
      }),
    );
  globalThis.fetch = (_url, init) => hang(init);
  const first = conversation.ask("q", null);
  conversation.stop();
  await first;
  assert.equal(conversation.exchanges[0]?.state, "stopped");
  const second = conversation.ask("q", null);
  const before = seen.length;
  conversation.clear();
  await second;
  assert.equal(seen.length, before);
});

test("a conversation survives a page load, bounded, and an unfinished answer comes back as stopped", async () => {
  const done = await askOne(sse(["done", CARDS]));
  Object.assign(done.excerpts[0] ?? {}, { opened: true });
  save(BASE, [done, { ...done, state: "open" }]);
  assert.deepEqual(restore(BASE), [done, { ...done, state: "stopped" }]);
  save(
    BASE,
    Array.from({ length: 50 }, () => ({ ...done, text: "x".repeat(30_000) })),
  );
  assert.equal(restore(BASE).length, 3);
});

for (const saved of ["", "{", "null", "5", "{}", "[null]", '[{"sources":5,"marks":[{}]}]']) {
  test(`storage with ${saved || "nothing"} in it does no harm`, () => {
    sessionStorage.setItem(BASE, saved);
    assert.ok(restore(BASE).every(({ sources, marks }) => !sources.length && !marks.length));
  });
}

test("a conversation that an earlier widget stored keeps its text", () => {
  const stored = { question: "q", state: "done", ...DONE, marks: [], failure: "" };
  sessionStorage.setItem(BASE, JSON.stringify([stored]));
  const [{ question, text, sources, excerpts, more }] = restore(BASE) as [Exchange];
  assert.deepEqual([question, text, sources, excerpts, more], ["q", "Hi [1]", [SOURCE], [], []]);
});
