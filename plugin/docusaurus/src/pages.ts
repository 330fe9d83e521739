/** The sidecar: what only the build knows of its pages, as `trueref index --pages` reads it. */
import type { Locale } from "./locale";

/** The version of the sidecar's format. */
export const SIDECAR_VERSION = 1;

/** What the build says of one page. `file` is the output file, relative to the site folder. */
export interface PageFacts {
  file: string;
  source?: string;
  hidden?: boolean;
  language?: string;
  version?: string;
}

/** A route as Docusaurus hands it to `postBuild`, with the fields that are read here. */
export interface Route {
  path: string;
  routes?: Route[];
  metadata?: { sourceFilePath?: string };
  props?: Record<string, unknown>;
}

/** One set of docs of a site (an instance of the docs plugin), in one version. */
interface Docs {
  name: string;
  version: string;
}

const NO_DOCS: Docs = { name: "", version: "" };

/** A locale as it was built: what the facts of its pages are read from. */
export interface LocaleBuild {
  locale: Locale;
  routes: Route[];
  /** By address, whether search engines are to leave the page out: `unlisted` and `noindex`. */
  metadata: Record<string, { noIndex: boolean }>;
  /** One version for all pages; null takes that of each page's docs. */
  version: string | null;
  /** Whether the site folder has a file. */
  exists: (file: string) => boolean;
}

/** Facts of every page that a route made and that is on disk, by file. */
export function pagesOf(build: LocaleBuild): PageFacts[] {
  const facts = new Map<string, PageFacts>();
  const pages = [...leaves(build.routes, NO_DOCS)];
  const unversioned = withoutVersions(pages.map(({ docs }) => docs));
  for (const { route, docs } of pages) {
    const file = fileOf(route.path, build);
    if (file === null || facts.has(file)) continue;
    const source = route.metadata?.sourceFilePath;
    const { noIndex = false } = build.metadata[route.path] ?? {};
    const version = unversioned.has(docs.name) ? "" : docs.version;
    facts.set(file, {
      file,
      ...(source ? { source: source.replaceAll("\\", "/") } : {}),
      ...(noIndex || isArchive(route) ? { hidden: true } : {}),
      language: build.locale.language,
      // A version that is set for the whole site replaces those of the docs.
      ...(version && !build.version ? { version } : {}),
    });
  }
  return [...facts.values()];
}

/** The text of a sidecar. */
export function sidecarOf(pages: Iterable<PageFacts>): string {
  const sorted = [...pages].sort((one, other) => (one.file < other.file ? -1 : 1));
  return `${JSON.stringify({ pages: sorted, sidecar: SIDECAR_VERSION }, null, 1)}\n`;
}

/** The routes that are pages, each with the docs that a route above it names. */
function* leaves(routes: Route[], above: Docs): Generator<{ route: Route; docs: Docs }> {
  for (const route of routes) {
    const docs = docsOf(route) ?? above;
    if (route.routes) yield* leaves(route.routes, docs);
    else yield { route, docs };
  }
}

/** The docs that the docs plugin passes to its layout: `{ version: { pluginId: "default", version: "1.0", ... } }`. */
function docsOf({ props }: Route): Docs | null {
  const given = props?.["version"];
  if (typeof given !== "object" || given === null || !("version" in given)) return null;
  const { version } = given;
  const name = "pluginId" in given && typeof given.pluginId === "string" ? given.pluginId : "default";
  return typeof version === "string" ? { name, version } : null;
}

/** The docs that have no versions: Docusaurus calls their only one `current`, as it does the newest of several. */
function withoutVersions(all: readonly Docs[]): Set<string> {
  const versioned = new Set(all.filter(({ version }) => version !== "current").map(({ name }) => name));
  return new Set(all.map(({ name }) => name).filter((name) => !versioned.has(name)));
}

/** Whether a route is the archive of a blog. It is only a list of posts, but its HTML does not say so. */
function isArchive({ props }: Route): boolean {
  const given = props?.["archive"];
  return typeof given === "object" && given !== null && "blogPosts" in given;
}

/** The file of a route. Its name depends on `trailingSlash`, on 404.html, and on the version of Docusaurus. */
function fileOf(path: string, { locale, exists }: LocaleBuild): string | null {
  if (!path.startsWith(locale.base)) return null;
  const plain = path.slice(locale.base.length).replace(/\/$/, "");
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
