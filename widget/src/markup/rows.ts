import type { Range } from "./inline";

/** The rows of a table in Markdown. */

/** Whether a line is the one under the header of a table; it has to contain `dashes`. */
export const isRule = (line: string, dashes = "---"): boolean =>
  line.includes(dashes) && /^[\s|:-]+$/.test(line);

/** The cells of a row, which stand between bars; a bar in code or after a backslash does not end a cell. */
export function cellsOf(text: string, { start, end }: Range): Range[] {
  const cells: Range[] = [];
  let from = 0;
  let code = false;
  for (let at = start; at < end; at++) {
    if (text[at] === "`") code = !code;
    if (text[at] !== "|" || code || text[at - 1] === "\\") continue;
    if (from) cells.push({ start: from, end: at });
    from = at + 1;
  }
  if (text.slice(from, end).trim()) cells.push({ start: from, end });
  return cells;
}
