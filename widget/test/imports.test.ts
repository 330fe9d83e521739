import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import ts from "typescript";

/** Modules that import each other cannot be understood one after the other, not even if they import types alone. */

/** By module, the modules of the same folder that it imports: types and what is fetched later included. */
type Imports = Map<string, string[]>;

function importsOf(sources: Record<string, string>): Imports {
  const names = new Set(Object.keys(sources));
  return new Map(
    Object.entries(sources).map(([name, source]) => {
      const { importedFiles } = ts.preProcessFile(source);
      const paths = importedFiles.map(({ fileName }) => fileName.replace(/^\.\/|\.js$/g, ""));
      return [name, paths.filter((path) => names.has(path))];
    }),
  );
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
  const folder = join(process.cwd(), "src");
  const files = readdirSync(folder).filter((file) => /(?<!\.d)\.ts$/.test(file));
  const sources = files.map((file) => [file.slice(0, -3), readFileSync(join(folder, file), "utf8")] as const);
  const imports = importsOf(Object.fromEntries(sources));
  assert.ok((imports.get("exchange") ?? []).includes("feedback"));
  assert.equal(circleOf(imports), null);
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

test("two ways to one module are no circle", () => {
  const imports = importsOf({
    a: 'import "./b";\nimport "./c";',
    b: 'import "./c";',
    c: 'import "node:fs";',
  });
  assert.equal(circleOf(imports), null);
});
