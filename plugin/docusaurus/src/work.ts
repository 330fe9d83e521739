/**
 * What is done once in a run, after every locale and every plugin: the sidecar, the index, the check.
 *
 * Docusaurus has no hook for it. It builds one locale after the other in one process and calls `postBuild` of all
 * plugins of a locale at once, when the pages of redirects may not be there yet. So this waits for the process to run
 * out of work.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import logger from "@docusaurus/logger";
import {
  checkArguments,
  commandLine,
  findIndexer,
  indexArguments,
  IndexerError,
  outputOf,
  PYTHONS,
  run,
  type Job,
} from "./indexer";
import { sidecarOf, type PageFacts } from "./pages";
import { runState, type RunState } from "./state";

/** Adds the pages of a locale to the sidecar, and plans the index for the end of the run. */
export function addPages(job: Job, pages: PageFacts[]): void {
  const work = runState();
  const site = work.sites.get(job.root) ?? { job, pages: [] };
  site.pages.push(...pages);
  work.sites.set(job.root, site);
  mkdirSync(dirname(job.pages), { recursive: true });
  writeFileSync(job.pages, sidecarOf(site.pages));
  if (work.isPlanned) return;
  work.isPlanned = true;
  process.once("beforeExit", () => {
    void finish(work);
  });
  process.once("exit", (code) => {
    warnUndone(work, code);
  });
}

/** Makes the indexes at the end of a run. No caller could catch an error, so what the user can mend is logged. */
async function finish(work: RunState): Promise<void> {
  const jobs = [...work.sites.values()].map(({ job }) => job);
  work.sites.clear();
  try {
    // Locales with an address of their own are sites of their own, in the one index.
    for (const job of jobs) {
      const others = jobs.filter((other) => other !== job);
      await makeIndex(job, indexArguments(job, others));
    }
  } catch (error) {
    if (!(error instanceof IndexerError)) throw error;
    logger.error(`trueref: ${error.message}`);
    process.exitCode = 1;
  }
}

async function makeIndex(job: Job, given: string[]): Promise<void> {
  const { siteDir, options } = job;
  if (options.indexer === false) {
    const words = [...PYTHONS.slice(0, 1), "-m", "trueref", ...given];
    logger.info(
      `trueref: no index was made (indexer is false). To make it, in ${siteDir}: ${commandLine(words)}`,
    );
    return;
  }
  const command = indexerFor(job);
  warnOfVersions(command, siteDir);
  const code = await run([...command, ...given], siteDir);
  // Code 1 says that some page could not be read; the command has named it, and all others are in the index.
  if (code > 1) {
    const again = `To try again, in ${siteDir}: ${commandLine([...command, ...given])}`;
    throw new IndexerError(`The index was not made: exit code ${code}. ${again}`);
  }
  if (!options.strict) return;
  if ((await run([...command, ...checkArguments(job)], siteDir)) !== 0) {
    throw new IndexerError(
      "Some links do not land; they are listed above. With strict, the build fails for them.",
    );
  }
}

function indexerFor(job: Job): string[] {
  try {
    return findIndexer(job);
  } catch (error) {
    if (!(error instanceof IndexerError)) throw error;
    const help = 'Another command is named by the option indexer; "indexer: false" builds without an index.';
    throw new IndexerError(`${error.message} ${help}`);
  }
}

/** Warns if the two packages differ in version: each reads files that the other writes. */
function warnOfVersions(command: readonly string[], siteDir: string): void {
  const { version } = JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")) as {
    version: string;
  };
  const pythonVersion = /\d+\.\d+\.\S+/.exec(outputOf([...command, "--version"], siteDir) ?? "")?.[0];
  if (pythonVersion === undefined || pythonVersion === version) return;
  logger.warn(
    `trueref: the Python package is ${pythonVersion} and this plugin is ${version}. Install the same version.`,
  );
}

/** Warns if no index was made: `docusaurus deploy` ends the process before it has run out of work. */
function warnUndone({ sites }: RunState, code: number): void {
  if (code !== 0 || sites.size === 0) return;
  logger.warn(
    "trueref: the process was ended before the index was made. Run docusaurus build first, then docusaurus deploy --skip-build.",
  );
}
