import { chooseBase } from "./address";
import { readObject, textOf } from "./answer";
import type { Options } from "./options";

/**
 * What the site says of its build: the generation these pages were made from, and whether it has questions to offer.
 * A server says the same of its index, and where the sites in it are published.
 */
export interface Build {
  generation: string;
  questions: boolean;
}

/** What `build.json` says, nothing if there is none. With it comes the root of the site, if nothing has told it yet. */
export async function readBuild(options: Options, signal: AbortSignal): Promise<Build> {
  let told: Record<string, unknown> = {};
  try {
    // Without a build there is no such file, and asking for it would leave an error in the console.
    const response =
      options.files && (await fetch(`${options.files}build.json`, { cache: "no-cache", signal }));
    if (response && response.ok) told = readObject(await response.text());
  } catch {
    // nothing is told then
  }
  const { generation, questions, bases } = told;
  options.base ||= chooseBase(Array.isArray(bases) ? bases.map(textOf) : [], location.href);
  return { generation: textOf(generation), questions: questions === true };
}
