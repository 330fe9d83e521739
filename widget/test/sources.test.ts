import assert from "node:assert/strict";
import { test } from "node:test";
import { sourceLink, sourceList } from "../src/answers/sources";
import { Conversation } from "../src/conversation/conversation";
import { follow } from "../src/panel/links";
import { readSources, type Source } from "../src/shared/answer";
import { WORDS } from "../src/shared/words";
import "./dom";

const CONTEXT = { options: { base: "https://docs.example/site/", server: "" }, words: WORDS };

const sourceOf = (n: number, fields: Partial<Source> = {}): Source => ({
  ...(readSources([{ n, title: `T${n}`, page: `p${n}/`, href: `p${n}/#a` }])[0] as Source),
  ...fields,
});

test("sources of several kinds stand under their names", () => {
  const kinds = ["Guides", "Guides", "API"];
  const [list] = sourceList(
    "sources",
    "Sources",
    kinds.map((kind_name, at) => sourceOf(at + 1, { kind_name })),
    CONTEXT,
  );
  const shown = [...(list?.querySelectorAll(".kind, b") ?? [])].map(({ textContent }) => textContent);
  assert.deepEqual(shown, ["Guides", "1", "2", "API", "3"]);
  const [none] = sourceList("more", "More", [sourceOf(1, { kind_name: "API" })], CONTEXT);
  assert.equal(none?.querySelector(".kind"), null);
});

test("a file of an older version, which the browser kept, gives sources without a language", () => {
  const older = { ...sourceOf(1), language: undefined } as unknown as Source;
  const [list] = sourceList("more", "More", [older], CONTEXT);
  assert.equal(list?.querySelector<HTMLElement>("a")?.lang, "");
});

test("at most five sources are shown first", () => {
  const [list] = sourceList(
    "sources",
    "Sources",
    [1, 2, 3, 4, 5, 6, 7].map((n) => sourceOf(n)),
    CONTEXT,
  );
  assert.equal(list?.querySelectorAll(":scope > ul > li").length, 5);
  assert.equal(list.querySelectorAll("details li").length, 2);
  assert.equal(list.querySelector("summary")?.textContent, "Sources +2");
  const [short] = sourceList("sources", "Sources", [sourceOf(1)], CONTEXT);
  assert.equal(short?.querySelector("details"), null);
});

test("a link leads to the quote, where the server proved it", () => {
  const href = (fields: Partial<Source>): string =>
    (sourceLink("source", sourceOf(1, fields), CONTEXT) as HTMLAnchorElement).href;
  assert.equal(href({}), "https://docs.example/site/p1/#a");
  assert.equal(href({ text_fragment: "text=It%20is" }), "https://docs.example/site/p1/#a:~:text=It%20is");
  const page = { href: "p1/", text_fragment: "text=It%20is" };
  assert.equal(href(page), "https://docs.example/site/p1/#:~:text=It%20is");
  assert.equal(
    sourceLink("source", sourceOf(1, { ...page, href: "https://evil.example/" }), CONTEXT).tagName,
    "SPAN",
  );
});

test("a theme that takes the click sees no text fragment", () => {
  const seen: string[] = [];
  const take = (event: Event): void => {
    seen.push((event.target as HTMLAnchorElement).href);
    event.preventDefault();
  };
  document.body.addEventListener("click", take);
  follow(document.body, AbortSignal.abort(), "https://docs.example/site/p1/#a:~:text=It%20is");
  follow(document.body, AbortSignal.abort(), "https://docs.example/site/p1/#:~:text=It%20is");
  document.body.removeEventListener("click", take);
  assert.deepEqual(seen, ["https://docs.example/site/p1/#a", "https://docs.example/site/p1/"]);
});

test("the client says which addresses it has numbered", async () => {
  const sent: (string[] | undefined)[] = [];
  const answers = [[sourceOf(2), sourceOf(4)], [sourceOf(2, { href: "other/" }), sourceOf(1)], []];
  const conversation = new Conversation(
    (question, answer) => {
      sent.push(question.numbered);
      answer.sources = answers.shift() ?? [];
      return Promise.resolve();
    },
    () => undefined,
  );
  for (const question of ["a", "b", "c"]) await conversation.ask(question, null);
  assert.equal(JSON.stringify(sent), '[[],[null,"p2/#a",null,"p4/#a"],["p1/#a","p2/#a",null,"p4/#a"]]');
});
