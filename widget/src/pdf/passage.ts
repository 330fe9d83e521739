/** Finding a passage in the text of a page. Two readers of PDFs agree on letters and digits, and on little else. */

/** The characters `start` to `end` of one piece of the page's text. */
export interface Stretch {
  piece: number;
  start: number;
  end: number;
}

/** A part of a passage with fewer letters is not looked for: it could be anywhere. */
const MIN_LETTERS = 6;

/** The letters and digits of a text, without accents and ligatures, and the offset of each in it. */
function lettersOf(text: string): { letters: string; offsets: number[] } {
  let letters = "";
  const offsets: number[] = [];
  let offset = 0;
  for (const character of text) {
    for (const letter of character.normalize("NFKD").toLowerCase()) {
      if (!/[\p{L}\p{N}]/u.test(letter)) continue;
      letters += letter;
      for (let unit = 0; unit < letter.length; unit++) offsets.push(offset);
    }
    offset += character.length;
  }
  return { letters, offsets };
}

/** Where a passage stands among the pieces of a page: as a whole, else those of its lines or sentences that are found. */
export function findPassage(pieces: string[], passage: string): Stretch[] {
  const read = pieces.map(lettersOf);
  const page = read.map(({ letters }) => letters).join("");
  const owners = read.flatMap(({ offsets }, piece) => offsets.map((offset) => [piece, offset] as const));
  const stretches: Stretch[] = [];
  for (const [from, to] of rangesOf(page, passage)) {
    for (const [piece, offset] of owners.slice(from, to)) {
      const last = stretches.at(-1);
      const end = endOf(pieces[piece] ?? "", offset);
      if (last?.piece === piece) last.end = end;
      else stretches.push({ piece, start: offset, end });
    }
  }
  return stretches;
}

/** Where a letter ends, with the full stop or the bracket that stands behind it. */
function endOf(piece: string, offset: number): number {
  const letter = String.fromCodePoint(piece.codePointAt(offset) ?? 0);
  return (
    offset + letter.length + (/^[^\p{L}\p{N}\s]*/u.exec(piece.slice(offset + letter.length))?.[0].length ?? 0)
  );
}

/** Where the passage stands in the letters of the page: the start and the end of each range, the end not included. */
function rangesOf(page: string, passage: string): [number, number][] {
  const whole = rangeOf(page, passage, 0);
  if (whole) return [whole];
  const ranges: [number, number][] = [];
  let after = 0;
  const take = (part: string): boolean => {
    const range = rangeOf(page, part, after) ?? rangeOf(page, part, 0);
    if (range) ranges.push(range);
    after = range?.[1] ?? after;
    return !!range;
  };
  for (const line of passage.split(/[\n|]/)) {
    // The numbers of a list come from the index, and may be others on the page.
    if (take(line) || take(line.replace(/^\s*\d+\.\s/, ""))) continue;
    line.split(/(?<=[.!?。])\s*/).forEach(take);
  }
  return ranges.sort(([one], [other]) => one - other);
}

function rangeOf(page: string, part: string, after: number): [number, number] | null {
  const { letters } = lettersOf(part);
  const from = letters.length < MIN_LETTERS ? -1 : page.indexOf(letters, after);
  return from < 0 ? null : [from, from + letters.length];
}
