// Prints what a reader downloads, and fails when it grows past the promise.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { OUTPUT } from "./build.mjs";

const KB = 1024;
// What has come by then, all in all: with the page, with the panel, with the first question.
const STEPS = [
  ["trueref.js", "before opening", 2 * KB],
  ["trueref-panel.js", "on opening", 14 * KB],
  ["trueref-answers.js", "with an answer", 19 * KB],
];

let total = 0;
for (const [name, when, limit] of STEPS) {
  const size = gzipSync(await readFile(join(OUTPUT, name)), { level: 9 }).length;
  total += size;
  console.log(`${name.padEnd(20)} ${size} bytes gzip, ${total} ${when} (limit ${limit})`);
  if (total <= limit) continue;
  console.error(`The widget is over its size limit ${when}.`);
  process.exitCode = 1;
}
