import { plainPage } from "../shared/address";
import { fieldsOf, readObject, textOf, type Fields } from "../shared/answer";
import { unpack } from "./vectors";

/** The files that a build leaves beside a site without a server: a directory, and shards that it names. */

export interface Directory {
  generation: string;
  /** How many sections there are. */
  sections: number;
  /** By field and section, how many words stand there. */
  lengths: number[][];
  stop: Set<string>;
  /** The shards of words with the first word of each, and those of sections with the first number. */
  terms: [string, string][];
  shown: [number, string][];
  /** The file with the vectors of the sections, "" if there is none. */
  vectors: string;
  /**
   * Pages and sections are sorted in runs of one edition, which is one version in one language. These are the first page
   * and the first section of each run, with the number of its edition.
   */
  readers: [string, number][];
  editions: [number, number][];
  /** By edition of the reader, and by edition of a section: how late the section is searched. */
  order: number[][];
  /** Sections about topics that all docs have, by the pattern of what is left of a question without words in `plain`. */
  plain: Set<string>;
  usual: [string, number[]][];
}

/** A word with the stem that it is found by, "" if that is the word itself, its postings by field, and its vector. */
export type Term = [word: string, stem: string, postings: number[][], vector?: string];

/** The site has no file at the address, or another one: hosts answer with a page where a file is missing. */
export class NotThere extends Error {}

const pairsOf = (value: unknown): [unknown, unknown][] =>
  (Array.isArray(value) ? value : []).filter((item): item is [unknown, unknown] => Array.isArray(item));

/** Reads the files of a site, each once. */
export class Shards {
  readonly #rows = new Map<string, Promise<unknown[]>>();
  #vectors: number[][] | undefined;

  private constructor(
    private readonly folder: URL,
    readonly directory: Directory,
  ) {}

  /** Throws `NotThere` if the site has no such files. */
  static async open(base: string, signal: AbortSignal): Promise<Shards> {
    const folder = new URL("assets/trueref/search/", base);
    // The browser asks the server each time whether the directory has changed. It names all other files by their digests.
    const url = new URL("index.json", folder);
    const index = await fetchObject(url, { cache: "no-cache", signal });
    const generation = textOf(index["generation"]);
    if (!generation) throw new NotThere(url.href);
    return new Shards(folder, {
      generation,
      sections: Number(index["sections"]) || 0,
      lengths: pairsOf(index["lengths"]) as number[][],
      stop: new Set(textOf(index["stop"]).split(" ")),
      terms: pairsOf(index["terms"]).map(([first, name]) => [textOf(first), textOf(name)]),
      shown: pairsOf(index["shown"]).map(([first, name]) => [Number(first), textOf(name)]),
      vectors: textOf(index["vectors"]),
      readers: pairsOf(index["readers"]) as [string, number][],
      editions: pairsOf(index["editions"]) as [number, number][],
      order: pairsOf(index["order"]) as number[][],
      plain: new Set(textOf(index["plain"]).split(" ")),
      usual: pairsOf(index["usual"]) as [string, number[]][],
    });
  }

  /** The rows of the shard in which a word stands if the site has it: with those of its neighbours in the alphabet. */
  async around(word: string, signal: AbortSignal): Promise<Term[]> {
    return (await this.#read(entryFor(this.directory.terms, word)?.[1], signal)) as Term[];
  }

  /** The vectors of all sections, by their numbers; none if the site has none. */
  async vectors(signal: AbortSignal): Promise<number[][]> {
    const rows = await this.#read(this.directory.vectors, signal);
    return (this.#vectors ??= rows.map((row) => unpack(textOf(row))));
  }

  /** A section by its number. */
  async section(number: number, signal: AbortSignal): Promise<Fields> {
    const shard = entryFor(this.directory.shown, number);
    return fieldsOf((await this.#read(shard?.[1], signal))[number - (shard?.[0] ?? 0)]);
  }

  /** How late a section is searched for a reader of a page. */
  lateness(page: string, section: number): number {
    const { readers, editions, order } = this.directory;
    return order[entryFor(readers, plainPage(page))?.[1] ?? 0]?.[entryFor(editions, section)?.[1] ?? 0] ?? 0;
  }

  #read(name: string | undefined, signal: AbortSignal): Promise<unknown[]> {
    if (!name) return Promise.resolve([]);
    const rows = this.#rows.get(name) ?? this.#fetch(name, signal);
    this.#rows.set(name, rows);
    rows.catch(() => this.#rows.delete(name));
    return rows;
  }

  async #fetch(name: string, signal: AbortSignal): Promise<unknown[]> {
    const url = new URL(name, this.folder);
    // The name has the digest of the content, so a copy that the browser has kept is never out of date. But it may be a
    // part of the file, or a page that stood in for it, kept while the site was being published.
    for (const cache of ["force-cache", "reload"] as const) {
      const { generation, rows } = await fetchObject(url, { cache, signal });
      if (generation === this.directory.generation && Array.isArray(rows)) return rows as unknown[];
    }
    throw new NotThere(url.href);
  }
}

async function fetchObject(url: URL, init: RequestInit): Promise<Fields> {
  const response = await fetch(url, init);
  if (!response.ok) throw new NotThere(url.href);
  return readObject(await response.text());
}

/** The entry for a key: the last one that begins at or before it. */
function entryFor<Key extends string | number, Value>(
  entries: [Key, Value][],
  key: Key,
): [Key, Value] | undefined {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle] as [Key, Value])[0] <= key) low = middle + 1;
    else high = middle;
  }
  return entries[low - 1];
}
