/** The widget on the pages: its element, its script, and its built files. */
import { copyFile, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HtmlTagObject } from "@docusaurus/types";
import type { Locale } from "./locale";
import type { TruerefOptions } from "./options";

/** Where the widget's files stand in the site, relative to its root. */
export const ASSETS = "assets/trueref/";

/** The folder of the built files in this package. */
export const STATIC = join(__dirname, "widget");

/**
 * The element and the script that draws it, for the end of the body: outside of React's root, so that moving from page
 * to page neither draws it again nor loses the conversation.
 */
export function widgetTags(
  server: string,
  { base, language }: Locale,
  { widget }: TruerefOptions,
): HtmlTagObject[] {
  const { label, shortcut, position, accent, pdf, words } = widget;
  const given = {
    server,
    base,
    lang: language,
    label,
    position: position === "right" ? "" : position,
    accent,
    pdf: pdf === "viewer" ? "" : pdf,
    words: Object.keys(words).length ? JSON.stringify(words) : "",
  };
  const attributes: Record<string, string> = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value || name === "server"),
  );
  if (shortcut !== "i") attributes["shortcut"] = shortcut;
  return [
    { tagName: "trueref-chat", customElement: true, attributes },
    { tagName: "script", attributes: { type: "module", src: `${base}${ASSETS}trueref.js` } },
  ];
}

/** Puts the widget's files into the site, with a `build.json` that names no generation yet. */
export async function writeAssets(root: string): Promise<void> {
  const folder = join(root, ASSETS);
  await mkdir(folder, { recursive: true });
  for (const name of await readdir(STATIC)) await copyFile(join(STATIC, name), join(folder, name));
  // `trueref index` writes the generation into it.
  await writeFile(join(folder, "build.json"), '{"generation":""}\n');
}
