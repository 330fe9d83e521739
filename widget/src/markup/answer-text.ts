import type { Mark } from "../shared/answer";
import { h } from "../shared/dom";
import type { Words } from "../shared/words";
import { buildBlock, fenceText, type Built } from "./block-elements";
import { ANSWER, splitBlocks, type Block } from "./blocks";
import { unitsOf } from "./inline";
import { InlineWriter, type Cite } from "./inline-elements";

interface Drawn extends Built {
  block: Block;
}

/**
 * An answer text as elements, growing with the stream. Settled blocks stay as they are; only the open end is
 * built again, so the work does not grow with the square of the text. Nothing is ever parsed as HTML.
 */
export class AnswerText {
  readonly element = h("div", "text");
  #settled: Drawn[] = [];
  #open: Drawn[] = [];
  #from = 0;
  readonly #writer: InlineWriter;

  constructor(cite: Cite, words: Words) {
    this.#writer = new InlineWriter(ANSWER, words, cite);
  }

  get text(): string {
    return this.#writer.text;
  }

  append(delta: string): void {
    // Without new text nothing is built again, so that a mark or link in the open end keeps the focus.
    if (!delta) return;
    this.#writer.text += delta;
    this.#drawOpen();
  }

  /** Underlines characters that the cited sections do not support. */
  mark({ start, end, reason }: Mark): void {
    const mark = { start: unitsOf(this.text, start), end: unitsOf(this.text, end), reason };
    this.#writer.marks.push(mark);
    for (const drawn of [...this.#settled, ...this.#open]) {
      if (mark.start < drawn.block.end && mark.end > drawn.block.start) this.#redraw(drawn);
    }
  }

  #drawOpen(): void {
    const before = this.#open;
    this.#open = splitBlocks(this.text, this.#from, ANSWER).map((block, i) => this.#draw(block, before[i]));
    for (const gone of before.slice(this.#open.length)) gone.element.remove();
    while (this.#open[0]?.block.settled) {
      const drawn = this.#open.shift() as Drawn;
      this.#settled.push(drawn);
      this.#from = drawn.block.end;
    }
  }

  #draw(block: Block, before: Drawn | undefined): Drawn {
    if (before && this.#grow(before, block)) return before;
    const drawn: Drawn = { block, ...buildBlock(block, this.#writer) };
    if (before) before.element.replaceWith(drawn.element);
    else this.element.append(drawn.element);
    return drawn;
  }

  /** Appends to the element of a code block that is not complete yet. */
  #grow(drawn: Drawn, block: Block): boolean {
    const { code } = drawn;
    // A mark may lie in what is appended.
    if (!code || this.#writer.marks.length || block.kind !== "fence" || drawn.block.start !== block.start)
      return false;
    const { text } = fenceText(this.text, block);
    if (!text.startsWith(code.data)) return false;
    code.appendData(text.slice(code.length));
    drawn.block = block;
    return true;
  }

  #redraw(drawn: Drawn): void {
    const built = buildBlock(drawn.block, this.#writer);
    drawn.element.replaceWith(built.element);
    Object.assign(drawn, built);
  }
}
