import type { Options } from "../pill/options";
import { chooseBase } from "../shared/address";
import { readObject, textOf } from "../shared/answer";

/**
 * The facts of `build.json`: the generation that these pages were made from, and whether there are questions to offer.
 * A build writes the file beside the site's pages; a server gives one of its index, with the addresses of its sites.
 */
export interface BuildFacts {
  generation: string;
  questions: boolean;
}

/**
 * Reads `build.json`; without one, the facts are empty. If the root of the site is not known yet, it is chosen from the
 * addresses in the file and put into `options`.
 */
export async function readBuildFacts(options: Options, signal: AbortSignal): Promise<BuildFacts> {
  let fields: Record<string, unknown> = {};
  try {
    // Without a build there is no such file, and asking for it would leave an error in the console.
    const response =
      options.files && (await fetch(`${options.files}build.json`, { cache: "no-cache", signal }));
    if (response && response.ok) fields = readObject(await response.text());
  } catch {
    // Without an answer the facts stay empty.
  }
  const { generation, questions, bases } = fields;
  options.base ||= chooseBase(Array.isArray(bases) ? bases.map(textOf) : [], location.href);
  return { generation: textOf(generation), questions: questions === true };
}
