import { h } from "../shared/dom";
import type { Words } from "../shared/words";
import type { Dialect } from "./blocks";
import { tokenize, type Range } from "./inline";

/** A citation marker for source n, or null when n is not among the sources. */
export type Cite = (n: number) => HTMLElement | null;

/** A range that is marked: with a reason, text that no cited section supports; without one, the words that answer. */
export interface Marked extends Range {
  reason?: string;
}

/** Writes ranges of one text into elements, with inline code, bold, citations and marks. */
export class InlineWriter {
  text = "";
  marks: Marked[] = [];
  #open: { mark: Marked; element: HTMLElement } | null = null;

  constructor(
    readonly dialect: Dialect,
    readonly words: Words,
    private readonly cite: Cite = () => null,
  ) {}

  /** An element with a range in it, trimmed. */
  inline(tag: "p" | "li" | "th" | "td", range: Range): HTMLElement {
    const { line, cell } = this.dialect;
    const element = h(tag);
    let target: HTMLElement = element;
    const inCell = tag.startsWith("t");
    const known = (n: number): boolean => this.cite(n) !== null;
    for (const token of tokenize(this.text, range, inCell ? cell : line, known)) {
      const { kind } = token;
      if (kind === "close") target = element;
      else if (kind === "cite") target.append(this.cite(token.n) ?? "");
      else if (kind !== "open") this.plain(target, token, kind === "code", inCell);
      else element.append((target = h("strong")));
    }
    return element;
  }

  /** Puts a range as it stands, or as inline code. In a cell, code may go on in the next line behind `/`, `_`, `.` and `-`. */
  plain(parent: HTMLElement, { start, end }: Range, isCode = false, inCell = false): void {
    let at = start;
    const put = (into: HTMLElement, to: number): void => {
      const piece = this.text.slice(at, to);
      // A path that cannot break would take the width of the column that explains it. Numbers do not break.
      const cut = inCell && isCode && piece.length < 200;
      const parts = cut ? piece.replace(/[^/_.-][/_.-]+(?=[^/_.\d-])/g, "$&\n").split("\n") : [piece];
      const code = parts.flatMap((part, i) => (i ? [h("wbr"), part] : part));
      if (piece) into.append(isCode ? h("code", "", ...code) : piece);
      at = Math.max(at, to);
    };
    for (const mark of this.marks.sort((one, other) => one.start - other.start)) {
      if (mark.start >= end || mark.end <= at) continue;
      put(parent, mark.start);
      put(this.#markIn(parent, mark), Math.min(end, mark.end));
    }
    put(parent, end);
  }

  /** The element of a mark: the one at the end of the parent while the same mark goes on. */
  #markIn(parent: HTMLElement, mark: Marked): HTMLElement {
    if (this.#open?.mark === mark && this.#open.element === parent.lastChild) return this.#open.element;
    const { reason } = mark;
    const element = reason === undefined ? h("mark", "highlight") : h("span", "mark");
    if (reason !== undefined) {
      element.title = reason || this.words.unsupported;
      // A pointer over the mark shows the title. A tap and the keyboard focus the mark, and the style shows the title then.
      element.tabIndex = 0;
    }
    parent.append(element);
    this.#open = { mark, element };
    return element;
  }
}
