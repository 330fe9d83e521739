import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { EventParser, readEvents, type ServerEvent } from "../src/conversation/stream";
import { isLinear } from "./growth";
import "./seed";

function parse(chunks: Iterable<string>): ServerEvent[] {
  const events: ServerEvent[] = [];
  const parser = new EventParser((event) => events.push(event));
  for (const chunk of chunks) parser.push(chunk);
  parser.end();
  return events;
}

/** Cuts a text at the given offsets, taken modulo its length. */
function cut<T extends { length: number; slice(start: number, end?: number): T }>(
  text: T,
  offsets: number[],
): T[] {
  const at = [0, ...offsets.map((offset) => offset % (text.length + 1)).sort((a, b) => a - b), text.length];
  return at.slice(1).map((end, i) => text.slice(at[i] ?? 0, end));
}

const line = fc.oneof(
  fc.constantFrom("", "", ": comment", "data", "data:", "id: 1", "event: delta", "retry: 5", "event: done"),
  fc.string({ unit: "grapheme" }).map((text) => `data: ${text.replace(/[\r\n]/g, "")}`),
);
const stream = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")))
  .map((lines) => lines.map((pair) => pair.join("")).join(""));

for (const [name, text, expected] of [
  ["one event", "event: delta\ndata: a\n\n", [{ event: "delta", data: "a" }]],
  ["CRLF", "event: delta\r\ndata: a\r\n\r\n", [{ event: "delta", data: "a" }]],
  [
    "bare CR",
    "data: a\r\rdata: b\r\r",
    [
      { event: "message", data: "a" },
      { event: "message", data: "b" },
    ],
  ],
  ["several data lines", "data: a\ndata: b\n\n", [{ event: "message", data: "a\nb" }]],
  ["one space is dropped, not two", "data:  a\n\n", [{ event: "message", data: " a" }]],
  ["comments and unknown fields", ": ping\nid: 7\ndata: a\n\n", [{ event: "message", data: "a" }]],
  ["an event without data is none", "event: delta\n\n", []],
  [
    "the name does not stick",
    "event: x\ndata: a\n\ndata: b\n\n",
    [
      { event: "x", data: "a" },
      { event: "message", data: "b" },
    ],
  ],
  ["no final blank line", "event: done\ndata: a\n", [{ event: "done", data: "a" }]],
  ["no final newline", "event: done\ndata: a", [{ event: "done", data: "a" }]],
] as [string, string, ServerEvent[]][]) {
  test(name, () => {
    assert.deepEqual(parse([text]), expected);
  });
}

test("any chunking gives the same events", () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat()), (text, offsets) => {
      assert.deepEqual(parse(cut(text, offsets)), parse([text]));
    }),
    { numRuns: 1000 },
  );
});

test("bytes cut inside a character and inside CRLF", async () => {
  await fc.assert(
    fc.asyncProperty(stream, fc.array(fc.nat(), { maxLength: 20 }), async (text, offsets) => {
      const bytes = new TextEncoder().encode(text);
      const chunks = cut(bytes, offsets);
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const chunk of chunks) if (chunk.length) controller.enqueue(chunk);
          controller.close();
        },
      });
      const events: ServerEvent[] = [];
      await readEvents(body, (event) => (events.push(event), false));
      assert.deepEqual(events, parse([text.replace(/^\uFEFF/, "")]));
    }),
  );
});

test("reading stops at the last event and gives the body back", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode("data: a\n\n"));
    },
    cancel: () => {
      cancelled = true;
    },
  });
  assert.equal(await readEvents(body, () => true), true);
  assert.ok(cancelled);
});

for (const [name, around] of [
  ["one long line", ["data: ", "x", "\n\n"]],
  ["only newlines", ["", "\n", ""]],
  ["only returns", ["", "\r", ""]],
  ["only colons", ["", ":", ""]],
  ["empty data lines", ["", "data\n", ""]],
] as const) {
  const [before, part, after] = around;
  test(`200 KB in single characters is linear: ${name}`, () => {
    isLinear((length) => void parse(before + part.repeat(length / part.length) + after), 200_000);
  });
}
