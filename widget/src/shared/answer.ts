/** The values that the server sends to the panel. Each is checked once, when it arrives. */

export interface Source {
  n: number;
  title: string;
  section: string;
  breadcrumb: string[];
  page: string;
  anchor: string;
  href: string;
  /** The words of the source that are cited. */
  quote: string;
  /** The text fragment of the quote, without `:~:`; "" if the server could not prove that the page has the quote. */
  text_fragment: string;
  /** The name of the kind of its page, such as "Guide", in the language of the answer. */
  kind_name: string;
  /** The language of its page, "" if it is not known. */
  language: string;
}

/** Characters `start` to `end` of the text, in code points, that no cited section supports. */
export interface Mark {
  start: number;
  end: number;
  reason: string;
}

const KINDS = ["prose", "list", "table", "code", "admonition", "definition"] as const;

/** One block of an excerpt, with the text of the documentation. The names of fields are those of the server. */
export interface ExcerptBlock {
  kind: (typeof KINDS)[number];
  text: string;
  /** The title of an admonition or of a file, the label of a tab. */
  caption: string;
  code_language: string;
  /** The words that answer the question: their first character, and the one behind their last, in code points. */
  highlight: [number, number] | null;
}

/** The inside of a card: a passage of source `n`, and the one line that stands for it while it is folded. */
export interface Excerpt {
  n: number;
  caption: string;
  blocks: ExcerptBlock[];
  /** Whether the reader has opened its card. The server does not send it; the panel keeps it over page loads. */
  opened: boolean;
}

export type Verdict = "answer" | "closest" | "not-found";

/** The part of an answer that the panel shows; it fills up while the stream comes in. */
export interface Answer {
  answer_id: string;
  text: string;
  excerpts: Excerpt[];
  sources: Source[];
  more: Source[];
  /** The numbers of the sources that the answer cites. Their cards are open. */
  citations: number[];
  marks: Mark[];
  verdict: Verdict;
  note: string;
  read_as: string;
  generation: string;
  /** Whether a build was under way, so that the newest text may be missing. */
  updating: boolean;
  /** Whether the server keeps ratings of the answer. */
  feedback: boolean;
  /** `model` if a language model wrote the text. */
  mode: string;
}

// Far above what a server sends. They keep the page usable whatever the answer contains.
const MAX_ITEMS = 200;
const MAX_CHARACTERS = 20_000;

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value ? (value as Fields) : {};
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MAX_ITEMS) : []);
const countOf = (value: unknown): number | null =>
  Number.isInteger(value) && (value as number) >= 0 ? (value as number) : null;

/** Parses JSON into an object; anything else is an empty one. */
export function readObject(json: string): Fields {
  try {
    return fieldsOf(JSON.parse(json));
  } catch {
    return {};
  }
}

export function readSources(value: unknown): Source[] {
  return listOf(value).flatMap((item) => {
    const fields = fieldsOf(item);
    const n = countOf(fields["n"]);
    if (n === null) return [];
    const breadcrumb = listOf(fields["breadcrumb"]).map(textOf).filter(Boolean);
    return {
      n,
      breadcrumb,
      title: textOf(fields["title"]),
      section: textOf(fields["section"]),
      page: textOf(fields["page"]),
      anchor: textOf(fields["anchor"]),
      href: textOf(fields["href"]),
      quote: textOf(fields["quote"]),
      text_fragment: textOf(fields["text_fragment"]),
      kind_name: textOf(fields["kind_name"]),
      language: textOf(fields["language"]),
    };
  });
}

export function readMarks(value: unknown): Mark[] {
  return listOf(value).flatMap((item) => {
    const fields = fieldsOf(item);
    const start = countOf(fields["start"]);
    const end = countOf(fields["end"]);
    return start === null || end === null ? [] : { start, end, reason: textOf(fields["reason"]) };
  });
}

/** The numbers of a list. */
function readCounts(value: unknown): number[] {
  return listOf(value).flatMap((item) => countOf(item) ?? []);
}

/** Excerpts that have something to show, and a source: without it a card would have no title, and no link to check it by. */
export function readExcerpts(value: unknown, sources: Source[]): Excerpt[] {
  const excerpts = listOf(value).flatMap((item) => {
    const fields = fieldsOf(item);
    const n = countOf(fields["n"]);
    const blocks = listOf(fields["blocks"]).map(readBlock);
    const filled = blocks.filter(({ text }) => text.trim());
    const opened = !!fields["opened"];
    return n === null || !filled.length
      ? []
      : { n, caption: textOf(fields["caption"]), blocks: filled, opened };
  });
  return excerpts.filter(({ n }) => sources.some((source) => source.n === n));
}

function readBlock(value: unknown): ExcerptBlock {
  const fields = fieldsOf(value);
  const [start, end] = readCounts(fields["highlight"]);
  return {
    kind: KINDS.find((kind) => kind === fields["kind"]) ?? "prose",
    text: textOf(fields["text"]).slice(0, MAX_CHARACTERS),
    caption: textOf(fields["caption"]),
    code_language: textOf(fields["code_language"]),
    highlight: start !== undefined && end !== undefined && start < end ? [start, end] : null,
  };
}

export function readAnswer(fields: Fields): Answer {
  const { verdict } = fields;
  const sources = readSources(fields["sources"]);
  return {
    answer_id: textOf(fields["answer_id"]),
    text: textOf(fields["text"]),
    note: textOf(fields["note"]),
    read_as: textOf(fields["read_as"]),
    generation: textOf(fields["generation"]),
    updating: fields["updating"] === true,
    feedback: fields["feedback"] === true,
    mode: textOf(fields["mode"]),
    excerpts: readExcerpts(fields["excerpts"], sources),
    sources,
    more: readSources(fields["more"]),
    citations: readCounts(fields["citations"]),
    marks: readMarks(fields["marks"]),
    verdict: verdict === "closest" || verdict === "not-found" ? verdict : "answer",
  };
}
