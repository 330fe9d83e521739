import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { ExchangeView } from "../src/answers/exchange";
import type { Exchange } from "../src/conversation/conversation";
import { readAnswer } from "../src/shared/answer";
import { WORDS } from "../src/shared/words";
import "./dom";

const SOURCE = { n: 1, title: "Page", section: "Section", href: "page/", page: "page/" };
const EXCERPT = {
  n: 1,
  caption: "",
  blocks: [{ kind: "prose", text: "Text.", caption: "", code_language: "" }],
};
const PLACES = { base: "https://docs.example/site/", server: "https://docs.example/_trueref" };

test("an answer that is finished keeps its buttons, also if text came in before it", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const asked = { question: "How?", failure: "", helpful: null };
    const exchange: Exchange = { ...readAnswer({ text: "Half" }), ...asked, state: "open" };
    const context = { words: WORDS, generation: "", retry: () => undefined, keep: () => undefined };
    const view = new ExchangeView(exchange, { ...context, options: PLACES });
    document.body.append(view.element);
    view.draw();
    const answer = { sources: [SOURCE], excerpts: [EXCERPT], citations: [1], verdict: "answer" };
    Object.assign(exchange, readAnswer({ ...answer, feedback: true, answer_id: "a" }), { state: "done" });
    view.draw();
    const yes = view.element.querySelector<HTMLElement>(".feedback button");
    yes?.focus();
    // A button that is put in again loses the focus, and a click that has begun.
    mock.timers.tick(400);
    assert.ok(yes);
    assert.equal(document.activeElement, yes);
  } finally {
    mock.timers.reset();
    document.body.replaceChildren();
  }
});
