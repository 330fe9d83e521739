import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import test from "node:test";
import ts from "typescript";

/**
 * Modules that import each other cannot be understood one after the other, not even if they import types alone. For
 * folders there is a contract as well.
 */

/** By folder, the folders that its modules may import. "" is `src/` itself: what a page loads, file by file. */
const MAY_IMPORT: Record<string, string[]> = {
  shared: [],
  pill: ["shared"],
  markup: ["shared"],
  landing: [],
  pdf: ["shared"],
  static: ["markup", "shared"],
  conversation: ["pill", "shared", "static"],
  answers: ["conversation", "markup", "pill", "shared"],
  panel: ["answers", "landing", "pdf", "pill", "shared"],
  "": ["answers", "landing", "panel", "pdf", "pill", "shared", "static"],
};

/** By module, the modules that it imports: types and what is fetched later included. */
type Imports = Map<string, string[]>;

/** The imports of modules by their paths in `src/`. */
function importsOf(sources: Record<string, string>): Imports {
  return new Map(
    Object.entries(sources).map(([name, source]) => {
      const { importedFiles } = ts.preProcessFile(source);
      const paths = importedFiles.map(({ fileName }) => posix.join(posix.dirname(name), fileName));
      return [name, paths.map((path) => path.replace(/\.js$/, "")).filter((path) => path in sources)];
    }),
  );
}

/** All modules of the widget with their sources, by their paths in `src/`. */
function readModules(): Record<string, string> {
  const folder = join(process.cwd(), "src");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const modules = files.filter((file) => /(?<!\.d)\.ts$/.test(file));
  return Object.fromEntries(
    modules.map((file) => [file.slice(0, -3).split(sep).join("/"), readFileSync(join(folder, file), "utf8")]),
  );
}

/**
 * The imports across folders, as "from to". A file that is fetched later hands on one module, and importing it counts
 * as importing that module.
 */
function foldersOf(imports: Imports): Set<string> {
  const folder = (name: string): string => (name.includes("/") ? posix.dirname(name) : "");
  const crossings = [...imports].flatMap(([name, imported]) =>
    imported
      .flatMap((path) => (path.startsWith("trueref-") ? (imports.get(path) ?? []) : [path]))
      .map((path) => [folder(name), folder(path)] as const),
  );
  return new Set(crossings.filter(([from, to]) => from !== to).map((crossing) => crossing.join(" ")));
}

/** The first circle of imports, as the names of its modules with the first again at the end; null if there is none. */
function circleOf(imports: Imports): string[] | null {
  const done = new Set<string>();
  const visit = (name: string, above: string[]): string[] | null => {
    if (above.includes(name)) return [...above.slice(above.indexOf(name)), name];
    if (done.has(name)) return null;
    for (const imported of imports.get(name) ?? []) {
      const circle = visit(imported, [...above, name]);
      if (circle) return circle;
    }
    done.add(name);
    return null;
  };
  for (const name of imports.keys()) {
    const circle = visit(name, []);
    if (circle) return circle;
  }
  return null;
}

test("no modules of the widget import each other in a circle", () => {
  const imports = importsOf(readModules());
  assert.ok((imports.get("answers/exchange") ?? []).includes("answers/feedback"));
  assert.equal(circleOf(imports), null);
});

test("each folder imports the folders of its contract, and no other", () => {
  const agreed = Object.entries(MAY_IMPORT).flatMap(([from, to]) => to.map((name) => `${from} ${name}`));
  assert.deepEqual([...foldersOf(importsOf(readModules()))].sort(), agreed.sort());
  // Each folder stands behind those that it imports, so that there is no circle of folders either.
  const folders = Object.keys(MAY_IMPORT);
  for (const [from, to] of Object.entries(MAY_IMPORT)) {
    assert.ok(to.every((name) => folders.indexOf(name) < folders.indexOf(from) && name in MAY_IMPORT));
  }
});

test("a folder that is fetched later is imported by others for its types alone", () => {
  const apart = Object.entries(readModules()).filter(([name]) => !name.startsWith("trueref-"));
  const values = apart.flatMap(([name, source]) =>
    [...source.matchAll(/^import (?!type )[^;]*? from "([^"]+)";/gm)].map(([, path = ""]) => [
      name,
      posix.join(posix.dirname(name), path),
    ]),
  );
  const folder = (name = ""): string => name.split("/", 1)[0] ?? "";
  const fetchedLater = ["answers", "landing", "panel", "pdf", "static"];
  assert.ok(values.length > 100);
  assert.deepEqual(
    values.filter(([from, to]) => fetchedLater.includes(folder(to)) && folder(from) !== folder(to)),
    [],
  );
});

const CIRCLES: Record<string, string> = {
  "a value": 'import { a } from "./a";',
  "a type": 'import type { A } from "./a";',
  "a type among values": 'import { a, type A } from "./a";',
  "a type that is handed on": 'export type { A } from "./a";',
  "a type in an expression": 'let a: typeof import("./a.js");',
  "a module that is fetched later": 'void import("./a.js");',
};

for (const [what, back] of Object.entries(CIRCLES)) {
  test(`a circle is found if ${what} closes it`, () => {
    const imports = importsOf({ start: 'import "./a";', a: 'import { b } from "./b";', b: back });
    assert.deepEqual(circleOf(imports), ["a", "b", "a"]);
  });
}

test("a file that is fetched later stands for the module that it hands on", () => {
  const imports = importsOf({
    "panel/links": 'void import("../trueref-landing.js");',
    "trueref-landing": 'export { land } from "./landing/landing";',
    "landing/landing": "",
  });
  assert.deepEqual([...foldersOf(imports)], ["panel landing", " landing"]);
});

test("two ways to one module are no circle", () => {
  const imports = importsOf({
    a: 'import "./b";\nimport "./c";',
    b: 'import "./c";',
    c: 'import "node:fs";',
  });
  assert.equal(circleOf(imports), null);
});
