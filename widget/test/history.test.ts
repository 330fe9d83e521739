import assert from "node:assert/strict";
import { test } from "node:test";
import "./dom";
import { DONE, sse, talk } from "./talking";

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

test("a pair of units that is one character is not cut in the history", async () => {
  const { talk: conversation, bodies } = talk(
    sse(["done", { ...DONE, text: `x${"😀".repeat(3000)}` }]),
    sse(["done", DONE]),
  );
  await conversation.ask("first", null);
  await conversation.ask("second", null);
  const { history } = JSON.parse(bodies[1] ?? "") as Sent;
  assert.match(history[0]?.answer ?? "", /^x(?:😀)+$/u);
});
