import { readObject, textOf } from "./answer";

/** What the site says of its build: the generation these pages were made from, and whether it has questions to offer. */
export interface Build {
  generation: string;
  questions: boolean;
}

/** What the site says of its build; nothing where it does not say. */
export async function readBuild(base: string, signal: AbortSignal): Promise<Build> {
  try {
    const url = new URL("assets/trueref/build.json", base);
    const response = await fetch(url, { cache: "no-cache", signal });
    const told = readObject(response.ok ? await response.text() : "");
    return { generation: textOf(told["generation"]), questions: told["questions"] === true };
  } catch {
    return { generation: "", questions: false };
  }
}
