import { fieldsOf, readAnswer, textOf, type Answer, type Fields } from "./answer";
import { findSections, wordsOf, type Asked, type Lexical } from "./lexical";
import { cellsOf, isRule } from "./rows";
import { NotThere, Shards } from "./shards";

/** Answers from the files beside the site, if no server does: by words alone, with the passages of the build. */

// What signals count of a passage in its section: three of the server's that need no embedder, see `UNREAD` in choice.py.
const SHARED = 5.4;
const ROOM = 2.7;
const DEPRECATED = -1.6;
const ASIDE = new Set(["changelog", "blog", "landing"]);
/** Words that a screen has room for. */
const MAX_WORDS = 180;
const GIVEN_UP = /\b(?:deprecated|no longer|legacy|removed in|obsolete|discouraged)\b/i;

/** The share of what is asked that a passage has, from which it is shown as an answer, and from which as the closest. */
const ANSWERS = 0.55;
const CLOSE = 0.2;
const MAX_CARDS = 3;

interface Passage {
  blocks: Fields[];
  window: number[];
  /** What refers to a footnote: shown before it, and no part of what competes. */
  lead?: Fields[];
}

interface Card {
  fields: Fields;
  blocks: Fields[];
  share: number;
}

const opened = new Map<string, Promise<Shards>>();

/** Fills `answer`; throws if the site has no such files, or if one of them cannot be had. */
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
  const sections = await Promise.all(lexical.found.map(({ section }) => shards.section(section, signal)));
  const read = sections.map((fields) => cardOf(fields, lexical));
  // Readers are not led to a change log before a guide; of each kind the order stays.
  const isAside = ({ fields }: Card): boolean => ASIDE.has(textOf(fields["kind"]));
  const all = [...read.filter((card) => !isAside(card)), ...read.filter(isAside)];
  const best = all.find(({ blocks }) => blocks.length);
  const verdict = !best || best.share < CLOSE ? "not-found" : best.share < ANSWERS ? "closest" : "answer";
  const shown = verdict === "not-found" ? [] : all.filter(({ blocks }) => blocks.length).slice(0, MAX_CARDS);
  const sources = [...new Set([...shown, ...all])].map(({ fields }, i) => ({ ...fields, n: i + 1 }));
  const answer = {
    text: shown.length ? "" : [note, missing].filter(Boolean).join("\n\n"),
    note: shown.length ? note : "",
    verdict,
    generation: shards.directory.generation,
    excerpts: shown.map(({ blocks }, i) => ({ n: i + 1, caption: tellingLine(blocks), blocks })),
    sources: sources.slice(0, shown.length),
    more: sources.slice(shown.length),
    citations: shown.length ? [1] : [],
  };
  return readAnswer(answer);
}

/** The files are opened once a page, and again if that failed. */
function open(base: string, signal: AbortSignal): Promise<Shards> {
  const opening = opened.get(base) ?? Shards.open(base, signal);
  opened.set(base, opening);
  opening.catch(() => opened.delete(base));
  return opening;
}

/** A section with the passage that has most of the question, and what is shown with it. */
function cardOf(fields: Fields, lexical: Lexical): Card {
  const passages = (Array.isArray(fields["passages"]) ? fields["passages"] : []) as Passage[];
  const breadcrumb = Array.isArray(fields["breadcrumb"]) ? fields["breadcrumb"].join(" ") : "";
  const title = stemsOf(`${breadcrumb} ${textOf(fields["section"])}`, lexical);
  const card: Card = { fields, blocks: [], share: -1 };
  let most = -Infinity;
  for (const { window, lead = [] } of passages) {
    if (!window.length) continue;
    const blocks = window.flatMap((place) => passages[place]?.blocks ?? []);
    const text = blocks.map(plain).join("\n");
    const own = stemsOf(text, lexical);
    const score =
      SHARED * shareOf(lexical, (stem) => own.has(stem)) +
      ROOM * Math.min(1, Math.log(1 + text.split(/\s+/).length) / Math.log(1 + MAX_WORDS)) +
      (GIVEN_UP.test(text) ? DEPRECATED : 0);
    // Of equals the first is taken: it is what the author said first.
    if (score <= most) continue;
    most = score;
    const share = shareOf(lexical, (stem) => own.has(stem) || title.has(stem));
    Object.assign(card, { blocks: [...lead, ...blocks], share });
  }
  return card;
}

const plain = (block: Fields): string => `${textOf(block["caption"])}\n${textOf(block["text"])}`;

function stemsOf(text: string, { stems }: Lexical): Set<string> {
  return new Set(wordsOf(text).flatMap((word) => stems.get(word) ?? []));
}

/** The share of the question that something has, rare words counting for more. */
function shareOf({ weights }: Lexical, isIn: (stem: string) => boolean): number {
  let [total, has] = [0, 0];
  for (const [stem, weight] of weights) {
    total += weight;
    if (isIn(stem)) has += weight;
  }
  return total ? has / total : 0;
}

/** The line that stands for a folded card: the first that is no code; of a table the cells of its first row. */
function tellingLine(blocks: Fields[]): string {
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
