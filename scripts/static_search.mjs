// Measures the search without a server on a site that was built: bytes and time of first questions, and what is found.
//
//   node scripts/static_search.mjs SITE [CASES.jsonl] [ANSWERS.jsonl]
//
// SITE holds assets/trueref/search/ (trueref index SITE --exports search). Without CASES, sizes alone are told. ANSWERS
// is written for the score of nuggets.
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [site, cases, answers] = process.argv.slice(2);
const widget = join(import.meta.dirname, "..", "widget", "trueref_widget", "static", "trueref-static.js");
const { answerStatically } = await import(pathToFileURL(widget).href);

const sent = { plain: 0, gzip: 0, files: 0 };
const sizes = new Map();
const server = createServer((request, response) => {
  const path = join(site, new URL(request.url, "http://site").pathname.replace(/^\/\w+\//, "/"));
  if (!existsSync(path)) return response.writeHead(404).end();
  const data = readFileSync(path);
  if (!sizes.has(path)) sizes.set(path, gzipSync(data).length);
  sent.plain += data.length;
  sent.gzip += sizes.get(path);
  sent.files += 1;
  response.end(data);
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;

/** Asks as the first question of a reader: nothing is kept from an earlier one, since the root is another. */
async function first(question, n) {
  Object.assign(sent, { plain: 0, gzip: 0, files: 0 });
  const began = performance.now();
  const { signal } = new AbortController();
  const answer = await answerStatically(`${origin}/q${n}/`, { question }, "", "Not found.", signal);
  return { answer, ms: performance.now() - began, ...sent };
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const widgetBytes = gzipSync(readFileSync(widget), { level: 9 }).length;
console.log(`trueref-static.js: ${statSync(widget).size} bytes, ${widgetBytes} gzip`);
if (cases) {
  const rows = readFileSync(cases, "utf8").trim().split("\n").map((line) => JSON.parse(line));
  const results = [];
  for (const [n, row] of rows.entries()) results.push({ row, ...(await first(row.question, n)) });
  for (const name of ["plain", "gzip", "files", "ms"]) {
    const values = results.map((result) => result[name]);
    console.log(`${name}: median ${Math.round(median(values))}, most ${Math.round(Math.max(...values))}`);
  }
  const answerable = results.filter(({ row }) => row.answerable);
  const at = (found, row, k) =>
    found.slice(0, k).some(({ page, anchor }) => row.gold.some((gold) => gold.page === page && gold.anchor === anchor));
  for (const k of [1, 5]) {
    const share = answerable.filter(({ row, answer }) => at([...answer.sources, ...answer.more], row, k)).length;
    console.log(`section@${k}: ${(share / answerable.length).toFixed(3)} of ${answerable.length}`);
  }
  for (const wanted of [true, false]) {
    const verdicts = results.filter(({ row }) => row.answerable === wanted).map(({ answer }) => answer.verdict);
    const counts = Object.fromEntries(["answer", "closest", "not-found"].map((it) => [it, verdicts.filter((v) => v === it).length]));
    console.log(`${wanted ? "answerable" : "not answerable"}: ${JSON.stringify(counts)}`);
  }
  if (answers) writeFileSync(answers, results.map(answerLine).join(""));
}
server.close();

/** A line for the score of nuggets: the open card, and all cards. */
function answerLine({ row, answer }) {
  const texts = answer.excerpts.map(({ blocks }) => blocks.map(fenced).join("\n\n"));
  const excerpts = texts.map((text) => ({ blocks: [{ text }] }));
  return `${JSON.stringify({ id: row.id, answerable: row.answerable, answer: { text: texts[0] ?? "", excerpts } })}\n`;
}

function fenced({ kind, caption, text, code_language = "" }) {
  const shown = kind === "code" ? `\`\`\`\`${code_language}\n${text}\n\`\`\`\`` : text;
  return caption ? `${caption}\n\n${shown}` : shown;
}
