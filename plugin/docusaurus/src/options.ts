/** The options of the plugin: what they are, and one message for everything that is wrong with them. */
import leven from "leven";

/** How the widget looks and what it says. */
export interface WidgetOptions {
  /** Text of the button and title of the panel. Default: `Ask the docs`. */
  label: string;
  /** Letter that opens the panel together with Ctrl or Cmd; an empty string turns it off. Default: `i`. */
  shortcut: string;
  /** Side of the page the button and the panel are on. Default: `right`. */
  position: "right" | "left";
  /** CSS colour of buttons and links. Default: the theme's. */
  accent: string;
  /** Where a source in a PDF opens: in the widget's [viewer](pdf.md#the-viewer), or as a plain link. Default: `viewer`. */
  pdf: "viewer" | "link";
  /** Texts of the widget to replace, by name. */
  words: Record<string, string>;
}

/** What is said of the pages that fit a pattern. */
export interface PageRule {
  kind?: string;
  /** What is added to the scores of their sections, from -1 to 1. */
  weight?: number;
}

/** Every option, with its default if it was left out. */
export interface TruerefOptions {
  /** If the plugin is named twice, this tells the two apart. Docusaurus gives every plugin one. */
  id: string;
  /** Folder of the index, relative to the site's. It lies outside the build folder. Default: `.trueref`. */
  index: string;
  /**
   * Where the server answers: `https://ask.example.org/_trueref` or `/_trueref`. Without it the widget searches in
   * files that the build writes beside the pages.
   */
  serverUrl: string | null;
  /** Patterns of pages that are never searched or cited, such as `changelog/*`. Links to them stay valid. */
  exclude: string[];
  /**
   * Kinds of pages by pattern of their addresses, such as `{ "handbook/*": "reference" }`. An object may set
   * `kind`, `weight` or both: `{ kind: "reference", weight: 0.1 }`. The weight, from -1 to 1, is
   * [added to the scores](configuration.md#move-pages-up-or-down) of these pages.
   */
  kinds: Record<string, string | PageRule>;
  /** `bundled` (English, no download), `lexical` (full text only), or a fastembed model. Default: `bundled`. */
  embedder: string;
  /** Address or folder of a published index, whose vectors of equal texts are taken. */
  reuse: string | null;
  /** Folders of PDFs that the site does not publish, relative to the site's. Needs `trueref[pdf]`. */
  pdf: string[];
  /** Check every link of the built site, and fail the build if one does not land. Default: `false`. */
  strict: boolean;
  /** Name of the site in the index. Default: the site's title. */
  name: string | null;
  /** One version for the whole site. Default: each page has that of its docs. */
  version: string | null;
  /** CSS selector of the element that holds the content, if it is not found by itself. */
  contentSelector: string | null;
  /**
   * Files written into the site for other tools, of `manifest`, `urls`, `inventory`, `llms`, `markdown` and `search`; see
   * [Exports](exports.md). Without `serverUrl`, `search` is always written. Default: `manifest`, `urls` and `inventory`.
   */
  exports: string[];
  /** Looks and words of the widget. */
  widget: WidgetOptions;
  /** Command that runs Trueref, or `false` to make the index later. Default: `python3 -m trueref`. */
  indexer: string[] | false | null;
}

/** The options as a site writes them. */
export type GivenOptions = Partial<Omit<TruerefOptions, "widget" | "indexer">> & {
  widget?: Partial<WidgetOptions>;
  indexer?: string | string[] | false | null;
};

export const KINDS = ["guide", "reference", "api", "example", "changelog", "blog", "landing"];
export const EXPORTS = ["manifest", "urls", "inventory", "llms", "markdown", "search"];

type Value = unknown;
/** Says what is wrong with a value, or nothing. */
type Check = (value: Value) => string | undefined;

const check =
  (fits: (value: Value) => boolean, advice: string): Check =>
  (value) =>
    fits(value) ? undefined : advice;

const isText = (value: Value): value is string => typeof value === "string" && value.trim() !== "";
const isMap = (value: Value): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isTexts = (value: Value): value is string[] => Array.isArray(value) && value.every(isText);
const orNone =
  (inner: Check): Check =>
  (value) =>
    value === null ? undefined : inner(value);

const OPTIONS: Record<keyof TruerefOptions, Check> = {
  id: check(isText, "Give a name."),
  index: check(isText, "Give a folder outside the build folder, such as .trueref."),
  serverUrl: orNone(check(isServer, "Give an address like https://ask.example.org/_trueref or /_trueref.")),
  exclude: check(isTexts, 'Give a list of patterns, such as ["changelog/*"].'),
  kinds: checkKinds,
  embedder: check(
    (value) => isText(value) && (value === "bundled" || value === "lexical" || value.includes("/")),
    "Give bundled, lexical, or the name of a fastembed model such as BAAI/bge-small-en-v1.5.",
  ),
  reuse: orNone(check(isText, "Give the folder or the address of a published index.")),
  pdf: check(isTexts, 'Give a list of folders, such as ["manuals"].'),
  strict: check((value) => typeof value === "boolean", "Give true or false."),
  name: orNone(check(isText, "Give a name for the site.")),
  version: orNone(check(isText, "Give a version, or leave it out: each page then has that of its docs.")),
  contentSelector: orNone(check(isText, "Give a CSS selector, such as main article.")),
  exports: check(
    (value) => isTexts(value) && value.every((name) => EXPORTS.includes(name)),
    `Give a list of these: ${EXPORTS.join(", ")}.`,
  ),
  widget: check(isMap, 'Give an object, such as { label: "Ask the handbook" }.'),
  indexer: orNone(
    check(
      (value) => value === false || isText(value) || (isTexts(value) && value.length > 0),
      'Give a command, such as "uv run trueref", or false to make the index later.',
    ),
  ),
};

