import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ExchangeView } from "../src/answers/exchange";
import { markHere } from "../src/answers/sources";
import type { Exchange } from "../src/conversation/conversation";
import { readAnswer, type ExcerptBlock } from "../src/shared/answer";
import { WORDS } from "../src/shared/words";
import "./dom";

const PLACES = { base: "https://docs.example/site/", server: "https://docs.example/_trueref" };
const SOURCES = [1, 2, 3].map((n) => ({
  n,
  title: "Setup",
  section: `Section ${n}`,
  breadcrumb: ["Setup"],
  page: `page${n}/`,
  href: `page${n}/#s`,
}));
const block = (text: string, more: object = {}): ExcerptBlock => ({
  kind: "prose",
  text,
  caption: "",
  code_language: "",
  highlight: null,
  ...more,
});
const ANSWER = {
  text: "One.",
  sources: SOURCES,
  more: [{ ...SOURCES[0], n: 4, section: "Further", href: "page4/" }],
  excerpts: [1, 2, 3].map((n) => ({ n, caption: `Line \`${n}\``, blocks: [block(`Text ${n}.`)] })),
  citations: [1],
  verdict: "answer",
};

/** An exchange on screen, and how often it was to be kept. */
function show(answer: object, state: Exchange["state"] = "done") {
  const kept = mock.fn();
  const exchange: Exchange = {
    ...readAnswer({ ...ANSWER, ...answer }),
    question: "How?",
    state,
    failure: "",
    helpful: null,
  };
  const context = { options: PLACES, words: WORDS, generation: "", retry: () => undefined, keep: kept };
  const view = new ExchangeView(exchange, context);
  view.draw();
  const all = (selector: string): HTMLElement[] => [...view.element.querySelectorAll<HTMLElement>(selector)];
  const texts = (selector: string): string[] => all(selector).map(({ textContent }) => textContent);
  return { view, exchange, kept, all, texts };
}

