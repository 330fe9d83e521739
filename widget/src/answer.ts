/** The values that travel from the server to the panel, checked once where they come in. */

export interface Source {
  n: number;
  title: string;
  section: string;
  breadcrumb: string[];
  page: string;
  href: string;
}

/** Characters `start` to `end` of the text, in code points, that no cited section supports. */
export interface Mark {
  start: number;
  end: number;
  reason: string;
}

export type Verdict = "answer" | "closest" | "not-found";

/** The part of an answer that the panel shows; it fills up while the stream comes in. */
export interface Answer {
  text: string;
  sources: Source[];
  marks: Mark[];
  verdict: Verdict;
  generation: string;
}

export type Fields = Record<string, unknown>;

export const fieldsOf = (value: unknown): Fields =>
  typeof value === "object" && value ? (value as Fields) : {};
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const countOf = (value: unknown): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null;

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
    return {
      n,
      title: textOf(fields["title"]),
      section: textOf(fields["section"]),
      breadcrumb: listOf(fields["breadcrumb"]).filter((crumb) => typeof crumb === "string"),
      page: textOf(fields["page"]),
      href: textOf(fields["href"]),
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

export function readAnswer(fields: Fields): Answer {
  const verdict = fields["verdict"];
  return {
    text: textOf(fields["text"]),
    sources: readSources(fields["sources"]),
    marks: readMarks(fields["marks"]),
    verdict: verdict === "closest" || verdict === "not-found" ? verdict : "answer",
    generation: textOf(fields["generation"]),
  };
}
