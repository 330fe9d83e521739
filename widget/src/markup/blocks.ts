/** Splits a growing text into blocks, line by line. Every offset counts from the start of the text. */

export type BlockKind = "paragraph" | "list" | "table" | "fence";

export interface Block {
  kind: BlockKind;
  start: number;
  end: number;
  /** No further text can change it: the line that ended it is complete. */
  settled: boolean;
}

/** An opening fence: its backticks, the language and the indent that its lines share. */
export interface Fence {
  ticks: number;
  language: string;
  indent: number;
}

/** Which characters of a text are markup. */
export interface Dialect {
  /** How an item of a list begins: its indent and its mark. */
  item: RegExp;
  /** The markup inside a line, and inside the cell of a table; see `tokenize`. */
  line: RegExp;
  cell: RegExp;
  fences: boolean;
  /** A table may lack its header. */
  headless: boolean;
}

const MARKS = /\\[[*\\|]|`+|\*\*|\[(\d{1,3})\]/g;

/** A small Markdown with citations, in which answers are written. */
export const ANSWER: Dialect = {
  item: /^( *)([-*+]|\d{1,3}[.)]) +/,
  line: MARKS,
  cell: MARKS,
  fences: true,
  headless: false,
};

/** The markup of the documentation's own text. All other characters are shown as they are. */
export const DOCS: Dialect = {
  item: /^( *)(-|\d{1,5}\.) +/,
  line: /`+/g,
  cell: /\\\||`+/g,
  fences: false,
  headless: false,
};

/** The blocks of `text` from `from` on. */
export function splitBlocks(text: string, from: number, dialect: Dialect): Block[] {
  const blocks: Block[] = [];
  for (let at = from; at < text.length;) {
    const line = lineAt(text, at);
    const kind = kindOf(line, dialect);
    if (kind === null) {
      at += line.length;
      continue;
    }
    const fence = kind === "fence" ? fenceOf(line) : null;
    const block = fence ? fenceBlock(text, at, fence) : runBlock(text, at, kind, dialect);
    blocks.push(block);
    at = block.end;
  }
  return blocks;
}

/** The line at an offset, with its newline when it has one. */
export function lineAt(text: string, at: number): string {
  const newline = text.indexOf("\n", at);
  return newline < 0 ? text.slice(at) : text.slice(at, newline + 1);
}

/** Reads an opening fence. */
export function fenceOf(line: string): Fence | null {
  // The line and the language are trimmed here, since spaces in the expression would make it backtrack.
  const [, ticks, language = ""] = /^(`{3,})([^`]*)$/.exec(line.trim()) ?? [];
  return ticks ? { ticks: ticks.length, language: language.trim(), indent: line.indexOf("`") } : null;
}

/** True for a line that closes the fence: nothing but as many backticks. */
export function closesFence(line: string, { ticks }: Fence): boolean {
  const rest = line.trim();
  return rest.length >= ticks && /^`+$/.test(rest);
}

function kindOf(line: string, { fences, item }: Dialect): BlockKind | null {
  const rest = line.trim();
  if (!rest) return null;
  if (fences && rest.startsWith("```") && fenceOf(line)) return "fence";
  if (rest.startsWith("|")) return "table";
  return item.test(line) ? "list" : "paragraph";
}

function fenceBlock(text: string, start: number, fence: Fence): Block {
  let at = start + lineAt(text, start).length;
  while (at < text.length) {
    const line = lineAt(text, at);
    at += line.length;
    if (closesFence(line, fence)) return { kind: "fence", start, end: at, settled: line.endsWith("\n") };
  }
  return { kind: "fence", start, end: at, settled: false };
}

/** Lines of one kind; plain lines under a list item belong to it. */
function runBlock(text: string, start: number, kind: BlockKind, dialect: Dialect): Block {
  let at = start;
  while (at < text.length) {
    const line = lineAt(text, at);
    const here = kindOf(line, dialect);
    const same = here === kind || (kind === "list" && here === "paragraph");
    if (at > start && !same) return { kind, start, end: at, settled: line.endsWith("\n") };
    at += line.length;
  }
  return { kind, start, end: at, settled: false };
}
