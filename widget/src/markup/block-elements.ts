import { h, scrollable } from "../shared/dom";
import { closesFence, fenceOf, lineAt, type Block } from "./blocks";
import { codeBox } from "./code";
import type { Range } from "./inline";
import type { InlineWriter } from "./inline-elements";
import { cellsOf, isRule } from "./rows";

export interface Built {
  element: HTMLElement;
  /** The text node of a code block as long as more text can be appended to it. */
  code: Text | null;
}

/** Builds the element of one block of the text that `writer` holds. */
export function buildBlock(block: Block, writer: InlineWriter): Built {
  if (block.kind === "fence") return buildFence(block, writer);
  const build = { list: buildList, table: buildTable, paragraph: buildParagraph }[block.kind];
  return { element: build(block, writer), code: null };
}

/** The language and the code of a fence, without its two fence lines and their indent. */
export function fenceText(text: string, block: Block): { language: string; text: string } {
  const [opening, ...lines] = text.slice(block.start, block.end).split("\n");
  const fence = fenceOf(opening ?? "") ?? { ticks: 3, language: "", indent: 0 };
  while (lines.length && !lines.at(-1)) lines.pop();
  if (closesFence(lines.at(-1) ?? "", fence)) lines.pop();
  const indent = new RegExp(`^ {0,${fence.indent}}`);
  const code = fence.indent ? lines.map((line) => line.replace(indent, "")) : lines;
  return { language: fence.language, text: code.join("\n") };
}

function buildFence(block: Block, writer: InlineWriter): Built {
  const { text } = writer;
  const { language, text: code } = fenceText(text, block);
  const element = h("code");
  const start = block.start + lineAt(text, block.start).length;
  // If the fence is indented, its code differs from the text, so offsets of the text mark nothing in it.
  const whole = text.startsWith(code, start);
  if (whole) writer.plain(element, { start, end: start + code.length });
  else element.append(code);
  const growing = element.childElementCount ? null : (element.firstChild as Text | null);
  return { element: codeBox(language, element, writer.words), code: growing };
}

function buildParagraph(block: Block, writer: InlineWriter): HTMLElement {
  return writer.inline("p", block);
}

function buildList(block: Block, writer: InlineWriter): HTMLElement {
  const open: { indent: number; list: HTMLElement }[] = [];
  const top = (below = 0): { indent: number; list: HTMLElement } | undefined => open.at(-1 - below);
  for (const item of listItems(block, writer)) {
    const tag = Number.isNaN(item.number) ? "ul" : "ol";
    while (open.length > 1 && (top()?.indent ?? 0) > item.indent + 1) open.pop();
    // Bullets at the margin between numbers belong to the number above them.
    if (top()?.list.localName !== tag && top(1)?.list.localName === tag) open.pop();
    let current = top();
    if (current?.list.localName !== tag || item.indent > current.indent + 1) {
      const list = h(tag);
      if (list instanceof HTMLOListElement && item.number !== 1) list.start = item.number;
      current?.list.lastElementChild?.append(list);
      open.push((current = { indent: item.indent, list }));
    }
    current.list.append(writer.inline("li", item));
  }
  return open[0]?.list ?? h("ul");
}

interface Item extends Range {
  indent: number;
  /** NaN for a bullet. */
  number: number;
}

function listItems(block: Block, { text, dialect }: InlineWriter): Item[] {
  const items: Item[] = [];
  for (const line of linesOf(text, block)) {
    const match = dialect.item.exec(text.slice(line.start, line.end));
    const last = items.at(-1);
    if (match) {
      const [lead, indent = "", marker = ""] = match;
      const number = Number.parseInt(marker);
      items.push({ indent: indent.length, number, start: line.start + lead.length, end: line.end });
    } else if (last) last.end = line.end;
  }
  return items;
}

function buildTable(block: Block, writer: InlineWriter): HTMLElement {
  const { text, dialect, words } = writer;
  const lines = linesOf(text, block);
  const second = lines[1] ? text.slice(lines[1].start, lines[1].end) : "";
  const headed = isRule(second, dialect.headless ? "---" : "-");
  // Without the line under the header it is no table in Markdown, only text with a bar in front.
  if (!headed && !dialect.headless) return buildParagraph(block, writer);
  const body = h("tbody");
  const head = h("thead");
  lines.forEach((line, i) => {
    if (headed && i === 1) return;
    const top = headed && !i;
    const row = h("tr");
    for (const cell of cellsOf(text, line)) row.append(writer.inline(top ? "th" : "td", cell));
    (top ? head : body).append(row);
  });
  const table = h("table", "", ...(headed ? [head] : []), body);
  return scrollable(
    h("div", "table", table),
    [words.table],
    Array.from(table.rows[0]?.cells ?? [], (cell) => cell.textContent).join(", "),
  );
}

function linesOf(text: string, { start, end }: Range): Range[] {
  const lines: Range[] = [];
  for (let at = start; at < end;) lines.push({ start: at, end: (at += lineAt(text, at).length) });
  return lines;
}
