import type { Directory, Shards, Term } from "./shards";
import { cosine, sumOf, unpackWord } from "./vectors";

/** A question, and the page that it is asked from. */
export interface Asked {
  question: string;
  page?: string | undefined;
}

/** A question as the index of the site knows it. */
export interface LexicalResult {
  /** By stem of the question, how rare it is in the site. */
  weights: Map<string, number>;
  /** The sum of these weights, of which a word that no more than one section has is 1. */
  total: number;
  /** By word, its stem, for the words whose stem is one of the question's. */
  stems: Map<string, string>;
  stop: Set<string>;
  /** The vector of the question, empty if none of its words has one. */
  meaning: number[];
  /** Numbers of sections with their scores, best first. */
  ranked: { section: number; score: number }[];
}

/** The constants of BM25+, in which a word counts at least `LEAST`. Source: Lv and Zhai, Lower-Bounding Term Frequency, 2011. */
const [K1, B, LEAST] = [1.2, 0.7, 0.5];
/** How much the cosine of question and section counts beside the score by words, of which the best is 1. */
const MEANING = 2.5;
/** The score of a section that is about the topic that a question consists of. No other reaches it. */
export const USUAL = 10;
const MIN_PREFIX = 4;
const MAX_WORDS = 12;
/** How many sections are compared by their passages. */
export const MAX_SECTIONS = 6;

/** Scripts without spaces between words, and Hangul: what `_UNSPACED` of the server's words.py has. */
const UNSPACED =
  /([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\u{20000}-\u{3ffff}]+)/u;

