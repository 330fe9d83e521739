/** Finding a passage in the text of a page. Two readers of PDFs agree on letters and digits, and on little else. */

/** The characters `start` to `end` of one piece of the page's text. */
export interface Stretch {
  piece: number;
  start: number;
  end: number;
}

/** A shorter part of a passage could be anywhere. */
const MIN_LETTERS = 6;

/** The letters and digits of a text, without accents and ligatures, and for each the place where it stands. */
function lettersOf(text: string): { letters: string; places: number[] } {
  let letters = "";
  const places: number[] = [];
  let place = 0;
  for (const character of text) {
    for (const letter of character.normalize("NFKD").toLowerCase()) {
      if (!/[\p{L}\p{N}]/u.test(letter)) continue;
      letters += letter;
      for (let unit = 0; unit < letter.length; unit++) places.push(place);
    }
    place += character.length;
  }
  return { letters, places };
}

/** Where a passage stands among the pieces of a page: as a whole, else those of its lines or sentences that are found. */
export function findPassage(pieces: string[], passage: string): Stretch[] {
  const read = pieces.map(lettersOf);
  const page = read.map(({ letters }) => letters).join("");
  const owners = read.flatMap(({ places }, piece) => places.map((place) => [piece, place] as const));
  const stretches: Stretch[] = [];
  for (const [from, to] of rangesOf(page, passage)) {
    for (const [piece, place] of owners.slice(from, to)) {
      const last = stretches.at(-1);
      const end = endOf(pieces[piece] ?? "", place);
      if (last?.piece === piece) last.end = end;
      else stretches.push({ piece, start: place, end });
    }
  }
  return stretches;
}

/** Where a letter ends, with the full stop or the bracket that stands behind it. */
function endOf(piece: string, place: number): number {
  const letter = String.fromCodePoint(piece.codePointAt(place) ?? 0);
  return (
    place + letter.length + (/^[^\p{L}\p{N}\s]*/u.exec(piece.slice(place + letter.length))?.[0].length ?? 0)
  );
}

/** From and to in the letters of the page. */
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
    // A list has its numbers from the index, and may have other ones on the page.
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
