// Tells what the widget sees of the cards on a site without a server, for scripts/fit_static_confidence.py.
//
//   node scripts/static_features.mjs SITE < QUESTIONS
//
// SITE holds assets/trueref/search/. QUESTIONS are lines of text. The first line of the output has the curve of
// confidence and the bounds of the verdicts, and each further one the features of a question, its confidence, and the
// texts of its cards.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const widget = join(import.meta.dirname, "..", "widget");
const esbuild = createRequire(join(widget, "package.json"))("esbuild");
const contents = ["confidence", "shards", "static-answer"].map((name) => `export * from "./src/static/${name}";`).join("\n");
const { outputFiles } = await esbuild.build({
  stdin: { contents, resolveDir: widget },
  bundle: true,
  write: false,
  format: "esm",
});
const source = Buffer.from(outputFiles[0].contents).toString("base64");
const built = await import(`data:text/javascript;base64,${source}`);
const { bounded, cardsOf, confidenceOf, featuresOf, findMatches, Shards } = built;

// The widget fetches the files of a site: here they are read.
globalThis.fetch = async (url) => new Response(readFileSync(new URL(url)));
const { signal } = new AbortController();
const shards = await Shards.open(`${pathToFileURL(resolve(process.argv[2]))}/`, signal);
const { WEIGHTS, CONSTANT, ANSWER_FROM, CLOSEST_FROM } = built;
console.log(JSON.stringify({ curve: { ...WEIGHTS, "": CONSTANT }, bounds: [ANSWER_FROM, CLOSEST_FROM] }));
for (const question of readFileSync(0, "utf8").trim().split("\n")) {
  const all = await findMatches(shards, { question }, signal);
  const features = featuresOf(all);
  const cards = cardsOf(all).map(({ blocks }) => blocks.map(fenced).join("\n\n"));
  console.log(JSON.stringify({ features: bounded(features), confidence: confidenceOf(features), cards }));
}

function fenced({ kind, caption, text, code_language = "" }) {
  const shown = kind === "code" ? `\`\`\`\`${code_language}\n${text}\n\`\`\`\`` : text;
  return caption ? `${caption}\n\n${shown}` : shown;
}
