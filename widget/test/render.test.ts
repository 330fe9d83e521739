import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AnswerText } from "../src/markup/answer-text";
import { WORDS } from "../src/shared/words";
import "./dom";
import { isLinear } from "./growth";
import "./seed";

const SOURCES = new Set([1, 2, 3]);
const ATTRIBUTES = new Set("class part tabindex title start role type hidden".split(" "));
const ALLOWED = new Set("p ul ol li pre code strong table thead tbody tr th td a span div button".split(" "));

function newText(): AnswerText {
  const cite = (n: number): HTMLElement | null => {
    if (!SOURCES.has(n)) return null;
    const link = document.createElement("a");
    link.textContent = `^${n}`;
    return link;
  };
  return new AnswerText(cite, WORDS);
}

function render(...chunks: string[]): AnswerText {
  const text = newText();
  for (const chunk of chunks) text.append(chunk);
  return text;
}

/** The HTML without what every code block carries. */
function html(text: AnswerText): string {
  return text.element.innerHTML
    .replaceAll('<button class="copy" part="copy" type="button">Copy</button>', "")
    .replaceAll(' role="group"', "")
    .replaceAll(' class="code" part="code"', "")
    .replaceAll(' class="code-head" part="code-head"', "")
    .replaceAll(' tabindex="0"', "")
    .replaceAll(' class="table" part="table"', "")
    .replaceAll(' class="mark" part="mark"', "");
}

for (const [markdown, expected] of [
  ["one\ntwo\n\nthree", "<p>one\ntwo</p><p>three</p>"],
  ["a **b** c", "<p>a <strong>b</strong> c</p>"],
  ["2 ** 3 and **open", "<p>2 ** 3 and **open</p>"],
  ["**a `b**` c**", "<p><strong>a <code>b**</code> c</strong></p>"],
  ["`a` ``b ` c`` `d", "<p><code>a</code> <code>b ` c</code> `d</p>"],
  ["See [1], [9] and `[1]`.", "<p>See <a>^1</a>, [9] and <code>[1]</code>.</p>"],
  ["Both say so. [1][2]", "<p>Both say so. <a>^1</a><a>^2</a></p>"],
  ["[1](https://evil.example) ![x](y)", "<p><a>^1</a>(https://evil.example) ![x](y)</p>"],
  ["see \\[1] \\*\\* and \\\\[2], C:\\x", "<p>see [1] ** and \\<a>^2</a>, C:\\x</p>"],
  ["- a\n- b [2]\n  - c\n- d", "<ul><li>a</li><li>b <a>^2</a><ul><li>c</li></ul></li><li>d</li></ul>"],
  ["1. a\n- b\n2. c", "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"],
  ["3. a\n\n4. b", '<ol start="3"><li>a</li></ol><ol start="4"><li>b</li></ol>'],
  ["Options:\n- a\nstill a", "<p>Options:</p><ul><li>a\nstill a</li></ul>"],
  ["-a\n1.b", "<p>-a\n1.b</p>"],
  [
    "```py\nx = [1]\n\n**y**\n```\nz",
    "<div><div><span>py</span></div><pre><code>x = [1]\n\n**y**</code></pre></div><p>z</p>",
  ],
  ["```\nopen `` [1]", "<div><div><span></span></div><pre><code>open `` [1]</code></pre></div>"],
  ["````\n```\n````", "<div><div><span></span></div><pre><code>```</code></pre></div>"],
  ["  ```\n  a\n    b\n  ```", "<div><div><span></span></div><pre><code>a\n  b</code></pre></div>"],
  ["```not` a fence", "<p>```not` a fence</p>"],
  [
    "| A | B |\n|---|:-:|\n| `a|b` | [1] |\n| c",
    "<div><table><thead><tr><th>A</th><th>B</th></tr></thead><tbody>" +
      "<tr><td><code>a|b</code></td><td><a>^1</a></td></tr><tr><td>c</td></tr></tbody></table></div>",
  ],
  ["| no table", "<p>| no table</p>"],
  ["&lt;b&gt; <b>x</b>", "<p>&amp;lt;b&amp;gt; &lt;b&gt;x&lt;/b&gt;</p>"],
] as const) {
  test(JSON.stringify(markdown), () => {
    assert.equal(html(render(markdown)), expected);
  });
}

const piece = fc.constantFrom(
  ..."a|b |- |1. |  - |```|```py|`|``|**|[1]|[9]|\n|\n|\n\n|\\||¦|¦ x ¦|\n¦---¦\n| |<b>|é|😀|#|*|\r\n"
    .split("|")
    .map((text) => text.replaceAll("¦", "|")),
);
const answer = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));

