import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readOptions } from "../src/options";

test("every option has a default", () => {
  assert.deepEqual(readOptions(undefined), {
    id: "default",
    index: ".trueref",
    serverUrl: null,
    exclude: [],
    kinds: {},
    embedder: "bundled",
    reuse: null,
    pdf: [],
    strict: false,
    name: null,
    version: null,
    contentSelector: null,
    exports: ["manifest", "urls", "inventory"],
    widget: { label: "", shortcut: "i", position: "right", accent: "", words: {} },
    indexer: null,
  });
});

for (const [given, name, expected] of [
  [{ serverUrl: "/_trueref" }, "serverUrl", "/_trueref"],
  [{ serverUrl: "http://[::1]:8000/_trueref" }, "serverUrl", "http://[::1]:8000/_trueref"],
  [{ kinds: { "handbook/*": "reference" } }, "kinds", { "handbook/*": "reference" }],
  [{ exports: [] }, "exports", []],
  [{ indexer: "  uv  run trueref " }, "indexer", ["uv", "run", "trueref"]],
  [{ indexer: ["/a b/python", "-m", "trueref"] }, "indexer", ["/a b/python", "-m", "trueref"]],
  [{ indexer: false }, "indexer", false],
  [{ reuse: undefined }, "reuse", undefined],
  [
    { widget: { shortcut: "", position: "left" } },
    "widget",
    { label: "", shortcut: "", position: "left", accent: "", words: {} },
  ],
] as const) {
  test(`accepts ${JSON.stringify(given)}`, () => {
    assert.deepEqual(readOptions(given)[name] ?? undefined, expected);
  });
}

for (const [given, message] of [
  [{ index: "" }, 'The option index is "". Give a folder outside the build folder, such as .trueref.'],
  [{ serverUrl: "ask.example.org" }, 'The option serverUrl is "ask.example.org". Give an address like'],
  [{ serverUrl: "//ask.example.org/x" }, "The option serverUrl is"],
  [{ serverUrl: "https://ask.example.org/?a=b" }, "The option serverUrl is"],
  [{ serverUrl: "https:ask.example.org" }, "The option serverUrl is"],
  [{ serverUrl: "ftp://ask.example.org" }, "The option serverUrl is"],
  [{ serverUrl: true }, "The option serverUrl is true."],
  [{ exclude: "blog/*" }, 'The option exclude is "blog/*". Give a list of patterns'],
  [{ exclude: [5] }, "The option exclude is [5]."],
  [{ kinds: { "a/*": "novel" } }, 'The option kinds is {"a/*":"novel"}. Give a kind to each pattern'],
  [{ embedder: "best" }, 'The option embedder is "best". Give bundled, lexical, or'],
  [{ strict: "yes" }, 'The option strict is "yes". Give true or false.'],
  [{ exports: ["pdf"] }, 'The option exports is ["pdf"]. Give a list of these: manifest, urls'],
  [{ widget: "big" }, 'The option widget is "big". Give an object'],
  [{ widget: { shortcut: "ctrl+k" } }, 'The option widget.shortcut is "ctrl+k". Give one letter'],
  [{ widget: { position: "top" } }, "The option widget.position is"],
  [{ widget: { words: { send: 1 } } }, "The option widget.words is"],
  [{ indexer: true }, "The option indexer is true. Give a command"],
  [{ indexer: [] }, "The option indexer is []."],
  [{ index: () => "x" }, "The option index is "],
  [{ name: "x".repeat(500), strict: 1, id: "y".repeat(500), index: 0 }, "The option strict is 1."],
  [{ server_url: "/x" }, "There is no option server_url. Did you mean serverUrl?"],
  [{ contentselector: "main" }, "There is no option contentselector. Did you mean contentSelector?"],
  [{ widget: { colour: "red" } }, "There is no option widget.colour. Use one of label, shortcut"],
  [{ pineapple: 1 }, "There is no option pineapple. Use one of index, serverUrl"],
  [{ constructor: 1 }, "There is no option constructor."],
  [[1], "its options are [1]. Give an object."],
] as [unknown, string][]) {
  test(`refuses ${message}`, () => {
    assert.throws(
      () => readOptions(given),
      (error: Error) =>
        error.message.startsWith("docusaurus-plugin-trueref: ") && error.message.includes(message),
    );
  });
}

test("everything that is wrong is told at once, a line each", () => {
  assert.throws(
    () => readOptions({ strict: 1, exports: 2, widget: { label: 3 } }),
    (error: Error) => error.message.split("\n").length === 3,
  );
});

test("options are read, or refused with lines of some length, whatever they are", () => {
  const names = fc.constantFrom(
    "index",
    "serverUrl",
    "exclude",
    "kinds",
    "widget",
    "indexer",
    "exports",
    "version",
  );
  fc.assert(
    fc.property(fc.dictionary(fc.oneof(names, fc.string()), fc.anything()), (given) => {
      try {
        assert.equal(typeof readOptions(given).index, "string");
      } catch (error) {
        assert.match((error as Error).message, /^docusaurus-plugin-trueref: (The|There)/);
      }
    }),
    { seed: 20261122 },
  );
});
