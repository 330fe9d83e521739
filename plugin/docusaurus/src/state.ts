/** What a run remembers. Docusaurus loads the plugin anew for every locale, so that a variable would not last. */
import type { Job } from "./indexer";
import type { PageFacts } from "./pages";

export interface RunState {
  /** The job of each site and the pages of its locales so far, by the folder that is published. */
  sites: Map<string, { job: Job; pages: PageFacts[] }>;
  /** Whether the index is planned for the end of the run. */
  isPlanned: boolean;
  /** Whether the notes at the start of the run were logged. */
  areNotesLogged: boolean;
}

const KEY = Symbol.for("docusaurus-plugin-trueref");

/** The state of this process. */
export function runState(): RunState {
  const holder = globalThis as { [key: symbol]: RunState | undefined };
  return (holder[KEY] ??= { sites: new Map(), isPlanned: false, areNotesLogged: false });
}
