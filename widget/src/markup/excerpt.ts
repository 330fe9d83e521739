import type { Excerpt, ExcerptBlock } from "../shared/answer";
import { h } from "../shared/dom";
import type { Words } from "../shared/words";
import { buildBlock } from "./block-elements";
import { DOCS, splitBlocks } from "./blocks";
import { codeBox } from "./code";
import { unitsOf } from "./inline";
import { InlineWriter } from "./inline-elements";

/** The blocks of an excerpt as elements; below code with lines left out stands `whole`, a link to all of it. */
export function drawExcerpt({ blocks }: Excerpt, words: Words, whole: () => HTMLElement): HTMLElement[] {
  return blocks.flatMap((block) => {
    const drawn = drawBlock(block, words);
    return drawn.querySelector(".gap") ? [drawn, whole()] : [drawn];
  });
}

/** An excerpt as plain text: what is shown of it. */
export function plainExcerpt({ blocks }: Excerpt): string {
  return blocks.map(({ caption, text }) => (caption ? `${caption}\n${text}` : text)).join("\n\n");
}

function drawBlock(
  { kind, text, caption, code_language, highlight }: ExcerptBlock,
  words: Words,
): HTMLElement {
  const writer = new InlineWriter({ ...DOCS, headless: kind === "table" }, words);
  writer.text = text;
  if (highlight) writer.marks = [{ start: unitsOf(text, highlight[0]), end: unitsOf(text, highlight[1]) }];
  if (kind === "code") return codeBox(caption || code_language, drawLines(writer), words);
  const blocks = splitBlocks(text, 0, writer.dialect);
  const box = h(
    "div",
    kind === "admonition" ? kind : "",
    ...blocks.map((block) => buildBlock(block, writer).element),
  );
  if (caption) box.prepend(h("p", "label", caption));
  if (kind === "admonition") box.role = "note";
  return box;
}

/** Code as it stands; a line `…` stands for lines that were left out. */
function drawLines(writer: InlineWriter): HTMLElement {
  const code = h("code");
  const { text } = writer;
  // All lines up to the next `…` are drawn at once, so that a mark over several lines is one element.
  let start = 0;
  for (const { index, 0: gap } of text.matchAll(/^[ \t]*…[ \t]*$/gm)) {
    writer.plain(code, { start, end: index });
    code.append(h("span", "gap", gap));
    start = index + gap.length;
  }
  writer.plain(code, { start, end: text.length });
  return code;
}
