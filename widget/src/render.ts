import type { Mark } from "./answer";
import { splitBlocks, type Block } from "./blocks";
import { buildBlock, fenceText, type Built, type Writer } from "./build";
import { h } from "./dom";
import { tokenize } from "./inline";

/** A citation marker for source n, or null when n is not among the sources. */
export type Cite = (n: number) => HTMLElement | null;

interface Drawn extends Built {
  block: Block;
}

/**
 * An answer text as elements, growing with the stream. Settled blocks stay as they are; only the open end is
 * built again, so the work does not grow with the square of the text. Nothing is ever parsed as HTML.
 */
export class AnswerText {
  readonly element = h("div", "text");
  #text = "";
  #marks: Mark[] = [];
  #settled: Drawn[] = [];
  #open: Drawn[] = [];
  #from = 0;
  readonly #writer: Writer;

  constructor(
    private readonly cite: Cite,
    copyCode: (code: () => string) => HTMLElement,
    private readonly unsupported: string,
  ) {
    this.#writer = {
      copyCode,
      inline: (tag, start, end) => this.#inline(tag, start, end),
      plain: (parent, start, end) => this.#plain(parent, start, end),
    };
  }

  get text(): string {
    return this.#text;
  }

  append(delta: string): void {
    this.#text += delta;
    this.#drawOpen();
  }

  /** Underlines characters that the cited sections do not support. */
  mark({ start, end, reason }: Mark): void {
    const mark = { start: this.#offset(start), end: this.#offset(end), reason };
    this.#marks.push(mark);
    for (const drawn of [...this.#settled, ...this.#open]) {
      if (mark.start < drawn.block.end && mark.end > drawn.block.start) this.#redraw(drawn);
    }
  }

  #drawOpen(): void {
    const before = this.#open;
    this.#open = splitBlocks(this.#text, this.#from).map((block, i) => this.#draw(block, before[i]));
    for (const gone of before.slice(this.#open.length)) gone.element.remove();
    while (this.#open[0]?.block.settled) {
      const drawn = this.#open.shift() as Drawn;
      this.#settled.push(drawn);
      this.#from = drawn.block.end;
    }
  }

  #draw(block: Block, before: Drawn | undefined): Drawn {
    if (before && this.#grow(before, block)) return before;
    const drawn: Drawn = { block, ...buildBlock(this.#text, block, this.#writer) };
    if (before) before.element.replaceWith(drawn.element);
    else this.element.append(drawn.element);
    return drawn;
  }

  /** Appends to an open code block in place. */
  #grow(drawn: Drawn, block: Block): boolean {
    const { code } = drawn;
    // A mark may lie in what is appended.
    if (!code || this.#marks.length || block.kind !== "fence" || drawn.block.start !== block.start)
      return false;
    const { text } = fenceText(this.#text, block);
    if (!text.startsWith(code.data)) return false;
    code.appendData(text.slice(code.length));
    drawn.block = block;
    return true;
  }

  #redraw(drawn: Drawn): void {
    const { element, code } = buildBlock(this.#text, drawn.block, this.#writer);
    drawn.element.replaceWith(element);
    Object.assign(drawn, { element, code });
  }

  /** Marks count code points, as the server's language does; strings here count UTF-16 units. */
  #offset(points: number): number {
    let at = 0;
    for (let n = 0; n < points && at < this.#text.length; n++) {
      at += (this.#text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }
    return at;
  }

  #inline(tag: "p" | "li" | "th" | "td", start: number, end: number): HTMLElement {
    const element = h(tag);
    let target: HTMLElement = element;
    for (const token of tokenize(this.#text, start, end, (n) => this.cite(n) !== null)) {
      const { kind } = token;
      if (kind === "close") target = element;
      else if (kind === "cite") target.append(this.cite(token.n) ?? "");
      else if (kind === "text") this.#plain(target, token.start, token.end);
      else {
        const inner = h(kind === "code" ? "code" : "strong");
        target.append(inner);
        if (kind === "code") this.#plain(inner, token.start, token.end);
        else target = inner;
      }
    }
    return element;
  }

  /** Puts a range as text, with the marked parts of it in spans. */
  #plain(parent: HTMLElement, start: number, end: number): boolean {
    let at = start;
    const marks = this.#marks.filter((mark) => mark.start < end && mark.end > start);
    for (const mark of marks.sort((one, other) => one.start - other.start)) {
      const from = Math.max(at, mark.start);
      const to = Math.min(end, mark.end);
      if (to <= from) continue;
      parent.append(this.#text.slice(at, from));
      const span = h("span", "mark", this.#text.slice(from, to));
      span.title = mark.reason || this.unsupported;
      parent.append(span);
      at = to;
    }
    if (at < end) parent.append(this.#text.slice(at, end));
    return marks.length > 0;
  }
}
