/** The sidecar: what only the build knows of its pages, as `trueref index --pages` reads it. */
import type { Place } from "./place";

/** Number of the format. */
export const SIDECAR_VERSION = 1;

/** What the build says of one page. `file` is the output file, relative to the site folder. */
export interface PageFacts {
  file: string;
  source?: string;
  hidden?: boolean;
  language?: string;
  version?: string;
}

/** A route as Docusaurus hands it to `postBuild`, as far as it is read here. */
export interface Route {
  path: string;
  routes?: Route[];
  metadata?: { sourceFilePath?: string };
  props?: Record<string, unknown>;
}

/** What a locale's pages are read from. */
export interface Build {
  place: Place;
  routes: Route[];
  /** By address, whether search engines are to leave the page out: `unlisted` and `noindex`. */
  metadata: Record<string, { noIndex: boolean }>;
  /** One version for all pages; null takes that of each page's docs. */
  version: string | null;
  /** Whether the site folder has a file. */
  exists: (file: string) => boolean;
}

/** Facts of every page that a route made and that is on disk, by file. */
export function pagesOf(build: Build): PageFacts[] {
  const found = new Map<string, PageFacts>();
  for (const { route, version } of leaves(build.routes, "")) {
    const file = fileOf(route.path, build);
    if (file === null || found.has(file)) continue;
    const source = route.metadata?.sourceFilePath;
    const { noIndex = false } = build.metadata[route.path] ?? {};
    found.set(file, {
      file,
      ...(source ? { source: source.replaceAll("\\", "/") } : {}),
      ...(noIndex ? { hidden: true } : {}),
      language: build.place.language,
      // An option for the whole site goes before what the docs call themselves (`current`).
      ...(version && !build.version ? { version } : {}),
    });
  }
  return [...found.values()];
}

/** The text of a sidecar. */
export function sidecarOf(pages: Iterable<PageFacts>): string {
  const sorted = [...pages].sort((one, other) => (one.file < other.file ? -1 : 1));
  return `${JSON.stringify({ pages: sorted, sidecar: SIDECAR_VERSION }, null, 1)}\n`;
}

/** The routes that are pages, each with the version that a route above it names. */
function* leaves(routes: Route[], above: string): Generator<{ route: Route; version: string }> {
  for (const route of routes) {
    const version = versionOf(route) || above;
    if (route.routes) yield* leaves(route.routes, version);
    else yield { route, version };
  }
}

/** The docs plugin hands the version to its layout: `{ version: { version: "1.0", ... } }`. */
function versionOf({ props }: Route): string {
  const given = props?.["version"];
  const name = typeof given === "object" && given !== null && "version" in given ? given.version : "";
  return typeof name === "string" ? name : "";
}

/** The file of a route. Which one it is depends on `trailingSlash`, on 404.html, and on the version of Docusaurus. */
function fileOf(path: string, { place, exists }: Build): string | null {
  if (!path.startsWith(place.base)) return null;
  const plain = path.slice(place.base.length).replace(/\/$/, "");
  const forms = plain ? [`${plain}/index.html`, `${plain}.html`, plain] : ["index.html"];
  const decoded = forms.flatMap((form) => [form, decode(form)]);
  return decoded.find((form) => form.endsWith(".html") && exists(form)) ?? null;
}

function decode(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
