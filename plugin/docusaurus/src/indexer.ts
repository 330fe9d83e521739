/** Calls of the Python package: which command it is, with which arguments, and what to do if it is missing. */
import { spawn, spawnSync } from "node:child_process";
import { relative } from "node:path";
import type { TruerefOptions } from "./options";

/** A site that was built, with all that the Python package needs to index it. */
export interface Job {
  /** The folder of the site's configuration: commands run here, and paths of options start here. */
  siteDir: string;
  /** The folder that was built, as an absolute path. */
  root: string;
  /** Address of its root, with a slash at the end. */
  address: string;
  /** Name of the locale if it is a site of its own, or "". */
  own: string;
  /** The sidecar, as an absolute path. */
  pages: string;
  /** Name of the site if no option gives one. */
  title: string;
  options: TruerefOptions;
}

/** Something that the user can mend. */
export class IndexerError extends Error {}

/** Commands that are tried if no option names one. On Windows `python` is the usual one. */
export const PYTHONS = process.platform === "win32" ? ["python", "py"] : ["python3", "python"];

/**
 * The arguments that make the index.
 *
 * @param job The site.
 * @param others Other sites of the same run: their pages in a folder of this one are not searched as pages of it.
 */
export function indexArguments(job: Job, others: readonly Job[] = []): string[] {
  const { siteDir, root, address, own, pages, title, options } = job;
  const { index, name, version, embedder, exclude, kinds, reuse, pdf, contentSelector, exports } = options;
  const given: [string, ...string[]][] = [
    ["--index", index],
    ["--base-url", address],
    ["--pages", relative(siteDir, pages)],
    ["--name", (name ?? title) + (own ? ` (${own})` : "")],
    ["--embedder", embedder],
  ];
  if (version) given.push(["--version", version]);
  const inside = others.map((other) => relative(root, other.root).replaceAll("\\", "/"));
  const folders = inside.filter((folder) => folder && !folder.startsWith(".."));
  for (const pattern of [...exclude, ...folders.flatMap((folder) => [folder, `${folder}/*`])]) {
    given.push(["--exclude", pattern]);
  }
  for (const [pattern, rule] of Object.entries(kinds)) {
    const { kind, weight } = typeof rule === "string" ? { kind: rule } : rule;
    if (kind !== undefined) given.push(["--kind", pattern, kind]);
    if (weight !== undefined) given.push(["--weight", pattern, String(weight)]);
  }
  if (reuse) given.push(["--reuse", reuse]);
  for (const folder of pdf) given.push(["--pdf", folder]);
  if (contentSelector) given.push(["--content-selector", contentSelector]);
  // Without a server the widget answers from files beside the pages.
  const written = job.options.serverUrl === null ? [...new Set([...exports, "search"])] : exports;
  if (written.length) given.push(["--exports", written.join(",")]);
  return ["index", relative(siteDir, root), ...given.flat()];
}

/** The arguments that check every link of the site. */
export function checkArguments({ siteDir, root, address, options }: Job): string[] {
  return ["check", relative(siteDir, root), "--base-url", address, "--index", options.index];
}

/** A command as it can be typed. */
export function commandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(" ");
}

/**
 * The command that runs Trueref: that of the option, or the first Python that has the package.
 *
 * @throws IndexerError There is none.
 */
export function findIndexer({ siteDir, options }: Job, pythons: readonly string[] = PYTHONS): string[] {
  if (options.indexer) return options.indexer;
  const installed = pythons.filter((python) => runs([python, "--version"], siteDir));
  const python = installed.find((candidate) => runs([candidate, "-m", "trueref", "--version"], siteDir));
  if (python !== undefined) return [python, "-m", "trueref"];
  const first = installed[0];
  throw new IndexerError(
    first === undefined
      ? `No Python was found (tried ${pythons.join(", ")}). Install Python 3.11 or newer, then: pip install 'trueref[serve]'.`
      : `${first} has no package trueref. Install it with: ${first} -m pip install 'trueref[serve]'.`,
  );
}

/** Runs a command to its end, with its output on the terminal; gives its exit code. */
export function run(words: readonly string[], folder: string): Promise<number> {
  const [program = "", ...rest] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
    child.on("error", (error) => {
      reject(
        new IndexerError(
          `The command ${program} cannot be run (${error.message}). Correct the option indexer.`,
        ),
      );
    });
    child.on("close", (code, signal) => {
      resolve(code ?? (signal ? 128 : 1));
    });
  });
}

/** What a command writes, or null if it fails. */
export function outputOf(words: readonly string[], folder: string): string | null {
  const [program = "", ...rest] = words;
  const { status, stdout } = spawnSync(program, rest, { cwd: folder, encoding: "utf8" });
  return status === 0 ? stdout : null;
}

function runs(words: readonly string[], folder: string): boolean {
  return outputOf(words, folder) !== null;
}
