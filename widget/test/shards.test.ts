import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { findSections } from "../src/static/lexical";
import { NotThere, Shards } from "../src/static/shards";

// A host of files, some of which are not what a build wrote.
const files = new Map<string, string>();
const asked: string[] = [];
const server = createServer((request: IncomingMessage, response) => {
  const name = (request.url ?? "").split("/").at(-1) ?? "";
  asked.push(name);
  const text = files.get(name);
  response.writeHead(text === undefined ? 404 : 200).end(text);
});
const { signal } = new AbortController();
let base = "";

before(async () => {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
after(() => server.close());

const DIRECTORY = {
  generation: "g",
  sections: 1,
  lengths: [[1], [1], [1]],
  terms: [["dark", "terms.json"]],
  shown: [[0, "sections.json"]],
  vectors: "vectors.json",
};
const SHARDS = {
  "terms.json": ["dark", "", [[0, 1], [], []], ""],
  "sections.json": { title: "Colors" },
  "vectors.json": "Hw",
};
const PAGE = "<!doctype html><title>Not found</title>";
const shard = (row: unknown, generation = "g"): string => JSON.stringify({ generation, rows: [row] });

function publish(changed: Record<string, string | undefined> = {}): void {
  files.clear();
  files.set("index.json", JSON.stringify(DIRECTORY));
  for (const [name, row] of Object.entries(SHARDS)) files.set(name, shard(row));
  for (const [name, text] of Object.entries(changed)) {
    if (text === undefined) files.delete(name);
    else files.set(name, text);
  }
}

const open = (): Promise<Shards> => Shards.open(base, signal);
const readers: Record<string, (shards: Shards) => Promise<unknown>> = {
  "terms.json": (shards) => shards.around("dark", signal),
  "sections.json": (shards) => shards.section(0, signal),
  "vectors.json": (shards) => shards.vectors(signal),
};

test("files of a build are read, each once", async () => {
  publish();
  const shards = await open();
  asked.length = 0;
  for (const read of [...Object.values(readers), ...Object.values(readers)]) await read(shards);
  assert.deepEqual(await shards.vectors(signal), [[-7, 7]]);
  assert.deepEqual(asked.sort(), ["sections.json", "terms.json", "vectors.json"]);
});

test("a directory that is missing or another file is not taken for an empty site", async () => {
  for (const text of [undefined, "", PAGE, JSON.stringify(DIRECTORY).slice(0, 40), "[]", "{}"]) {
    publish({ "index.json": text });
    await assert.rejects(open(), NotThere, text);
  }
});

test("a shard that is missing, cut off, of another build or a page is not taken for an empty one", async () => {
  for (const [name, read] of Object.entries(readers)) {
    const whole = shard(SHARDS[name as keyof typeof SHARDS]);
    for (const text of [undefined, "", PAGE, whole.slice(0, -5), whole.replace('"g"', '"other"'), "{}"]) {
      publish({ [name]: text });
      const shards = await open();
      await assert.rejects(read(shards), NotThere, `${name}: ${text}`);
      publish();
      await read(shards);
    }
  }
});

test("a site of more sections than a call may have arguments is searched", async () => {
  const sections = 200_000;
  const lengths = Array.from({ length: 3 }, () => Array<number>(sections).fill(1));
  publish({ "index.json": JSON.stringify({ ...DIRECTORY, sections, lengths, vectors: "" }) });
  const found = await findSections({ question: "dark" }, await open(), signal);
  assert.deepEqual(
    found.ranked.map(({ section }) => section),
    [0],
  );
});
