import assert from "node:assert/strict";
import { test } from "node:test";
import { pdfWords } from "../src/pdf/words";
import { WORDS, readWords } from "../src/shared/words";

test("words are overridden by name, and only with strings", () => {
  const words = readWords('{"send":"Senden","stop":5}');
  assert.deepEqual([words.send, words.stop], ["Senden", "Stop"]);
  for (const json of ["null", "[", "5", '{"stop":null}']) assert.deepEqual(readWords(json), WORDS);
});

test("the words of the viewer of PDFs are English where nothing else is given, and overridden as the others", () => {
  const { pdfFit, pdfNext, close } = pdfWords(readWords('{"pdfFit":"Ganze Breite"}'));
  assert.deepEqual([pdfFit, pdfNext, close], ["Ganze Breite", "Next page", "Close"]);
});
