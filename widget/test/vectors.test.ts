import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { cosine, sumOf, unpack, unpackWord } from "../src/static/vectors";

const packed = (...bytes: number[]): string => btoa(String.fromCharCode(...bytes)).replace(/=+$/, "");

test("a packed vector has two numbers in each byte", () => {
  assert.deepEqual(unpack(packed(0x1f, 0x88)), [-7, 7, 0, 0]);
  assert.deepEqual(unpack(""), []);
});

test("what a build packs is what is unpacked", () => {
  // The tests run in the folder of the widget. `tests/server/serving/test_packed_vectors.py` compares the file with the build.
  const golden = join(process.cwd(), "..", "tests", "golden", "packed_vectors.json");
  const vectors = JSON.parse(readFileSync(golden, "utf8")) as {
    numbers: number[];
    weight: number;
    packed: string;
  }[];
  assert.ok(vectors.length > 30);
  for (const { numbers, weight, packed } of vectors) {
    const largest = Math.max(...numbers.map(Math.abs)) || 1;
    const levels = numbers.map((number) => Math.round((number / largest) * 7));
    const plus = (list: number[]): number[] => list.map((number) => number + 0); // no -0
    assert.deepEqual(plus(unpackWord(packed)), plus(levels.map((level) => level * weight)));
    assert.deepEqual(plus(unpack(packed).slice(2)), plus(levels));
  }
});

test("the first byte of a word says how much it counts", () => {
  assert.deepEqual(unpackWord(packed(2, 0x9a)), [2, 4]);
  assert.deepEqual(unpackWord(""), []);
});

test("text that is no packed vector has no numbers", () => {
  assert.deepEqual(unpack("not base64 ÿ"), []);
  assert.deepEqual(unpackWord("%"), []);
});

test("words are added up, with those that have no vector", () => {
  assert.deepEqual(sumOf([[1, 2], [], [3, -2]]), [4, 0]);
  assert.deepEqual(sumOf([]), []);
});

test("a cosine compares directions, as far as both vectors go", () => {
  assert.equal(cosine([2, 0], [5, 0]), 1);
  assert.equal(cosine([1, 0], [0, 3]), 0);
  assert.equal(cosine([1, 1, 9], [-1, -1]).toFixed(6), "-1.000000");
  for (const none of [[], [0, 0]]) assert.equal(cosine(none, [1, 2]), 0);
});
