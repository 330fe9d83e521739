/** Vectors as a build packs them: numbers from -7 to 7, two in a byte, in base64. */

const ZERO = 8;

/** The numbers of a packed vector, none for text that is not base64. The length of the vector means nothing. */
export const unpack = (packed: string): number[] => numbersOf(bytesOf(packed));

/** The vector of a word: before its numbers is a byte by which they are multiplied. */
export function unpackWord(packed: string): number[] {
  const [weight = 0, ...bytes] = bytesOf(packed);
  return numbersOf(bytes).map((number) => number * weight);
}

/** The sum of vectors. */
export function sumOf(vectors: number[][]): number[] {
  const sum: number[] = [];
  for (const vector of vectors) vector.forEach((number, i) => (sum[i] = (sum[i] ?? 0) + number));
  return sum;
}

/** The cosine of two vectors, 0 if one of them has no direction. Of the longer one the beginning counts. */
export function cosine(one: number[], other: number[]): number {
  let [shared, ofOne, ofOther] = [0, 0, 0];
  for (let i = 0; i < Math.min(one.length, other.length); i++) {
    const [a, b] = [one[i] ?? 0, other[i] ?? 0];
    shared += a * b;
    ofOne += a * a;
    ofOther += b * b;
  }
  return shared / (Math.sqrt(ofOne * ofOther) || 1);
}

function bytesOf(packed: string): number[] {
  try {
    return Array.from(atob(packed), (character) => character.charCodeAt(0));
  } catch {
    return [];
  }
}

function numbersOf(bytes: number[]): number[] {
  const numbers: number[] = [];
  for (const byte of bytes) numbers.push((byte >> 4) - ZERO, (byte & 15) - ZERO);
  return numbers;
}
