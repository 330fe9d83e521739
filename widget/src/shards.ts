import { plainPage } from "./address";
import { fieldsOf, readObject, textOf, type Fields } from "./answer";

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
  /** The first page, and the first section, of each run of one version and language, with the number of these. */
  readers: [string, number][];
  editions: [number, number][];
  /** For a reader of each of them, how late each is searched. */
  order: number[][];
}

/** A word with the stem that it is found by, "" if that is the word itself, and its postings by field. */
export type Term = [word: string, stem: string, postings: number[][]];

/** Nothing is at the address. */
export class NotThere extends Error {}

const pairsOf = (value: unknown): [unknown, unknown][] =>
  (Array.isArray(value) ? value : []).filter((item): item is [unknown, unknown] => Array.isArray(item));

/** Reads the files of a site, each once. */
export class Shards {
  readonly #rows = new Map<string, Promise<unknown[]>>();

  private constructor(
    private readonly folder: URL,
    readonly directory: Directory,
  ) {}

  /** Throws if the site has no such files. */
  static async open(base: string, signal: AbortSignal): Promise<Shards> {
    const folder = new URL("assets/trueref/search/", base);
    // Asked for anew each time, which costs nothing while it is the same: all else is named in it by digest.
    const told = await fetchObject(new URL("index.json", folder), { cache: "no-cache", signal });
    const lengths = (Array.isArray(told["lengths"]) ? told["lengths"] : []) as number[][];
    return new Shards(folder, {
      generation: textOf(told["generation"]),
      sections: Number(told["sections"]) || 0,
      lengths,
      stop: new Set(textOf(told["stop"]).split(" ")),
      terms: pairsOf(told["terms"]).map(([first, name]) => [textOf(first), textOf(name)]),
      shown: pairsOf(told["shown"]).map(([first, name]) => [Number(first), textOf(name)]),
      readers: pairsOf(told["readers"]) as [string, number][],
      editions: pairsOf(told["editions"]) as [number, number][],
      order: pairsOf(told["order"]) as number[][],
    });
  }

  /** What is known of the words around one: the rows of the shard in which it stands, if it does. */
  async around(word: string, signal: AbortSignal): Promise<Term[]> {
    return (await this.#read(placeOf(this.directory.terms, word)?.[1], signal)) as Term[];
  }

  /** A section by its number. */
  async section(number: number, signal: AbortSignal): Promise<Fields> {
    const shard = placeOf(this.directory.shown, number);
    return fieldsOf((await this.#read(shard?.[1], signal))[number - (shard?.[0] ?? 0)]);
  }

  /** How late a section is searched for a reader of a page. */
  lateness(page: string, section: number): number {
    const { readers, editions, order } = this.directory;
    return order[placeOf(readers, plainPage(page))?.[1] ?? 0]?.[placeOf(editions, section)?.[1] ?? 0] ?? 0;
  }

  #read(name: string | undefined, signal: AbortSignal): Promise<unknown[]> {
    if (!name) return Promise.resolve([]);
    const held = this.#rows.get(name) ?? this.#fetch(name, signal);
    this.#rows.set(name, held);
    held.catch(() => this.#rows.delete(name));
    return held;
  }

  async #fetch(name: string, signal: AbortSignal): Promise<unknown[]> {
    // The name has the digest: what the browser once kept under it is right for ever, on every page of the site.
    const told = await fetchObject(new URL(name, this.folder), { cache: "force-cache", signal });
    return Array.isArray(told["rows"]) ? (told["rows"] as unknown[]) : [];
  }
}

async function fetchObject(url: URL, init: RequestInit): Promise<Fields> {
  const response = await fetch(url, init);
  if (!response.ok) throw new NotThere(url.href);
  return readObject(await response.text());
}

/** The last shard that begins at or before a key. */
function placeOf<Key extends string | number, Of>(shards: [Key, Of][], key: Key): [Key, Of] | undefined {
  let [low, high] = [0, shards.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shards[middle] as [Key, Of])[0] <= key) low = middle + 1;
    else high = middle;
  }
  return shards[low - 1];
}