test("any chunking gives the same elements as the whole text at once", () => {
  fc.assert(
    fc.property(answer, fc.array(fc.nat()), (text, offsets) => {
      const at = [
        0,
        ...offsets.map((offset) => offset % (text.length + 1)).sort((a, b) => a - b),
        text.length,
      ];
      const chunks = at.slice(1).map((end, i) => text.slice(at[i], end));
      assert.equal(html(render(...chunks)), html(render(text)));
      assert.equal(
        html(render(...Array.from({ length: text.length }, (_, i) => text[i] ?? ""))),
        html(render(text)),
      );
    }),
    { numRuns: 1500 },
  );
});

test("marks do not change the text, whenever they come", () => {
  fc.assert(
    fc.property(
      answer,
      fc.nat(60),
      fc.integer({ min: 1, max: 20 }),
      fc.nat(),
      (text, start, length, offset) => {
        const mark = { start, end: start + length, reason: "" };
        const whole = render(text);
        const plain = whole.element.textContent;
        whole.mark(mark);
        assert.equal(whole.element.textContent, plain);
        if (start + length > Array.from(text).length) return;
        const at = Math.max(
          text.length ? offset % text.length : 0,
          Array.from(text)
            .slice(0, start + length)
            .join("").length,
        );
        const early = newText();
        early.append(text.slice(0, at));
        early.mark(mark);
        early.append(text.slice(at));
        assert.equal(html(early), html(whole));
      },
    ),
    { numRuns: 1000 },
  );
});

test("a mark is drawn in code that grows over it", () => {
  const early = newText();
  early.append("```\na\n");
  early.mark({ start: 5, end: 6, reason: "" });
  early.append("\nb");
  const whole = render("```\na\n\nb");
  whole.mark({ start: 5, end: 6, reason: "" });
  assert.equal(html(early), html(whole));
});

test("a mark counts code points and crosses elements", () => {
  const text = render("😀 use `--no-x` now");
  text.mark({ start: 2, end: 13, reason: "why" });
  assert.equal(html(text), '<p>😀 <span title="why">use <code>--no-x</code></span> now</p>');
});

test("a mark in a code block", () => {
  const text = render("```\nfoo bar\n```\n");
  text.mark({ start: 8, end: 11, reason: "" });
  assert.match(html(text), /<code>foo <span title="Not found in the cited sections">bar<\/span><\/code>/);
});

test("the open end keeps its elements where nothing is appended", () => {
  const text = render("one\n\ntwo [1]");
  const open = text.element.lastElementChild;
  text.append("");
  assert.equal(text.element.lastElementChild, open);
});

test("settled blocks keep their elements", () => {
  const text = render("one\n\ntwo\n\n```\ncode");
  const [first, second] = text.element.children;
  const code = text.element.querySelector("code")?.firstChild;
  text.append(" more\nlines\n");
  assert.equal(text.element.children[0], first);
  assert.equal(text.element.children[1], second);
  assert.equal(text.element.querySelector("code")?.firstChild, code);
});

const PAYLOADS = [
  "<img src=x onerror=alert(1)>",
  "<script>alert(1)</script>",
  "<svg/onload=alert(1)>",
  "<iframe srcdoc='<script>alert(1)</script>'>",
  "[x](javascript:alert(1))",
  "[x][1]\n\n[1]: javascript:alert(1)",
  "![x](https://evil.example/pixel)",
  "<https://evil.example>",
  "https://evil.example",
  "`<img src=x onerror=alert(1)>`",
  "```<script>\n<img src=x onerror=alert(1)>\n```",
  '```"><img src=x onerror=alert(1)>\nx',
  "| <img src=x onerror=alert(1)> |\n|---|\n| <style>*{display:none}</style> |",
  "- <a href='javascript:alert(1)'>x</a>",
  "**<b onclick=alert(1)>x</b>**",
  "<math><mtext></table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
  "&#x3C;img src=x onerror=alert(1)&#x3E;",
  "<form action=https://evil.example><input name=password>",
];

for (const payload of PAYLOADS) {
  test(`stays text: ${payload.slice(0, 40)}`, () => {
    const { element } = render(payload);
    for (const child of element.querySelectorAll("*")) {
      assert.ok(ALLOWED.has(child.localName), child.localName);
      for (const { name } of child.attributes) assert.ok(ATTRIBUTES.has(name), name);
    }
  });
}

for (const part of ["`", "``` ", "**a", "[1]", "|", "- ", "`` ` ", "[", "*", "\n", "1. ", "| - ", " "]) {
  test(`100 KB of ${JSON.stringify(part)} is linear`, () => {
    isLinear((length) => void render(part.repeat(length / part.length)), 100_000);
  });
}
