import assert from "node:assert/strict";
import { test } from "node:test";
import { confidenceOf, verdictOf } from "../src/static/confidence";

const FEATURES = { share: 0.5, found: 2, margin: 0.4, cosine: 0.7 };

test("each feature speaks for the first card", () => {
  const usual = confidenceOf(FEATURES);
  for (const name of ["share", "found", "margin", "cosine"] as const)
    assert.ok(confidenceOf({ ...FEATURES, [name]: FEATURES[name] + 0.1 }) > usual, name);
});

test("a margin as a small site has it, and the words of a long question, say no more than usual ones", () => {
  assert.equal(confidenceOf({ ...FEATURES, margin: 3 }), confidenceOf({ ...FEATURES, margin: 0.8 }));
  assert.equal(confidenceOf({ ...FEATURES, found: 9 }), confidenceOf({ ...FEATURES, found: 3 }));
});

test("without vectors the other features decide", () => {
  const confidences = [0.1, 0, 0.9].map((cosine) => confidenceOf({ ...FEATURES, cosine }));
  assert.deepEqual([...confidences].sort(), confidences);
  assert.equal(verdictOf(confidenceOf({ share: 1, found: 3, margin: 0.8, cosine: 0 })), "answer");
  assert.equal(verdictOf(confidenceOf({ share: 0.3, found: 1, margin: 0.1, cosine: 0 })), "not-found");
});

test("nothing is shown that has hardly a word of the question", () => {
  assert.equal(confidenceOf({ share: 0.1, found: 3, margin: 0.8, cosine: 0.9 }), 0);
  assert.equal(verdictOf(0), "not-found");
});
