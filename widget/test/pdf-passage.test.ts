import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findPassage } from "../src/pdf/passage";
import "./seed";

const textsOf = (pieces: string[], passage: string): string[] =>
  findPassage(pieces, passage).map(({ piece, start, end }) => pieces[piece]?.slice(start, end) ?? "");

for (const [why, pieces, passage, expected] of [
  ["it stands as it is", ["The bolt is tight. Yes."], "The bolt is tight.", ["The bolt is tight."]],
  [
    "it goes over lines",
    ["One. The bolt", "is tight. Two."],
    "The bolt is tight.",
    ["The bolt", "is tight."],
  ],
  [
    "a word is parted by a hyphen",
    ["It is cali-", "brated."],
    "It is calibrated.",
    ["It is cali-", "brated."],
  ],
  ["there are ligatures and accents", ["The oﬃce café"], "the office cafe", ["The oﬃce café"]],
  ["letters are larger than a unit", ["say 𝐛𝐨𝐥𝐭𝐞𝐝 now"], "bolted", ["𝐛𝐨𝐥𝐭𝐞𝐝"]],
  [
    "lists have other marks",
    ["• First thing", "• Second thing"],
    "1. First thing\n2. Second thing",
    ["First thing", "Second thing"],
  ],
  [
    "rows have bars",
    ["Torque", "in newtons", "9 units"],
    "| Torque | in newtons |",
    ["Torque", "in newtons"],
  ],
  [
    "a sentence ends on the next page",
    ["Turn it slowly. Then"],
    "Turn it slowly. Then you stop.",
    ["Turn it slowly."],
  ],
  ["a short word could be anywhere", ["a bolt"], "bolt", []],
  ["it stands elsewhere", ["Another page."], "The bolt is tight.", []],
] as const) {
  test(`a passage is found where ${why}`, () => {
    assert.deepEqual(textsOf([...pieces], passage), expected);
  });
}

test("what is found lies in its piece, and pieces come in their order", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "grapheme" })),
      fc.string({ unit: "grapheme" }),
      (pieces, passage) => {
        let last = -1;
        for (const { piece, start, end } of findPassage(pieces, passage)) {
          assert.ok(piece >= last && start < end && end <= (pieces[piece]?.length ?? 0));
          last = piece;
        }
      },
    ),
  );
});
