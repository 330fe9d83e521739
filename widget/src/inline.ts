/** What stands inside a line: `code`, **bold**, [n] and a backslash before one of these. Tokens are ranges of the text, found in linear time. */

export type Token =
  | { kind: "text" | "code" | "open" | "close"; start: number; end: number }
  | { kind: "cite"; start: number; end: number; n: number };

const SPECIAL = /\\[[*\\|]|`+|\*\*|\[(\d{1,3})\]/g;

/** Splits `text` from `start` to `end`; `known` says which citation numbers have a source. */
export function tokenize(text: string, start: number, end: number, known: (n: number) => boolean): Token[] {
  const line = text.slice(start, end).trimEnd();
  const tokens: Token[] = [];
  const unclosed = new Set<string>();
  let plain = line.length - line.trimStart().length;
  let bold: Token | null = null;
  const cut = (from: number, to: number): void => {
    if (from > plain) tokens.push({ kind: "text", start: start + plain, end: start + from });
    plain = to;
  };
  const finder = new RegExp(SPECIAL);
  for (let found = finder.exec(line); found; found = finder.exec(line)) {
    const { 0: special, 1: digits, index: at } = found;
    const after = at + special.length;
    if (special.startsWith("\\"))
      cut(at, at + 1); // an escaped mark stands for itself
    else if (special.startsWith("`")) {
      const close = unclosed.has(special) ? -1 : closingRun(line, special, after);
      // Remembered, so that a line of lone backticks is not searched again for each of them.
      if (close < 0) unclosed.add(special);
      else {
        cut(at, close + special.length);
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
  if (bold) bold.kind = "text"; // never closed: two asterisks after all
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
