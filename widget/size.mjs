// Prints what a reader downloads, and fails when it grows past the promise.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { OUTPUT } from "./build.mjs";

const EAGER_LIMIT = 2048;
const TOTAL_LIMIT = 14 * 1024;

const size = async (name) => gzipSync(await readFile(join(OUTPUT, name)), { level: 9 }).length;
const eager = await size("trueref.js");
const panel = await size("trueref-panel.js");
const total = eager + panel;

console.log(`trueref.js        ${eager} bytes gzip (limit ${EAGER_LIMIT})`);
console.log(`trueref-panel.js  ${panel} bytes gzip`);
console.log(`both              ${total} bytes gzip (limit ${TOTAL_LIMIT})`);
if (eager > EAGER_LIMIT || total > TOTAL_LIMIT) {
  console.error("The widget is over its size limit.");
  process.exitCode = 1;
}
