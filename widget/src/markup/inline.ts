/** The markup inside a line: `code`, **bold**, [n] and a backslash before a mark. Tokens are ranges of the text, found in linear time. */

/** A range of a text, in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

export type Token = Range & ({ kind: "text" | "code" | "open" | "close" } | { kind: "cite"; n: number });

/** Says which citation numbers have a source. */
type Known = (n: number) => boolean;

/** Splits a range of `text` into tokens; `special` finds the markup. */
export function tokenize(text: string, { start, end }: Range, special: RegExp, known: Known): Token[] {
  const line = text.slice(start, end).trimEnd();
  const tokens: Token[] = [];
  const unclosed = new Set<string>();
  let plain = line.length - line.trimStart().length;
  let bold: Token | null = null;
  const cut = (from: number, to: number): void => {
    if (from > plain) tokens.push({ kind: "text", start: start + plain, end: start + from });
    plain = to;
  };
  const finder = new RegExp(special);
  for (let match = finder.exec(line); match; match = finder.exec(line)) {
    const { 0: mark, 1: digits, index: at } = match;
    const after = at + mark.length;
    if (mark.startsWith("\\"))
      cut(at, at + 1); // an escaped mark stands for itself
    else if (mark.startsWith("`")) {
      const close = unclosed.has(mark) ? -1 : closingRun(line, mark, after);
      // Remembered, so that the rest of the line is searched only once for each length of a run of backticks.
      if (close < 0) unclosed.add(mark);
      else {
        cut(at, close + mark.length);
        tokens.push({ kind: "code", start: start + after, end: start + close });
        finder.lastIndex = plain;
      }
    } else if (digits === undefined) {
      const edge = line[bold ? at - 1 : after];
      if (edge === undefined || /\s/.test(edge)) continue;
      cut(at, after);
      const token: Token = { kind: bold ? "close" : "open", start: start + at, end: start + after };
      tokens.push(token);
      bold = bold ? null : token;
    } else if (known(Number(digits))) {
      cut(at, after);
      tokens.push({ kind: "cite", start: start + at, end: start + after, n: Number(digits) });
    }
  }
  cut(line.length, line.length);
  if (bold) bold.kind = "text"; // never closed, so the two asterisks are text
  return tokens;
}

/** Where the next run of exactly these backticks starts, or -1. */
function closingRun(line: string, ticks: string, from: number): number {
  for (let at = line.indexOf(ticks, from); at >= 0;) {
    let end = at + ticks.length;
    while (line[end] === "`") end++;
    if (end - at === ticks.length) return at;
    at = line.indexOf(ticks, end);
  }
  return -1;
}

/** The offset in a string, in UTF-16 units, that is `points` code points from its start; the server counts code points. */
export function unitsOf(text: string, points: number): number {
  return Array.from(text).slice(0, points).join("").length;
}
