import MiniSearch, { type AsPlainObject } from "minisearch";
import type { Directory, Shards, Term } from "./shards";

/** A question, and the page that it is asked from. */
export interface Asked {
  question: string;
  page?: string | undefined;
}

/** A question as the index of the site knows it. */
export interface LexicalResult {
  /** By stem of the question, how rare it is in the site. */
  weights: Map<string, number>;
  /** By word, its stem, for the words whose stem is one of the question's. */
  stems: Map<string, string>;
  /** Numbers of sections with their scores, best first. */
  ranked: { section: number; score: number }[];
}

const FIELDS = ["title", "path", "body"];
const BOOST = { title: 2.5, path: 1.2 };
const MIN_PREFIX = 4;
const MAX_WORDS = 12;
const MAX_SECTIONS = 6;

const UNSPACED =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+|[^\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]+/g;

/** The words of a text as the build counts them: without accents, scripts without spaces in pairs. */
export function wordsOf(text: string): string[] {
  const folded = text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC");
  return (folded.match(/[\p{L}\p{N}]+/gu) ?? []).flatMap((word) =>
    /^[\x20-\x7f]*$/.test(word) ? [word] : (word.match(UNSPACED) ?? []).flatMap(pairs),
  );
}

function pairs(run: string): string[] {
  if (!/[\u0e00-\ud7a3\uf900-\ufaff]/.test(run)) return [run];
  return Array.from({ length: Math.max(run.length - 1, 1) }, (_, at) => run.slice(at, at + 2));
}

/** Finds sections by the words of a question. Of the index it fetches no more than these words need. */
export async function findSections(
  { question, page = "" }: Asked,
  shards: Shards,
  signal: AbortSignal,
): Promise<LexicalResult> {
  const { directory } = shards;
  // Words such as `thanks` and `how do I` are stop words. A single letter counts only if there are no longer words.
  const asked = [...new Set(wordsOf(question))].filter((word) => !directory.stop.has(word));
  const longer = asked.filter((word) => word.length > 1);
  const words = (longer.length ? longer : asked).slice(0, MAX_WORDS);
  const rows = await Promise.all(words.map((word) => shards.around(word, signal)));
  const stems = words.map((word, i) => stemOf(word, rows[i] ?? []));
  const known = await Promise.all(stems.map((stem) => shards.around(stem, signal)));
  const postings = new Map<string, number[][]>();
  const lexical: LexicalResult = { weights: new Map(), stems: new Map(), ranked: [] };
  stems.forEach((stem, i) => {
    const term = known[i]?.find(([word]) => word === stem)?.[2] ?? [];
    if (term.length) postings.set(stem, term);
    lexical.weights.set(stem, rareness(term, directory.sections));
    lexical.stems.set(stem, stem);
    for (const [word, of] of [...(rows[i] ?? []), ...(known[i] ?? [])])
      if (of === stem) lexical.stems.set(word, stem);
  });
  const ranked = rank([...postings.keys()], postings, directory).map((result) => ({
    ...result,
    late: shards.lateness(page, result.section),
  }));
  // Sections of the reader's version and language, or of others only if these have none, as on a server.
  const first = Math.min(...ranked.map(({ late }) => late));
  lexical.ranked = ranked.filter(({ late }) => late === first).slice(0, MAX_SECTIONS);
  return lexical;
}

/** The stem of a word, if the site has the word; if not, the longest stem of the site that the word begins with. */
function stemOf(word: string, rows: Term[]): string {
  const row = rows.find(([known]) => known === word);
  if (row) return row[1] || word;
  const begins = rows
    .map(([known, stem]) => stem || known)
    .filter((stem) => stem.length >= MIN_PREFIX && word.startsWith(stem) && word.length - stem.length < 4);
  return begins.sort((one, other) => other.length - one.length)[0] ?? word;
}

function rareness(postings: number[][], sections: number): number {
  const documentFrequency = Math.max(0, ...postings.map((field) => field.length / 2));
  return Math.log(1 + (sections - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** Ranks sections with MiniSearch, from an index of these words alone, in the form in which MiniSearch saves one. */
function rank(
  words: string[],
  postings: Map<string, number[][]>,
  { sections, lengths }: Directory,
): LexicalResult["ranked"] {
  const numbers = Array.from({ length: sections }, (_, i) => i);
  const index = {
    documentCount: sections,
    nextId: sections,
    documentIds: Object.fromEntries(numbers.map((i) => [i, i])),
    fieldIds: Object.fromEntries(FIELDS.map((field, i) => [field, i])),
    fieldLength: Object.fromEntries(numbers.map((i) => [i, lengths.map((field) => field[i] ?? 0)])),
    averageFieldLength: lengths.map(
      (field) => field.reduce((sum, length) => sum + length, 0) / (sections || 1),
    ),
    storedFields: {},
    dirtCount: 0,
    serializationVersion: 2,
    index: words.map((word) => [word, entriesOf(postings.get(word) ?? [])]),
  } as unknown as AsPlainObject;
  const search = MiniSearch.loadJS(index, {
    fields: FIELDS,
    tokenize: (text) => text.split(" "),
    processTerm: (term) => term,
  });
  return search
    .search(words.join(" "), { boost: BOOST })
    .map(({ id, score }) => ({ section: id as number, score }));
}

function entriesOf(postings: number[][]): Record<string, Record<string, number>> {
  return Object.fromEntries(
    postings.flatMap((field, i) => {
      const entries: Record<string, number> = {};
      let section = 0;
      for (let at = 0; at < field.length; at += 2) entries[(section += field[at] ?? 0)] = field[at + 1] ?? 0;
      return field.length ? [[i, entries]] : [];
    }),
  );
}
