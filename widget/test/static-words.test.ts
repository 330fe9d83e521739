import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { wordsOf } from "../src/static/lexical";

test("a question is divided into words as the build divides the docs", () => {
  // The tests run in the folder of the widget. `tests/server/corpus/test_words_of_widget.py` compares the file with the build.
  const golden = join(process.cwd(), "..", "tests", "golden", "words.json");
  const texts = Object.entries(JSON.parse(readFileSync(golden, "utf8")) as Record<string, string[]>);
  assert.ok(texts.length > 20);
  for (const [text, words] of texts) assert.deepEqual(wordsOf(text), words, text);
});
