import { cellsOf, isRule } from "../markup/rows";
import { fieldsOf, textOf, type Fields } from "../shared/answer";
import { ANSWER_FROM, confidenceOf, verdictOf, type Features } from "./confidence";
import { findSections, MAX_SECTIONS, USUAL, wordsOf, type Asked, type LexicalResult } from "./lexical";
import { NotThere, Shards } from "./shards";
import { cosine, unpack } from "./vectors";

/** Answers without a server, from the files that a build leaves beside the site, with whole passages. */

// The weights of the signals by which the passages of a section are compared. The first three are those of the server
// that need no embedder: see `WEIGHTS_BEFORE_READING` in choice.py.
const SHARED = 5.4;
const ROOM = 2.7;
const DEPRECATED = -1.6;
/** How much it counts how near a passage is to the question. */
const NEARNESS = 3;
const ASIDE = new Set(["changelog", "blog", "landing"]);
/** How much less a section of these kinds of pages counts: in the scores of sections the best one by words has 1. */
const ASIDE_PENALTY = 0.5;
/** A longer passage scores no higher: a screen has room for about so many words. */
const MAX_WORDS = 180;
/** A shorter passage is no explanation, such as the type with which an entry of a reference begins. */
const MIN_EXPLANATION = 6;
const GIVEN_UP = /\b(?:deprecated|no longer|legacy|removed in|obsolete|discouraged)(?![\w/*-])/i;

const MAX_CARDS = 3;

interface Passage {
  blocks: Fields[];
  window: number[];
  /** The text that refers to a footnote: it is shown before the footnote, and does not count in the comparison. */
  lead?: Fields[];
  vector?: string;
}

/** A section with its best passage, the share of the question that this passage has, and how near it is to the question. */
interface SectionMatch {
  fields: Fields;
  blocks: Fields[];
  share: number;
  /** How many words these are, as `Features.found`. */
  found: number;
  nearness: number;
  score: number;
}

const opened = new Map<string, Promise<Shards>>();

/**
 * An answer with the field names of the server. Throws if the site has no such files, or if one of them cannot be
 * fetched.
 */
export async function answerStatically(
  base: string,
  question: Asked,
  note: string,
  missing: string,
  signal: AbortSignal,
): Promise<Fields> {
  const shards = await open(base, signal);
  return answerFrom(shards, question, note, missing, signal).catch(async (error: unknown) => {
    if (!(error instanceof NotThere)) throw error;
    // The site was published anew since this page was opened, and the directory names other files now.
    opened.delete(base);
    return answerFrom(await open(base, signal), question, note, missing, signal);
  });
}

async function answerFrom(
  shards: Shards,
  question: Asked,
  note: string,
  missing: string,
  signal: AbortSignal,
): Promise<Fields> {
  const all = await findMatches(shards, question, signal);
  // A page of kinds that are penalised may be the one that is asked for, such as the change log.
  const isUsual = (cardsOf(all)[0]?.score ?? 0) >= USUAL - ASIDE_PENALTY;
  const confidence = Math.max(confidenceOf(featuresOf(all)), isUsual ? ANSWER_FROM : 0);
  const verdict = verdictOf(confidence);
  const shown = verdict === "not-found" ? [] : cardsOf(all);
  const sources = [...new Set([...shown, ...all])].map(({ fields }, i) => ({ ...fields, n: i + 1 }));
  return {
    text: shown.length ? "" : [note, missing].filter(Boolean).join("\n\n"),
    note: shown.length ? note : "",
    verdict,
    confidence,
    generation: shards.directory.generation,
    excerpts: shown.map(({ blocks }, i) => ({ n: i + 1, caption: captionOf(blocks), blocks })),
    sources: sources.slice(0, shown.length),
    more: sources.slice(shown.length),
    citations: shown.length ? [1] : [],
  };
}

/** Opens the files of a site once while the page is shown, and again if that failed. */
function open(base: string, signal: AbortSignal): Promise<Shards> {
  const opening = opened.get(base) ?? Shards.open(base, signal);
  opened.set(base, opening);
  opening.catch(() => opened.delete(base));
  return opening;
}

/** The sections for a question with their best passages, best first. */
export async function findMatches(
  shards: Shards,
  question: Asked,
  signal: AbortSignal,
): Promise<SectionMatch[]> {
  const lexical = await findSections(question, shards, signal);
  const sections = await Promise.all(lexical.ranked.map(({ section }) => shards.section(section, signal)));
  const matches = sections.map((fields, i) => matchOf(fields, lexical, lexical.ranked[i]?.score ?? 0));
  return matches.sort((one, other) => other.score - one.score);
}

/** The features of the first card, for its verdict. */
export function featuresOf(all: SectionMatch[]): Features {
  const { share = 0, found = 0, nearness = 0 } = cardsOf(all)[0] ?? {};
  // Sections that share nothing with the question are not among them, and have no score.
  const margin = (all[0]?.score ?? 0) - (all[MAX_SECTIONS - 1]?.score ?? 0);
  return { share, found, margin, cosine: nearness };
}

/** The sections that can be shown with a passage. */
export const cardsOf = (all: SectionMatch[]): SectionMatch[] =>
  all.filter(({ blocks }) => blocks.length).slice(0, MAX_CARDS);

/** A section with its best passage, by the score of the signals. */
function matchOf(fields: Fields, lexical: LexicalResult, rankScore: number): SectionMatch {
  const passages = (Array.isArray(fields["passages"]) ? fields["passages"] : []) as Passage[];
  const breadcrumb = Array.isArray(fields["breadcrumb"]) ? fields["breadcrumb"].join(" ") : "";
  const title = stemsOf(`${breadcrumb} ${textOf(fields["section"])}`, lexical);
  const sectionScore = rankScore - (ASIDE.has(textOf(fields["kind"])) ? ASIDE_PENALTY : 0);
  const match: SectionMatch = { fields, blocks: [], share: 0, found: 0, nearness: 0, score: sectionScore };
  let most = -Infinity;
  const isAsked = rankScore >= USUAL || isTitle(textOf(fields["section"]), lexical);
  let opening: Fields[] | undefined;
  for (const { window, lead = [], vector = "" } of passages) {
    if (!window.length) continue;
    const blocks = window.flatMap((index) => passages[index]?.blocks ?? []);
    const text = blocks.map(plain).join("\n");
    const own = stemsOf(text, lexical);
    const nearness = cosine(lexical.meaning, unpack(vector));
    const score =
      SHARED * shareOf(lexical, (stem) => own.has(stem)) +
      NEARNESS * nearness +
      ROOM * Math.min(1, Math.log(1 + text.split(/\s+/).length) / Math.log(1 + MAX_WORDS)) +
      (GIVEN_UP.test(text) ? DEPRECATED : 0);
    if (isAsked && !GIVEN_UP.test(text) && wordsOf(text).length >= MIN_EXPLANATION)
      opening ??= [...lead, ...blocks];
    // Of equal passages the first is taken, since the author wrote it first.
    if (score <= most) continue;
    most = score;
    const share = shareOf(lexical, (stem) => own.has(stem) || title.has(stem));
    Object.assign(match, { blocks: [...lead, ...blocks], share, found: share * lexical.total, nearness });
  }
  // No word of such a question distinguishes the passages of the section, and authors first say what a thing is.
  return opening ? { ...match, blocks: opening } : match;
}

/** Whether a question consists of the words of a title. */
function isTitle(title: string, { weights, stems, stop }: LexicalResult): boolean {
  const words = wordsOf(title).filter((word) => !stop.has(word));
  const asked = words.flatMap((word) => stems.get(word) ?? []);
  return asked.length > 0 && asked.length === words.length && new Set(asked).size === weights.size;
}

const plain = (block: Fields): string => `${textOf(block["caption"])}\n${textOf(block["text"])}`;

function stemsOf(text: string, { stems }: LexicalResult): Set<string> {
  return new Set(wordsOf(text).flatMap((word) => stems.get(word) ?? []));
}

/** The share of the question's stems for which `isIn` holds, each counted by its rareness. */
function shareOf({ weights }: LexicalResult, isIn: (stem: string) => boolean): number {
  let [total, has] = [0, 0];
  for (const [stem, weight] of weights) {
    total += weight;
    if (isIn(stem)) has += weight;
  }
  return total ? has / total : 0;
}

/** The line that a folded card shows: the first one outside of code, or the cells of the first row of a table. */
function captionOf(blocks: Fields[]): string {
  const block = fieldsOf(blocks.find(({ kind }) => kind !== "code") ?? blocks[0]);
  const [first = "", second = "", third] = textOf(block["text"]).trim().split("\n");
  if (block["kind"] !== "table") return first.trim().replace(/[:：]$/, "");
  const row = (isRule(second) && third) || first;
  const cells = cellsOf(row, { start: 0, end: row.length });
  return cells
    .map(({ start, end }) => row.slice(start, end).trim())
    .filter(Boolean)
    .join(" – ");
}
