import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { drawExcerpt, plainExcerpt } from "../src/markup/excerpt";
import type { ExcerptBlock } from "../src/shared/answer";
import { WORDS } from "../src/shared/words";
import "./dom";
import { isLinear } from "./growth";
import "./seed";

const block = (text: string, more: object = {}): ExcerptBlock => ({
  kind: "prose",
  text,
  caption: "",
  code_language: "",
  highlight: null,
  ...more,
});

/** One block on screen. */
function draw(text: string, more: object = {}): HTMLElement {
  const blocks = [block(text, more)];
  const whole = (): HTMLElement => document.createElement("a");
  const [drawn] = drawExcerpt({ n: 1, caption: "", opened: false, blocks }, WORDS, whole);
  assert.ok(drawn);
  return drawn;
}

/** The HTML of one block without names for styles. */
function html(text: string, more: object = {}): string {
  const { outerHTML } = draw(text, more);
  return outerHTML.replace(/<button.*?<\/button>/, "").replaceAll(/ (class|part|tabindex|role)="[^"]*"/g, "");
}

for (const [text, kind, expected] of [
  ["a **b** [1] \\| `c|d`\n\ne", "prose", "<div><p>a **b** [1] \\| <code>c|d</code></p><p>e</p></div>"],
  ["* a\n+ b", "prose", "<div><p>* a\n+ b</p></div>"],
  ["```py\nx", "prose", "<div><p>```py\nx</p></div>"],
  ["| a | b", "prose", "<div><p>| a | b</p></div>"],
  [
    "Lead:\n\n- a\n  goes on\n  - b\n- c",
    "list",
    "<div><p>Lead:</p><ul><li>a\n  goes on<ul><li>b</li></ul></li><li>c</li></ul></div>",
  ],
  ["9. a\n10. b", "list", '<div><ol start="9"><li>a</li><li>b</li></ol></div>'],
  [
    "| A |  |\n| --- | --- |\n| x \\| y | `a|b` |",
    "table",
    "<div><div><table><thead><tr><th>A</th><th></th></tr></thead>" +
      "<tbody><tr><td>x | y</td><td><code>a|b</code></td></tr></tbody></table></div></div>",
  ],
  [
    "| a | b |\n| - | - |",
    "table",
    "<div><div><table><tbody><tr><td>a</td><td>b</td></tr><tr><td>-</td><td>-</td></tr></tbody></table></div></div>",
  ],
  // Long names go on in the next line, so that the other columns keep their room; where they stand by themselves, none does.
  [
    "| `--no-cache` | `/var/lib/a_b.c` | `...` | a/b | `3.12` | `2026-11-26` |",
    "table",
    "<div><div><table><tbody><tr><td><code>--no-<wbr>cache</code></td>" +
      "<td><code>/var/<wbr>lib/<wbr>a_<wbr>b.<wbr>c</code></td><td><code>...</code></td><td>a/b</td>" +
      "<td><code>3.12</code></td><td><code>2026-11-26</code></td></tr></tbody></table></div></div>",
  ],
  ["`a_b`", "prose", "<div><p><code>a_b</code></p></div>"],
  ["`--x`\n\nDoes y.", "definition", "<div><p><code>--x</code></p><p>Does y.</p></div>"],
  [
    "a = [1]\n  …\n`b`",
    "code",
    "<div><div><span></span></div><pre><code>a = [1]\n<span>  …</span>\n`b`</code></pre></div>",
  ],
] as const) {
  test(`${kind}: ${JSON.stringify(text)}`, () => {
    assert.equal(html(text, { kind }), expected);
  });
}

test("a no-break space of code is shown, and copied as a plain one", () => {
  const copied: string[] = [];
  const clipboard = { writeText: (text: string) => Promise.resolve(void copied.push(text)) };
  Object.defineProperty(globalThis, "navigator", { value: { clipboard }, configurable: true });
  const drawn = draw("│\u00a0 a", { kind: "code" });
  assert.equal(drawn.querySelector("code")?.textContent, "│\u00a0 a");
  drawn.querySelector("button")?.click();
  assert.deepEqual(copied, ["│  a"]);
});

