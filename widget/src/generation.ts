import { readObject, textOf } from "./answer";

/** The generation these pages were built from, or "" where the site does not say. */
export async function readGeneration(base: string, signal: AbortSignal): Promise<string> {
  try {
    const url = new URL("assets/trueref/build.json", base);
    const response = await fetch(url, { cache: "no-cache", signal });
    return response.ok ? textOf(readObject(await response.text())["generation"]) : "";
  } catch {
    return "";
  }
}
