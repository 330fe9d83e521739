import { ITEM, closesFence, fenceOf, lineAt, type Block } from "./blocks";
import { h } from "./dom";

/** How a block writes ranges of the text. */
export interface Writer {
  /** An element with a range in it, trimmed, with code, bold and citations. */
  inline(tag: "p" | "li" | "th" | "td", start: number, end: number): HTMLElement;
  /** Puts a range as it stands; true when parts of it are marked. */
  plain(parent: HTMLElement, start: number, end: number): boolean;
  copyCode(code: () => string): HTMLElement;
}

export interface Built {
  element: HTMLElement;
  /** The text of a code block while it can grow in place. */
  code: Text | null;
}

interface Range {
  start: number;
  end: number;
}

/** Builds the element of one block. */
export function buildBlock(text: string, block: Block, writer: Writer): Built {
  if (block.kind === "fence") return buildFence(text, block, writer);
  const build = { list: buildList, table: buildTable, paragraph: buildParagraph }[block.kind];
  return { element: build(text, block, writer), code: null };
}

/** The language and the code of a fence, without its two fence lines and their indent. */
export function fenceText(text: string, block: Block): { language: string; text: string } {
  const [opening, ...lines] = text.slice(block.start, block.end).split("\n");
  const fence = fenceOf(opening ?? "") ?? { ticks: 3, language: "", indent: 0 };
  while (lines.length && !lines[lines.length - 1]) lines.pop();
  if (closesFence(lines[lines.length - 1] ?? "", fence)) lines.pop();
  const indent = new RegExp(`^ {0,${fence.indent}}`);
  const code = fence.indent ? lines.map((line) => line.replace(indent, "")) : lines;
  return { language: fence.language, text: code.join("\n") };
}

function buildFence(text: string, block: Block, writer: Writer): Built {
  const { language, text: code } = fenceText(text, block);
  const element = h("code");
  const start = block.start + lineAt(text, block.start).length;
  // An indented fence is not the text as it stands, so marks cannot be placed in it.
  const whole = text.startsWith(code, start);
  const marked = whole && writer.plain(element, start, start + code.length);
  if (!whole) element.append(code);
  const pre = h("pre", "", element);
  pre.tabIndex = 0; // it scrolls, so the keyboard must reach it
  const head = h(
    "div",
    "code-head",
    h("span", "", language),
    writer.copyCode(() => element.textContent),
  );
  return { element: h("div", "code", head, pre), code: marked ? null : (element.firstChild as Text | null) };
}

function buildParagraph(_text: string, { start, end }: Block, writer: Writer): HTMLElement {
  return writer.inline("p", start, end);
}

function buildList(text: string, block: Block, writer: Writer): HTMLElement {
  const open: { indent: number; list: HTMLElement }[] = [];
  const top = (below = 0): { indent: number; list: HTMLElement } | undefined => open[open.length - 1 - below];
  for (const item of listItems(text, block)) {
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
    current.list.append(writer.inline("li", item.start, item.end));
  }
  return open[0]?.list ?? h("ul");
}

interface Item extends Range {
  indent: number;
  /** NaN for a bullet. */
  number: number;
}

function listItems(text: string, block: Block): Item[] {
  const items: Item[] = [];
  for (const line of linesOf(text, block)) {
    const found = ITEM.exec(text.slice(line.start, line.end));
    const last = items[items.length - 1];
    if (found) {
      const [lead, indent = "", marker = ""] = found;
      const number = Number.parseInt(marker);
      items.push({ indent: indent.length, number, start: line.start + lead.length, end: line.end });
    } else if (last) last.end = line.end;
  }
  return items;
}

function buildTable(text: string, block: Block, writer: Writer): HTMLElement {
  const lines = linesOf(text, block);
  const second = lines[1] ? text.slice(lines[1].start, lines[1].end) : "";
  // Without the line under the header it is no table, only text with a bar in front.
  if (!second.includes("-") || !/^[\s|:-]+$/.test(second)) return buildParagraph(text, block, writer);
  const body = h("tbody");
  const head = h("thead");
  lines.forEach((line, i) => {
    if (i === 1) return;
    const row = h("tr");
    for (const cell of cellsOf(text, line)) {
      row.append(writer.inline(i ? "td" : "th", cell.start, cell.end));
    }
    (i ? body : head).append(row);
  });
  const box = h("div", "table", h("table", "", head, body));
  box.tabIndex = 0;
  return box;
}

/** Cells between bars; a bar in code or after a backslash does not cut. */
function cellsOf(text: string, { start, end }: Range): Range[] {
  const cells: Range[] = [];
  let from = 0;
  let code = false;
  for (let at = start; at < end; at++) {
    if (text[at] === "`") code = !code;
    if (text[at] !== "|" || code || text[at - 1] === "\\") continue;
    if (from) cells.push({ start: from, end: at });
    from = at + 1;
  }
  if (text.slice(from, end).trim()) cells.push({ start: from, end });
  return cells;
}

function linesOf(text: string, { start, end }: Range): Range[] {
  const lines: Range[] = [];
  for (let at = start; at < end; at = lines[lines.length - 1]?.end ?? end) {
    lines.push({ start: at, end: at + lineAt(text, at).length });
  }
  return lines;
}
