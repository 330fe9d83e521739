// Bundles src/ into the committed modules. `--check` compares instead of writing.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { basename, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import * as esbuild from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));
export const OUTPUT = join(here, "trueref_widget", "static");

const LANGUAGES = join(here, "trueref_widget", "languages");
const BANNER = "/*! Trueref, MIT licence */";

/** A style sheet is imported as its minified text, for a constructable sheet. */
export const cssText = {
  name: "css-text",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const { code } = await esbuild.transform(source, { loader: "css", minify: true });
      return { contents: tighten(code), loader: "text" };
    });
  },
};

/** What is fetched later keeps its plain name, so that a page can give it an integrity hash in an import map. */
const fetchedLater = {
  name: "fetched-later",
  setup(build) {
    build.onResolve({ filter: /\/trueref-[\w-]+\.js$/ }, ({ path }) => ({
      path: `./${basename(path)}`,
      external: true,
    }));
  },
};

/** esbuild keeps the spaces of custom properties and the quotes of attributes; here they have no meaning. */
function tighten(css) {
  return css
    .trim()
    .replace(/(--[\w-]+): /g, "$1:")
    .replace(/([(,]) +/g, "$1")
    .replace(/ +\)/g, ")")
    .replace(/="(\w+)"\]/g, "=$1]");
}

const OWN = ["trueref", "trueref-panel", "trueref-answers", "trueref-landing", "trueref-static"].map(entry);
// pdf.js says whose it is in comments that a minifier takes for any others.
const PDF_BANNER =
  "/*! Trueref widget, MIT licence. Contains pdf.js 6.5.438, Copyright Mozilla Foundation, Apache License 2.0, " +
  "and core-js, Copyright Denis Pushkarev, MIT licence. */";
const PDF = [
  entry("trueref-pdf"),
  { in: "pdfjs-dist/legacy/build/pdf.worker.mjs", out: "trueref-pdf-worker" },
];

/** Returns the built files as a list of {name, bytes}; same sources, same bytes. */
export async function bundle() {
  const files = await Promise.all([modules(OWN, BANNER), modules(PDF, PDF_BANNER), languages()]);
  return files.flat().map(({ path, contents }) => ({ name: path.slice(OUTPUT.length + 1), bytes: contents }));
}

function entry(name) {
  return { in: `src/${name}.ts`, out: name };
}

async function modules(entryPoints, banner) {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: here,
    entryPoints,
    outdir: OUTPUT,
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    target: "es2022",
    charset: "utf8",
    // The licence of what is bundled from others stays in the file.
    legalComments: "inline",
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
    banner: { js: banner },
    plugins: [cssText, fetchedLater],
  });
  return outputFiles;
}

/** The words of each language but English, as a module that a page in it loads. */
async function languages() {
  const names = (await readdir(LANGUAGES)).filter((name) => name !== "en.json").sort();
  const built = names.map(async (name) => {
    const { outputFiles } = await esbuild.build({
      stdin: {
        contents: `import { pill, widget, pdf } from "./${name}"; export const words = { ...pill, ...widget, ...pdf };`,
        resolveDir: LANGUAGES,
      },
      outfile: join(OUTPUT, `trueref-${name.replace(".json", ".js")}`),
      bundle: true,
      write: false,
      minify: true,
      format: "esm",
      target: "es2022",
      charset: "utf8",
      banner: { js: BANNER },
    });
    return outputFiles;
  });
  return (await Promise.all(built)).flat();
}

/** Returns the content of a built file, as a site serves it; nothing if it was not built. */
export async function builtBytes(name) {
  const bytes = await readFile(stored(name)).catch(() => Buffer.alloc(0));
  return isCompressed(name) && bytes.length > 0 ? gunzipSync(bytes) : bytes;
}

/** pdf.js is far larger than the rest of the widget, and few sites have PDFs, so the package holds it compressed. */
function isCompressed(name) {
  return name.startsWith("trueref-pdf");
}

function stored(name) {
  return join(OUTPUT, isCompressed(name) ? `${name}.gz` : name);
}

async function main() {
  const check = process.argv.includes("--check");
  for (const { name, bytes } of await bundle()) {
    if (Buffer.from(bytes).equals(await builtBytes(name))) continue;
    if (!check) await writeFile(stored(name), isCompressed(name) ? gzipSync(bytes, { level: 9 }) : bytes);
    else {
      console.error(
        `${name} differs from its sources. Run \`npm run build\` in widget/ and commit the result.`,
      );
      process.exitCode = 1;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
