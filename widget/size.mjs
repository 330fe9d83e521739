// Prints what a reader downloads, and fails when it grows past the promise.
import { readdir } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { builtBytes, OUTPUT } from "./build.mjs";

const KB = 1024;
// What has come by then, all in all: with the page, with the panel, with the first question.
const STEPS = [
  ["trueref.js", "before opening", 2 * KB],
  ["trueref-panel.js", "on opening", 14 * KB],
  ["trueref-answers.js", "with an answer", 22 * KB],
];

// Fetched with the first question if there is no server, or if it is down: counted alone.
// Fetched with the first source in a PDF that is opened: pdf.js, and the part of it that reads files.
const ALONE = [
  ["trueref-landing.js", "following a source", 2 * KB],
  ["trueref-static.js", "searching without a server", 4 * KB],
  ["trueref-pdf.js", "opening a PDF", 165 * KB],
  ["trueref-pdf-worker.js", "reading a PDF", 400 * KB],
];

// One of them, for a page in its language.
for (const name of (await readdir(OUTPUT)).filter((file) => /^trueref-..\.js$/.test(file))) {
  ALONE.push([name, "for a page in this language", 2 * KB]);
}

let total = 0;
for (const [name, when, limit] of STEPS) {
  const size = gzipSync(await builtBytes(name), { level: 9 }).length;
  total += size;
  console.log(`${name.padEnd(20)} ${size} bytes gzip, ${total} ${when} (limit ${limit})`);
  if (total > limit) fail(when);
}
for (const [name, when, limit] of ALONE) {
  const size = gzipSync(await builtBytes(name), { level: 9 }).length;
  console.log(`${name.padEnd(20)} ${size} bytes gzip ${when} (limit ${limit})`);
  if (size > limit) fail(when);
}

function fail(when) {
  console.error(`The widget is over its size limit ${when}.`);
  process.exitCode = 1;
}