const WIDGET: Record<keyof WidgetOptions, Check> = {
  label: check((value) => typeof value === "string", "Give a text."),
  shortcut: check(
    (value) => typeof value === "string" && Array.from(value).length <= 1,
    "Give one letter, which is pressed with Ctrl or Cmd, or an empty string for none.",
  ),
  position: check((value) => value === "right" || value === "left", "Give right or left."),
  accent: check((value) => typeof value === "string", "Give a CSS colour."),
  pdf: check((value) => value === "viewer" || value === "link", "Give viewer or link."),
  words: check(
    (value) => isMap(value) && Object.values(value).every((word) => typeof word === "string"),
    'Give texts by name, such as { placeholder: "Ask about the handbook" }.',
  ),
};

/**
 * The options with their defaults.
 *
 * @throws Error Something cannot be used; its message has a line for each thing, with the value and what to do.
 */
export function readOptions(given: unknown): TruerefOptions {
  const options = given ?? {};
  if (!isMap(options))
    throw new Error(`docusaurus-plugin-trueref: its options are ${shown(options)}. Give an object.`);
  const widget = isMap(options["widget"]) ? options["widget"] : {};
  const wrong = [...wrongIn(options, OPTIONS, ""), ...wrongIn(widget, WIDGET, "widget.")];
  if (wrong.length) throw new Error(`docusaurus-plugin-trueref: ${wrong.join("\n")}`);
  return withDefaults(options);
}

function withDefaults({ widget, indexer, ...given }: GivenOptions): TruerefOptions {
  return {
    id: "default",
    index: ".trueref",
    serverUrl: null,
    exclude: [],
    kinds: {},
    embedder: "bundled",
    reuse: null,
    pdf: [],
    strict: false,
    name: null,
    version: null,
    contentSelector: null,
    exports: ["manifest", "urls", "inventory"],
    ...given,
    widget: { label: "", shortcut: "i", position: "right", accent: "", pdf: "viewer", words: {}, ...widget },
    indexer: typeof indexer === "string" ? indexer.trim().split(/\s+/) : (indexer ?? null),
  };
}

function wrongIn(given: Record<string, unknown>, checks: Record<string, Check>, prefix: string): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (!Object.hasOwn(checks, name)) return [unknown(name, Object.keys(checks), prefix)];
    const advice = checks[name]?.(value);
    return advice ? [`The option ${prefix}${name} is ${shown(value)}. ${advice}`] : [];
  });
}

/** The message for an option that does not exist. The closest name helps with names of the MkDocs plugin. */
function unknown(name: string, known: string[], prefix: string): string {
  const distance = (option: string): number => leven(name.toLowerCase(), option.toLowerCase());
  const [closest = ""] = [...known].sort((one, other) => distance(one) - distance(other));
  const near = distance(closest) <= Math.max(2, Math.floor(name.length / 3));
  const help = near
    ? `Did you mean ${prefix}${closest}?`
    : `Use one of ${known.filter((option) => option !== "id").join(", ")}.`;
  return `There is no option ${prefix}${name}. ${help}`;
}

function checkKinds(value: Value): string | undefined {
  if (!isMap(value)) return 'Give a kind to each pattern, such as { "handbook/*": "reference" }.';
  return Object.entries(value)
    .map(([pattern, given]) => wrongRule(pattern, given))
    .find((advice) => advice !== undefined);
}

function wrongRule(pattern: string, given: Value): string | undefined {
  const pages = `the pages ${shown(pattern)}`;
  const { kind, weight, ...others } = isMap(given) ? given : { kind: given };
  if (Object.keys(others).length || (kind === undefined && weight === undefined))
    return `Give ${pages} a kind, or an object with kind, weight or both and nothing else.`;
  if (kind !== undefined && !KINDS.includes(kind as string))
    return `There is no kind ${shown(kind)} for ${pages}. Use one of ${KINDS.join(", ")}.`;
  if (weight !== undefined && !isWeight(weight))
    return `The weight ${shown(weight)} of ${pages} is not a number from -1 to 1.`;
  return undefined;
}

/** Whether a value is a number from -1 to 1; NaN is not. */
function isWeight(value: Value): value is number {
  return typeof value === "number" && value >= -1 && value <= 1;
}

function isServer(value: Value): boolean {
  if (!isText(value) || /[?#\s]/.test(value)) return false;
  if (value.startsWith("/")) return !value.startsWith("//");
  try {
    const { protocol, hostname } = new URL(value);
    return /^https?:\/\//.test(value) && /^https?:$/.test(protocol) && hostname !== "";
  } catch {
    return false;
  }
}

function shown(value: Value): string {
  // In JSON, NaN would be null.
  const text =
    typeof value === "number"
      ? String(value)
      : ((JSON.stringify(value) as string | undefined) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}
