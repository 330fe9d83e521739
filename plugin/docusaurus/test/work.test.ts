/** The end of a run, in processes of their own: what is called, what is said, and how the process ends. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { commandLine } from "../src/indexer";
import { readOptions } from "../src/options";

const LIB = resolve("lib");
const { version: VERSION } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

/** Stands for Python: writes down how it was called, and ends as the test says. */
const PROGRAM = `#!/bin/sh
echo "$@" >> calls
case "$*" in
  *--version) test -z "$NO_PACKAGE" || test "$1" = --version || exit 1; echo "trueref \${FAKE:-${VERSION}}" ;;
  *" check "*) exit \${CHECK_CODE:-0} ;;
  *" index "*) exit \${INDEX_CODE:-0} ;;
esac
`;

interface Ended {
  code: number | null;
  said: string;
  calls: string[];
  folder: string;
}

/** Runs a build of some locales to its end. */
function build(
  given: Record<string, unknown>,
  variables: Record<string, string> = {},
  { programs = ["python3"], locales = ["build"], end = "" } = {},
): Ended {
  const folder = mkdtempSync(join(tmpdir(), "trueref-"));
  for (const name of programs) {
    const path = join(folder, "bin", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, PROGRAM);
    chmodSync(path, 0o755);
  }
  mkdirSync(join(folder, "site", "build", "assets", "trueref"), { recursive: true });
  const script = locales.map((locale, number) => {
    const job = {
      siteDir: join(folder, "site"),
      root: join(folder, "site", locale),
      address: `https://kettle.example/${locale}/`,
      own: locale === "build" ? "" : "fr",
      pages: join(folder, "site", ".docusaurus", "pages.json"),
      title: "Kettle",
      options: readOptions(given),
    };
    // Docusaurus loads the plugin anew for every locale.
    return (
      `Object.keys(require.cache).forEach((key) => delete require.cache[key]);` +
      `require(${JSON.stringify(join(LIB, "work.js"))}).addPages(${JSON.stringify(job)}, [{file:"${number}.html"}]);`
    );
  });
  const path = `${join(folder, "bin")}:${programs.length ? "/usr/bin:/bin" : ""}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["-e", script.join("\n") + end], {
    cwd: folder,
    encoding: "utf8",
    env: { PATH: path, NODE_PATH: resolve("node_modules"), ...variables },
  });
  const calls = join(folder, "site", "calls");
  const written = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
  return {
    code: status,
    said: stdout + stderr,
    calls: written.filter((call) => !call.endsWith("--version")),
    folder,
  };
}

test("the index is made once, after every locale, with all pages in the sidecar", () => {
  const { code, calls, folder, said } = build({ exclude: ["a b/*"] }, {}, { locales: ["build", "build"] });
  assert.equal(code, 0, said);
  assert.deepEqual(calls, [
    "-m trueref index build --index .trueref --base-url https://kettle.example/build/ --pages .docusaurus/pages.json " +
      "--name Kettle --embedder bundled --exclude a b/* --exports manifest,urls,inventory,search",
  ]);
  const sidecar = readFileSync(join(folder, "site", ".docusaurus", "pages.json"), "utf8");
  assert.deepEqual((JSON.parse(sidecar) as { pages: unknown }).pages, [
    { file: "0.html" },
    { file: "1.html" },
  ]);
});

test("every option that shapes the index is handed over", () => {
  const { calls } = build({
    index: "../ix",
    name: "Handbook",
    version: "3",
    embedder: "lexical",
    kinds: {
      "handbook/*": "reference",
      "internals/*": { weight: -0.2 },
      "api/*": { kind: "api", weight: 1e-7 },
    },
    reuse: "https://kettle.example/ix",
    pdf: ["manuals", "papers"],
    contentSelector: "main",
    exports: [],
  });
  assert.equal(
    calls[0],
    "-m trueref index build --index ../ix --base-url https://kettle.example/build/ --pages .docusaurus/pages.json " +
      "--name Handbook --embedder lexical --version 3 --kind handbook/* reference --weight internals/* -0.2 --kind api/* api " +
      "--weight api/* 1e-7 --reuse https://kettle.example/ix --pdf manuals --pdf papers --content-selector main --exports search",
  );
});

test("a page that could not be read does not fail the build", () => {
  assert.equal(build({}, { INDEX_CODE: "1" }).code, 0);
});

for (const [given, variables, programs, expected] of [
  [
    {},
    { INDEX_CODE: "2" },
    ["python3"],
    /index was not made: exit code 2\. To try again, in .*site: python3 -m/,
  ],
  [
    {},
    {},
    [],
    /No Python was found \(tried python3, python\)\. Install Python 3\.11 or newer, then: pip install/,
  ],
  [
    {},
    { NO_PACKAGE: "1" },
    ["python3"],
    /python3 has no package trueref\. Install it with: python3 -m pip install/,
  ],
  [
    { indexer: "no-such-program run" },
    {},
    ["python3"],
    /no-such-program cannot be run .* Correct the option indexer/,
  ],
  [{ strict: true }, { CHECK_CODE: "1" }, ["python3"], /Some links do not land/],
] as [Record<string, unknown>, Record<string, string>, string[], RegExp][]) {
  test(`fails the build, and says what to do: ${expected.source.slice(0, 40)}`, () => {
    const { code, said } = build(given, variables, { programs });
    assert.equal(code, 1);
    assert.match(said, expected);
  });
}

test("the second Python is taken where the first has no package", () => {
  assert.match(build({}, {}, { programs: ["python"] }).calls[0] ?? "", /index build/);
});

test("links are checked only where strict asks for it", () => {
  const check = "-m trueref check build --base-url https://kettle.example/build/ --index .trueref";
  assert.equal(build({ strict: true }).calls.at(-1), check);
  assert.ok(!build({}).calls.includes(check));
});

test("packages of two versions are named in a warning, and used", () => {
  const { code, said } = build({}, { FAKE: "9.9.9" });
  assert.equal(code, 0);
  assert.match(said, /the Python package is 9\.9\.9 and this plugin is \S+\. Install the same version/);
});

test("without an indexer nothing runs, and the command is printed", () => {
  const { code, said, calls } = build({ indexer: false }, {}, { programs: [] });
  assert.deepEqual([code, calls], [0, []]);
  assert.match(said, /python3 -m trueref index build --index \.trueref/);
});

test("locales with addresses of their own are sites of their own in one index", () => {
  const call = (folder: string, rest: string): string =>
    `-m trueref index ${folder} --index .trueref --base-url https://kettle.example/${folder}/ ` +
    `--pages .docusaurus/pages.json --name ${rest} --exports manifest,urls,inventory,search`;
  const { code, calls } = build({ exclude: ["a/*"] }, {}, { locales: ["build", "build/fr", "build-de"] });
  assert.equal(code, 0);
  assert.deepEqual(calls, [
    // The pages of the one below it are no pages of this one.
    call("build", "Kettle --embedder bundled --exclude a/* --exclude fr --exclude fr/*"),
    call("build/fr", "Kettle (fr) --embedder bundled --exclude a/*"),
    call("build-de", "Kettle (fr) --embedder bundled --exclude a/*"),
  ]);
});

test("a process that is ended early says that nothing was made", () => {
  const { said, calls } = build({}, {}, { end: "process.exit(0)" });
  assert.deepEqual(calls, []);
  assert.match(said, /ended before the index was made/);
  assert.doesNotMatch(build({}, {}, { end: "process.exit(1)" }).said, /before the index/);
});

test("a command can be typed as it is printed", () => {
  assert.equal(commandLine(["a", "b c", "it's", "", "x/*"]), `a 'b c' 'it'\\''s' '' 'x/*'`);
});