/** A word with the sign of `C++` or `F#`: what `_SIGNED_WORD` of the server's words.py has. */
const WORD = /[\p{L}\p{N}]+(?:(?<=[a-z])(?:(?<![a-z0-9]{4})\+\+|(?<![a-z0-9]{2})#)(?![a-z]))?/gu;

/** The words of a text as the build counts them: without accents, scripts without spaces in pairs. */
export function wordsOf(text: string): string[] {
  const folded = text
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll("ς", "σ")
    .normalize("NFKD")
    // й is a letter of its own.
    .replace(/(и\u0306)|[\u0300-\u036f]/g, "$1")
    .normalize("NFC");
  return (folded.match(WORD) ?? []).flatMap((word) =>
    // Every other part is a run of such a script.
    word.split(UNSPACED).flatMap((part, at) => (at % 2 ? pairs(Array.from(part)) : part || [])),
  );
}

const pairs = (run: string[]): string[] =>
  Array.from({ length: Math.max(run.length - 1, 1) }, (_, at) => run.slice(at, at + 2).join(""));

/** Finds sections by the words of a question. Of the index it fetches no more than these words need. */
export async function findSections(
  { question, page = "" }: Asked,
  shards: Shards,
  signal: AbortSignal,
): Promise<LexicalResult> {
  const { directory } = shards;
  const told = wordsOf(question);
  // Words such as `thanks` and `how do I` are stop words. A single letter counts only if there are no longer words.
  const asked = [...new Set(told)].filter((word) => !directory.stop.has(word));
  const longer = asked.filter((word) => word.length > 1);
  const words = (longer.length ? longer : asked).slice(0, MAX_WORDS);
  const vectors = shards.vectors(signal);
  vectors.catch(() => undefined);
  const rows = await Promise.all(words.map((word) => shards.around(word, signal)));
  const stems = words.map((word, i) => stemOf(word, rows[i] ?? []));
  const known = await Promise.all(stems.map((stem) => shards.around(stem, signal)));
  const postings = new Map<string, number[][]>();
  const meaning = sumOf(words.map((word, i) => unpackWord(vectorIn(rows[i], word))));
  const lexical: LexicalResult = {
    weights: new Map(),
    total: 0,
    stems: new Map(),
    stop: directory.stop,
    meaning,
    ranked: [],
  };
  stems.forEach((stem, i) => {
    const term = known[i]?.find(([word]) => word === stem)?.[2] ?? [];
    if (term.length) postings.set(stem, term);
    lexical.weights.set(stem, rareness(term, directory.sections));
    lexical.stems.set(stem, stem);
    for (const [word, of] of [...(rows[i] ?? []), ...(known[i] ?? [])])
      if (of === stem) lexical.stems.set(word, stem);
  });
  const sum = [...lexical.weights.values()].reduce((total, weight) => total + weight, 0);
  lexical.total = sum / Math.log(1 + directory.sections);
  const byWords = scoresByWords(postings.values(), directory);
  lexical.ranked = rank(byWords, meaning, await vectors, usualSections(told, directory), shards, page);
  return lexical;
}

/** The sections about the topic that a question consists of; none if it asks for more. */
function usualSections(question: string[], { plain, usual }: Directory): number[] {
  const bare = question.filter((word) => !plain.has(word)).join(" ");
  return usual.find(([asked]) => new RegExp(`^(?:${asked})$`).test(bare))?.[1] ?? [];
}

/** The best sections by their words and their meaning. */
function rank(
  byWords: number[],
  meaning: number[],
  vectors: number[][],
  usual: number[],
  shards: Shards,
  page: string,
): LexicalResult["ranked"] {
  const best = byWords.reduce((most, score) => Math.max(most, score), 0);
  const ranked = byWords
    .map((score, section) => ({
      section,
      score:
        (best && score / best) +
        MEANING * Math.max(0, cosine(meaning, vectors[section] ?? [])) +
        (usual.includes(section) ? USUAL : 0),
      late: shards.lateness(page, section),
    }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  // Sections of the reader's version and language, or of others only if these have no word of it, as on a server.
  const having = ranked.filter(({ section }) => byWords[section]);
  const first = (having.length ? having : ranked).reduce(
    (least, { late }) => Math.min(least, late),
    Infinity,
  );
  return ranked.filter(({ late }) => late === first).slice(0, MAX_SECTIONS);
}

/** The stem of a word, if the site has the word; if not, the longest stem of the site that the word begins with. */
function stemOf(word: string, rows: Term[]): string {
  const row = rows.find(([known]) => known === word);
  // A row without a stem and without postings is that of a word that the site does not have.
  if (row?.[1] || row?.[2].length) return row[1] || word;
  const begins = rows
    .map(([known, stem]) => stem || known)
    .filter((stem) => stem.length >= MIN_PREFIX && word.startsWith(stem) && word.length - stem.length < 4);
  return begins.sort((one, other) => other.length - one.length)[0] ?? word;
}

/** The packed vector of a word, "" if none of the rows has one. */
const vectorIn = (rows: Term[] | undefined, word: string): string =>
  rows?.find(([known]) => known === word)?.[3] ?? "";

function rareness(postings: number[][], sections: number): number {
  const documentFrequency = Math.max(0, ...postings.map((field) => field.length / 2));
  return Math.log(1 + (sections - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** The score of each section by words: BM25+ over its fields, times the number of words that it has. */
function scoresByWords(postings: Iterable<number[][]>, { sections, lengths }: Directory): number[] {
  const scores = Array.from({ length: sections }, () => 0);
  const words = Array.from({ length: sections }, () => 0);
  const averages = lengths.map((field) => field.reduce((sum, length) => sum + length, 0) / (sections || 1));
  for (const fields of postings) {
    const having = new Set<number>();
    fields.forEach((field, i) => {
      const rare = rareness([field], sections);
      let section = 0;
      for (let at = 0; at < field.length; at += 2) {
        section += field[at] ?? 0;
        const count = field[at + 1] ?? 0;
        const length = (lengths[i]?.[section] ?? 0) / (averages[i] || 1);
        scores[section] =
          (scores[section] ?? 0) + rare * (LEAST + (count * (K1 + 1)) / (count + K1 * (1 - B + B * length)));
        having.add(section);
      }
    });
    for (const section of having) words[section] = (words[section] ?? 0) + 1;
  }
  return scores.map((score, section) => score * (words[section] ?? 0));
}