for (const payload of ["<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "javascript:alert(1)"]) {
  test(`stays text in every place: ${payload}`, () => {
    const blocks = ["prose", "list", "table", "code", "admonition", "definition"].map((kind) =>
      block(kind === "list" ? `- ${payload}` : kind === "table" ? `| ${payload} |` : payload, {
        kind,
        caption: payload,
        code_language: payload,
      }),
    );
    const source = { ...SOURCES[0], title: payload, section: payload, breadcrumb: [payload], href: payload };
    const { view, all } = show({
      excerpts: [1, 2].map((n) => ({ n, caption: payload, blocks })),
      sources: [source, { ...source, n: 2 }],
      more: [{ ...source, n: 3 }],
      note: payload,
      read_as: payload,
      verdict: "closest",
    });
    assert.equal(all("img, script, iframe, object, style").length, 0);
    assert.deepEqual(
      all("[href]").filter((link) => !(link as HTMLAnchorElement).href.startsWith(PLACES.base)),
      [],
    );
    for (const element of view.element.querySelectorAll("*"))
      for (const { name } of element.attributes) assert.ok(!name.startsWith("on"), name);
  });
}

test("the cited card is open under its title as a link; the others are folded to one line", () => {
  const { all, texts } = show({});
  assert.deepEqual(texts(".excerpt:not([hidden]) p"), ["Text 1."]);
  assert.deepEqual(texts("a.card-title"), ["Section 1"]);
  assert.deepEqual(texts("span.card-title"), ["Section 2", "Section 3"]);
  assert.deepEqual(texts(".telling:not([hidden])"), ["Line 2", "Line 3"]);
  assert.deepEqual(texts(".more .heading"), ["Further"]);
  assert.equal((all("a.card-title")[0] as HTMLAnchorElement).href, `${PLACES.base}page1/#s`);
  assert.equal(all(".sources").length, 0);
});

for (const [name, answer, open] of [
  ["two parts", { citations: [1, 2] }, ["Section 1", "Section 2"]],
  ["no citations", { citations: [] }, ["Section 1"]],
  ["citations of nothing", { citations: [7] }, ["Section 1"]],
] as const) {
  test(`open cards: ${name}`, () => {
    assert.deepEqual(show(answer).texts("a.card-title"), open);
  });
}

test("a folded card opens in place, with the same button, and stays so when it is drawn again", () => {
  const { view, exchange, kept, all, texts } = show({});
  const [button] = all(".fold");
  assert.ok(button);
  const body = view.element.querySelector(`#${button.getAttribute("aria-controls") ?? ""}`);
  assert.equal(button.ariaLabel, "Section 2");
  assert.deepEqual([button.ariaExpanded, body?.hasAttribute("hidden")], ["false", true]);
  button.click();
  assert.deepEqual([button.ariaExpanded, body?.hasAttribute("hidden")], ["true", false]);
  assert.deepEqual(texts("a.card-title"), ["Section 1", "Section 2"]);
  assert.equal(all(".fold")[0], button);
  assert.equal(kept.mock.callCount(), 1);
  assert.deepEqual(
    exchange.excerpts.map(({ opened }) => opened),
    [false, true, false],
  );
  view.draw();
  assert.equal(all(".fold")[0], button);
  assert.deepEqual(show(JSON.parse(JSON.stringify(exchange)) as object).texts("a.card-title"), [
    "Section 1",
    "Section 2",
  ]);
  button.click();
  assert.deepEqual(texts("a.card-title"), ["Section 1"]);
});

test("an answer that may not be one says so above its cards, and a reading before that", () => {
  const { view } = show({ verdict: "closest", note: "Of version 2.", read_as: "How to?" });
  const lines = [...view.element.querySelectorAll(".answer > p")].map((line) => line.textContent);
  assert.deepEqual(lines, ["Read as: How to?", "Of version 2.", WORDS.closest]);
  assert.equal(view.element.querySelector(".answer > p:nth-child(3) + section")?.className, "card");
});

test("an answer that was given while the docs were indexed says so, and no other does", () => {
  assert.deepEqual(show({ updating: true }).texts(".note"), [WORDS.updating]);
  assert.deepEqual(show({}).texts(".note"), []);
});

test("nothing found is said first, then the nearest sections", () => {
  const sections = { sources: [], excerpts: [], citations: [] };
  const { view, texts } = show({ ...sections, verdict: "not-found", text: "Not in these docs." });
  assert.deepEqual(texts(".answer p"), ["Not in these docs."]);
  assert.deepEqual(texts(".more h4, .more .heading"), [WORDS.nearest, "Further"]);
  assert.equal(view.element.querySelectorAll(".card, .sources").length, 0);
});

test("a text without cards stands above its sources", () => {
  const { view, texts } = show({ excerpts: [], text: "Yes [2].", more: [] });
  assert.deepEqual(texts(".answer p"), ["Yes 2."]);
  assert.deepEqual(texts(".sources b"), ["1", "2", "3"]);
  const [answer, sources] = [".answer", ".sources"].map((name) => view.element.querySelector(name));
  assert.ok(answer && sources && answer.compareDocumentPosition(sources) & 4);
});

test("no text flashes before the cards, and a slow one is shown as it comes", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const { view, exchange, texts } = show({ excerpts: [], more: [], text: "Half" }, "open");
    assert.deepEqual(texts(".answer p, .progress"), [WORDS.searching]);
    mock.timers.tick(399);
    exchange.text = "Half of";
    view.draw();
    assert.deepEqual(texts(".answer p, .progress"), [WORDS.searching]);
    mock.timers.tick(1);
    assert.deepEqual(texts(".answer p, .progress"), ["Half of"]);
    Object.assign(exchange, readAnswer(ANSWER), { state: "done" });
    view.draw();
    assert.deepEqual(texts(".answer .text, .sources, .progress"), []);
    assert.deepEqual(texts("a.card-title"), ["Section 1"]);
  } finally {
    mock.timers.reset();
  }
});