test("captions: of a warning, of a file, else the language", () => {
  const warning = { kind: "admonition", caption: "Careful" };
  assert.equal(html("Hot.", warning), "<div><p>Careful</p><p>Hot.</p></div>");
  assert.match(
    html("x", { kind: "code", caption: "a.yml", code_language: "yaml" }),
    /<span>a\.yml<\/span>.*<code>x</,
  );
  assert.match(html("x", { kind: "code", code_language: "yaml" }), /<span>yaml<\/span>/);
});

for (const [text, kind, highlight, expected] of [
  ["😀 one. 😀 two.", "prose", [7, 13], "<p>😀 one. <mark>😀 two.</mark></p>"],
  ["Use `a` now. b", "prose", [0, 12], "<p><mark>Use <code>a</code> now.</mark> b</p>"],
  ["- a\n- b c", "list", [6, 9], "<ul><li>a</li><li><mark>b c</mark></li></ul>"],
  ["a\nb\nc", "code", [2, 3], "<code>a\n<mark>b</mark>\nc</code>"],
  ["a\nb\n…\nc", "code", [2, 7], "<code>a\n<mark>b\n</mark><span>…</span><mark>\nc</mark></code>"],
  ["short", "prose", [2, 900], "<p>sh<mark>ort</mark></p>"],
] as const) {
  test(`what decides is marked: ${JSON.stringify(text)}`, () => {
    assert.ok(html(text, { kind, highlight }).includes(expected), html(text, { kind, highlight }));
  });
}

const piece = fc.constantFrom(..."a b ` \n \n\n |   - . 😀 … [1] ** <b>".split(" "), " ", "\\|", "1. ");
const anyText = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(""));

test("code is shown character for character, with any highlight", () => {
  fc.assert(
    fc.property(anyText, fc.nat(40), fc.integer({ min: 1, max: 40 }), (text, start, length) => {
      const plain = draw(text, { kind: "code" });
      const drawn = draw(text, { kind: "code", highlight: [start, start + length] });
      for (const box of [plain, drawn]) assert.equal(box.querySelector("code")?.textContent, text);
      const marked = [...drawn.querySelectorAll("mark")].map((mark) => mark.textContent).join("");
      const wanted = Array.from(text)
        .slice(start, start + length)
        .join("");
      if (!plain.querySelector(".gap")) assert.equal(marked, wanted);
    }),
    { numRuns: 1000 },
  );
});

test("a highlight changes no text, whatever the kind", () => {
  fc.assert(
    fc.property(anyText, fc.constantFrom("prose", "list", "table"), fc.nat(40), (text, kind, start) => {
      const marked = html(text, { kind, highlight: [start, start + 5] });
      const strip = (from: string): string => from.replaceAll(/<\/?(mark|code|wbr)>/g, "");
      assert.equal(strip(marked), strip(html(text, { kind })));
    }),
    { numRuns: 1000 },
  );
});

test("what is copied is what is shown", () => {
  const blocks = [block("Do:"), block("a\n…", { kind: "code", caption: "a.py" }), block("- x\n- y")];
  assert.equal(plainExcerpt({ n: 1, caption: "c", opened: false, blocks }), "Do:\n\na.py\na\n…\n\n- x\n- y");
});

for (const piece of ["-", "a-", "_a", "/", "1."]) {
  test(`code of ${piece} in a cell is parted in linear time`, () => {
    isLinear((length) => html(`| \`${piece.repeat(length)}x\` |`, { kind: "table" }), 50_000);
  });
}

test("code and tables are named by what they are and how they begin", () => {
  const named = (kind: ExcerptBlock["kind"], text: string, code_language = ""): unknown => {
    const block = { kind, text, caption: "", code_language, highlight: null };
    const [drawn] = drawExcerpt({ n: 1, caption: "", blocks: [block], opened: false }, WORDS, () =>
      document.createElement("a"),
    );
    return [drawn, ...(drawn?.querySelectorAll("*") ?? [])].find((it) => it?.role === "group")?.ariaLabel;
  };
  assert.equal(named("code", "pip install x\npip list"), "Code: pip install x");
  assert.equal(named("code", "a: 1", "yaml"), "Code yaml: a: 1");
  assert.equal(named("table", "| Name | Text |\n| --- | --- |\n| a | b |"), "Table: Name, Text");
});
