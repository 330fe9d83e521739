import { cellsOf, isRule } from "../markup/rows";
import { fieldsOf, readAnswer, textOf, type Answer, type Fields } from "../shared/answer";
import { findSections, wordsOf, type Asked, type LexicalResult } from "./lexical";
import { NotThere, Shards } from "./shards";
import { cosine, unpack } from "./vectors";

/** Answers without a server, from the files that a build leaves beside the site: by words alone, with whole passages. */

// The weights of the three signals by which the passages of a section are compared. They are those of the server that
// need no embedder: see `WEIGHTS_BEFORE_READING` in choice.py.
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
const GIVEN_UP = /\b(?:deprecated|no longer|legacy|removed in|obsolete|discouraged)(?![\w/*-])/i;

/** The smallest share of the question with which a passage is an answer, and with which it is shown as the closest one. */
const MIN_ANSWER_SHARE = 0.55;
const MIN_CLOSEST_SHARE = 0.2;
const MAX_CARDS = 3;

interface Passage {
  blocks: Fields[];
  window: number[];
  /** The text that refers to a footnote: it is shown before the footnote, and does not count in the comparison. */
  lead?: Fields[];
  vector?: string;
}

/** A section with its best passage, and the share of the question that this passage has. */
interface SectionMatch {
  fields: Fields;
  blocks: Fields[];
  share: number;
  score: number;
}

const opened = new Map<string, Promise<Shards>>();

/** Fills `answer`; throws if the site has no such files, or if one of them cannot be fetched. */
export async function answerStatically(
  base: string,
  question: Asked,
  answer: Answer,
  note: string,
  missing: string,
  signal: AbortSignal,
): Promise<void> {
  const shards = await open(base, signal);
  const find = async (from: Shards): Promise<Answer> => answerFrom(from, question, note, missing, signal);
  const answered = find(shards).catch(async (error: unknown) => {
    if (!(error instanceof NotThere)) throw error;
    // The site was published anew since this page was opened, and the directory names other files now.
    opened.delete(base);
    return find(await open(base, signal));
  });
  Object.assign(answer, await answered);
}

async function answerFrom(
  shards: Shards,
  question: Asked,
  note: string,
  missing: string,
  signal: AbortSignal,
): Promise<Answer> {
  const lexical = await findSections(question, shards, signal);
  const sections = await Promise.all(lexical.ranked.map(({ section }) => shards.section(section, signal)));
  const matches = sections.map((fields, i) => matchOf(fields, lexical, lexical.ranked[i]?.score ?? 0));
  const all = matches.sort((one, other) => other.score - one.score);
  const best = all.find(({ blocks }) => blocks.length);
  const verdict =
    !best || best.share < MIN_CLOSEST_SHARE
      ? "not-found"
      : best.share < MIN_ANSWER_SHARE
        ? "closest"
        : "answer";
  const shown = verdict === "not-found" ? [] : all.filter(({ blocks }) => blocks.length).slice(0, MAX_CARDS);
  const sources = [...new Set([...shown, ...all])].map(({ fields }, i) => ({ ...fields, n: i + 1 }));
  const answer = {
    text: shown.length ? "" : [note, missing].filter(Boolean).join("\n\n"),
    note: shown.length ? note : "",
    verdict,
    generation: shards.directory.generation,
    excerpts: shown.map(({ blocks }, i) => ({ n: i + 1, caption: captionOf(blocks), blocks })),
    sources: sources.slice(0, shown.length),
    more: sources.slice(shown.length),
    citations: shown.length ? [1] : [],
  };
  return readAnswer(answer);
}

/** Opens the files of a site once while the page is shown, and again if that failed. */
function open(base: string, signal: AbortSignal): Promise<Shards> {
  const opening = opened.get(base) ?? Shards.open(base, signal);
  opened.set(base, opening);
  opening.catch(() => opened.delete(base));
  return opening;
}

/** A section with its best passage, by the score of the three signals. */
function matchOf(fields: Fields, lexical: LexicalResult, rankScore: number): SectionMatch {
  const passages = (Array.isArray(fields["passages"]) ? fields["passages"] : []) as Passage[];
  const breadcrumb = Array.isArray(fields["breadcrumb"]) ? fields["breadcrumb"].join(" ") : "";
  const title = stemsOf(`${breadcrumb} ${textOf(fields["section"])}`, lexical);
  const sectionScore = rankScore - (ASIDE.has(textOf(fields["kind"])) ? ASIDE_PENALTY : 0);
  const match: SectionMatch = { fields, blocks: [], share: -1, score: sectionScore };
  let most = -Infinity;
  for (const { window, lead = [], vector = "" } of passages) {
    if (!window.length) continue;
    const blocks = window.flatMap((index) => passages[index]?.blocks ?? []);
    const text = blocks.map(plain).join("\n");
    const own = stemsOf(text, lexical);
    const score =
      SHARED * shareOf(lexical, (stem) => own.has(stem)) +
      NEARNESS * cosine(lexical.meaning, unpack(vector)) +
      ROOM * Math.min(1, Math.log(1 + text.split(/\s+/).length) / Math.log(1 + MAX_WORDS)) +
      (GIVEN_UP.test(text) ? DEPRECATED : 0);
    // Of equal passages the first is taken, since the author wrote it first.
    if (score <= most) continue;
    most = score;
    const share = shareOf(lexical, (stem) => own.has(stem) || title.has(stem));
    Object.assign(match, { blocks: [...lead, ...blocks], share });
  }
  return match;
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
