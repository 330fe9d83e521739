import "./dom";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "../src/ask";
import { Conversation, type Exchange } from "../src/conversation";
import { restore, save } from "../src/storage";
import { WORDS } from "../src/words";

const BASE = "https://docs.example/site/";
const SOURCE = {
  n: 1,
  title: "T",
  section: "S",
  breadcrumb: ["T", "S"],
  ...{ page: "a/", anchor: "x" },
  ...{ href: "a/#s", quote: "", text_fragment: "", kind_name: "" },
};
const BLOCK = { kind: "prose", text: "Hi there.", caption: "", code_language: "", highlight: [0, 2] };
const DONE = { text: "Hi [1]", sources: [SOURCE], verdict: "answer", generation: "g" };
const CARDS = {
  ...DONE,
  excerpts: [{ n: 1, caption: "Hi", blocks: [BLOCK] }],
  more: [{ ...SOURCE, n: 2 }],
  citations: [1],
  note: "Of version 2.",
  read_as: "Hello",
};

const sse = (...events: [string, unknown][]): Response =>
  new Response(events.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join(""));

const refusal = (status: number, error: object): Response => Response.json({ error }, { status });

/** A conversation with a server that gives these responses, one for each question. */
function talk(...responses: (Response | Error)[]): { talk: Conversation; bodies: string[]; seen: string[] } {
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

interface Sent {
  history: { question: string; answer: string }[];
  page?: string;
}

test("history is the last five finished turns", async () => {
  const { talk: conversation, bodies } = talk(
    ...Array.from({ length: 8 }, () => sse(["done", DONE])),
    new Error("x"),
    sse(["done", DONE]),
  );
  for (let i = 0; i < 10; i++) await conversation.ask(`q${i}`, null);
  const { history, page } = JSON.parse(bodies[9] ?? "") as Sent;
  assert.deepEqual(
    history.map(({ question }) => question),
    ["q3", "q4", "q5", "q6", "q7"],
  );
  assert.equal(page, undefined);
});

for (const [name, letter, turns] of [
  ["of a byte each", "a", 5],
  ["of three bytes each", "配", 4],
  ["that JSON writes with six", "\u0001", 2],
] as const)
  test(`the longest history stays below the server's limits: letters ${name}`, async () => {
    const answers = Array.from({ length: 7 }, () => sse(["done", { ...DONE, text: letter.repeat(9000) }]));
    const { talk: conversation, bodies } = talk(...answers);
    for (let i = 0; i < 7; i++) await conversation.ask(letter.repeat(2000), null);
    const { history } = JSON.parse(bodies[6] ?? "") as Sent;
    assert.equal(history.length, turns);
    assert.ok(history.map(({ question, answer }) => question + answer).join("").length <= 20_000);
    assert.ok(new TextEncoder().encode(bodies[6]).length <= 65_536);
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
