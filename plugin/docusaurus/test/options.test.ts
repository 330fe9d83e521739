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
    widget: { label: "", shortcut: "i", position: "right", accent: "", pdf: "viewer", words: {} },
    indexer: null,
  });
});

for (const [given, name, expected] of [
  [{ serverUrl: "/_trueref" }, "serverUrl", "/_trueref"],
  [{ serverUrl: "http://[::1]:8000/_trueref" }, "serverUrl", "http://[::1]:8000/_trueref"],
  [{ kinds: { "handbook/*": "reference" } }, "kinds", { "handbook/*": "reference" }],
  [
    { kinds: { "handbook/*": { kind: "reference", weight: 0.1 }, "internals/*": { weight: -1 } } },
    "kinds",
    { "handbook/*": { kind: "reference", weight: 0.1 }, "internals/*": { weight: -1 } },
  ],
  [{ exports: [] }, "exports", []],
  [{ indexer: "  uv  run trueref " }, "indexer", ["uv", "run", "trueref"]],
  [{ indexer: ["/a b/python", "-m", "trueref"] }, "indexer", ["/a b/python", "-m", "trueref"]],
  [{ indexer: false }, "indexer", false],
  [{ reuse: undefined }, "reuse", undefined],
  [
    { widget: { shortcut: "", position: "left" } },
    "widget",
    { label: "", shortcut: "", position: "left", accent: "", pdf: "viewer", words: {} },
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
  [{ kinds: ["a/*"] }, 'The option kinds is ["a/*"]. Give a kind to each pattern'],
  [
    { kinds: { "a/*": "novel" } },
    'There is no kind "novel" for the pages "a/*". Use one of guide, reference',
  ],
  [{ kinds: { "b/*": "api", "a/*": { kind: "novel" } } }, 'There is no kind "novel" for the pages "a/*".'],
  [
    { kinds: { "a/*": { weight: 1.01 } } },
    'The weight 1.01 of the pages "a/*" is not a number from -1 to 1.',
  ],
  [{ kinds: { "a/*": { weight: "0.1" } } }, 'The weight "0.1" of the pages "a/*" is not a number'],
  [{ kinds: { "a/*": { weight: NaN } } }, 'The weight NaN of the pages "a/*" is not a number'],
  [{ kinds: { "a/*": { weight: null } } }, 'The weight null of the pages "a/*" is not a number'],
  [{ kinds: { "a/*": {} } }, 'Give the pages "a/*" a kind, or an object with kind, weight or both'],
  [{ kinds: { "a/*": { wieght: 0.1, kind: "api" } } }, 'Give the pages "a/*" a kind, or an object with'],
  [{ kinds: { "a/*": undefined } }, 'Give the pages "a/*" a kind, or an object with'],
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