test("cards are read until the text of a model takes their place", () => {
  const { view, exchange, texts } = show({}, "open");
  assert.deepEqual(texts("a.card-title, .progress"), ["Section 1", WORDS.writing]);
  exchange.text = "Half of the text";
  view.draw();
  assert.deepEqual(texts(".answer .text, .progress"), [WORDS.writing]);
  Object.assign(exchange, readAnswer({ ...ANSWER, excerpts: [], mode: "model" }), { state: "done" });
  view.draw();
  assert.deepEqual(texts("a.card-title, .progress, .answer p, .note"), ["One.", WORDS.written]);
});

test("what has come of an answer is shown when it is stopped", () => {
  const { texts } = show({ excerpts: [], text: "Half" }, "stopped");
  assert.deepEqual(texts(".answer p, .stopped"), ["Half", WORDS.stopped]);
});

test("sections of one title are told apart, and a path does not repeat its title", () => {
  const twin = { ...SOURCES[0], title: "Docker", section: "Install", breadcrumb: ["Docker", "Install"] };
  const sources = [
    { ...twin, page: "a/" },
    { ...twin, n: 2, page: "b/" },
    { ...twin, n: 3, breadcrumb: ["Linux"], page: "c/" },
  ];
  assert.deepEqual(show({ sources }).texts(".card .path"), ["Docker (a/)", "Docker (b/)", "Linux"]);
  const onOnePage = ["example", "example_1", "other"].map((anchor, i) => ({
    ...twin,
    n: i + 1,
    page: "a/",
    anchor,
  }));
  assert.deepEqual(show({ sources: onOnePage }).texts(".card .path"), [
    "Docker (#example)",
    "Docker (#example_1)",
    "Docker (#other)",
  ]);
});

test("what the docs do not have is said before all else, with at most three sections", () => {
  const more = [4, 5, 6, 7].map((n) => ({ ...SOURCES[0], n, section: `Section ${n}` }));
  const given = { excerpts: [], more, citations: [], verdict: "not-found", text: "Not here." };
  const { view, texts } = show(given);
  assert.deepEqual(texts(".answer p"), ["Not here."]);
  assert.deepEqual(texts(".more h4, .sources h4"), [WORDS.nearest]);
  assert.equal(texts(".source").length, 3);
  assert.match(view.element.textContent, /^How\?Not here\.Closest/);
});

test("whether an answer helped is asked where the server keeps it, and nowhere else", () => {
  assert.deepEqual(show({ answer_id: "a" }).texts(".feedback"), []);
  assert.deepEqual(show({ feedback: true }).texts(".feedback"), []);
  assert.deepEqual(show({ feedback: true, answer_id: "a" }, "stopped").texts(".feedback"), []);
  const { all, texts } = show({ feedback: true, answer_id: "a" });
  assert.deepEqual(texts(".feedback > button"), [WORDS.yes, WORDS.no]);
  assert.equal(all(".why")[0]?.hidden, true);
});

test("what stands on the reader's page is marked", () => {
  const { view, texts } = show({});
  markHere(view.element, "page2/");
  assert.deepEqual(texts(".badge:not([hidden])"), [WORDS.thisPage]);
  markHere(view.element, null);
  assert.deepEqual(texts(".badge:not([hidden])"), []);
});

test("code with lines left out leads to the whole of it, other code does not", () => {
  const withCode = (text: string): string[] => {
    const blocks = [block(text, { kind: "code" })];
    return show({ excerpts: [{ n: 1, caption: "", blocks }] }).texts("a.whole");
  };
  assert.deepEqual(withCode("a\n\t…\nb"), [WORDS.whole]);
  assert.deepEqual(withCode("a … b\n….\n"), []);
});
