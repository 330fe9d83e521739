"""How lists, definitions, tabs and code are read."""

from __future__ import annotations

import pytest
from tests.plugin.pages import anchors, kinds, placed, read, texts, titles


@pytest.mark.parametrize(
    ("body", "units"),
    [
        ("<ul><li>a</li><li>b</li></ul>", ["- a", "- b"]),
        ("<menu><li>a</li></menu>", ["- a"]),
        ("<ol><li>a</li><li>b</li></ol>", ["1. a", "2. b"]),
        ('<ol start="4"><li>a</li><li>b</li></ol>', ["4. a", "5. b"]),
        ('<ol start="x"><li>a</li></ol>', ["1. a"]),
        ('<ol start="²"><li>a</li></ol>', ["1. a"]),
        ("<ul><li>a<ul><li>b<ul><li>c</li></ul></li></ul></li><li>d</li></ul>", ["- a", "  - b", "    - c", "- d"]),
        ("<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>", ["1. a", "  - b", "2. c"]),
        ("<ul><li>a<ol><li>b</li></ol>c</li></ul>", ["- a", "  1. b", "  c"]),
        ("<ul><li>a</li><ul><li>b</li></ul></ul>", ["- a", "  - b"]),
        ("<ul><li><p>a</p><p>b</p></li><li>c</li></ul>", ["- a", "  b", "- c"]),
        ("<ul><li>a<br>b</li></ul>", ["- a\n  b"]),
        ("<ul><li>a<blockquote><div><p>b</p></div></blockquote></li><li>c</li></ul>", ["- a", "  b", "- c"]),
        ("<ul><li>a<blockquote><ol><li>b</li></ol></blockquote>c</li></ul>", ["- a", "  1. b", "  c"]),
        ("<ul><li><div><div>a</div></div></li></ul>", ["- a"]),
        ("<ul><li></li><li>a</li></ul>", ["- a"]),
        ("<ol><li></li><li>a</li></ol>", ["2. a"]),
        ("<ul>stray<li>a</li></ul>", ["stray", "- a"]),
        ('<ul><li><input type="checkbox" disabled> a</li></ul>', ["- a"]),
        ('<ul><li><label><input type="checkbox" checked><span></span></label> a</li></ul>', ["- a"]),
        ("<ul><li><a href=x><p>a</p></a></li></ul>", ["- a"]),
        ("<ul><li hidden>gone</li><li>a</li></ul>", ["- a"]),
    ],
)
def test_a_list_is_read_item_by_item(body: str, units: list[str]) -> None:
    (block,) = read(body).blocks
    assert (block.kind, list(block.units), block.text) == ("list", units, "\n".join(units))


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("<pre>code</pre>", [("list", "- a"), ("code", "code"), ("list", "  b\n- c")]),
        ("<table><tr><td>cell</td></tr></table>", [("list", "- a"), ("table", "| cell |"), ("list", "  b\n- c")]),
        ("<details><p>more</p></details>", [("list", "- a"), ("admonition", "more"), ("list", "  b\n- c")]),
        ('<div class="admonition"><p>note</p></div>', [("list", "- a"), ("admonition", "note"), ("list", "  b\n- c")]),
        ("<div><pre>code</pre></div>", [("list", "- a"), ("code", "code"), ("list", "  b\n- c")]),
    ],
)
def test_a_block_in_an_item_stands_where_the_page_shows_it(inside: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(f"<ul><li>a{inside}b</li><li>c</li></ul>") == expected


def test_an_item_with_an_id_is_a_place_in_its_section() -> None:
    parsed = read('<h2 id="x">X</h2><ul><li id="item">a</li></ul>')
    assert [(anchor.anchor, anchor.kind, anchor.section) for anchor in parsed.anchors] == [
        ("x", "heading", 0),
        ("item", "other", 1),
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<dl><dt id="x">X</dt><dd>one</dd></dl>', [("x", "one")]),
        ('<dl><dt id="x">X</dt><dd>one</dd><dd>two</dd></dl>', [("x", "one"), ("x", "two")]),
        ('<dl><dt id="x">X</dt><dd><p>one</p><p>two</p></dd></dl>', [("x", "one"), ("x", "two")]),
        ('<dl><dt><a id="x"></a>X</dt><dd>one</dd></dl>', [("x", "one")]),
        ("<dl><dt>X</dt><dd>one</dd></dl>", [("", "X"), ("", "one")]),
        ('<dl><dt id="x">X</dt><dd>one</dd><dt>Y</dt><dd>two</dd></dl>', [("x", "one"), ("", "Y"), ("", "two")]),
        ('<dl><div><dt id="x">X</dt><dd>one</dd></div></dl>', [("x", "one")]),
        ('<dl><dt id="x">X</dt><dd>one</dd></dl><p>after</p>', [("x", "one"), ("", "after")]),
        ('<dl><dt id="x">X</dt><dd>one<dl><dt id="y">Y</dt><dd>two</dd></dl>three</dd></dl>', [("x", "one"), ("y", "two"), ("x", "three")]),
        ('<dl class="footnote"><dt id="id1">1</dt><dd>note</dd></dl>', [("", "1"), ("", "note")]),
    ],
)  # fmt: skip
def test_definitions_are_read_with_their_terms(body: str, expected: list[tuple[str, str]]) -> None:
    assert placed(body) == expected
    assert {kind for kind, text in kinds(body) if text != "after"} == {"definition"}


def test_objects_of_sphinx_are_sections_with_their_signatures() -> None:
    body = (
        '<dl class="py class"><dt class="sig sig-object py" id="m.C"><em>class</em> <span>m.</span><span>C</span>'
        '<a class="headerlink" href="#m.C">¶</a></dt><dd><p>A class.</p><dl class="py method">'
        '<dt class="sig sig-object py" id="m.C.f"><span>f</span>(<em>x</em>)</dt><dd></dd></dl></dd></dl>'
    )
    assert titles(body) == [("m.C", "class m.C"), ("m.C.f", "f(x)")]
    assert placed(body) == [("m.C", "A class."), ("m.C.f", "f(x)")]
    assert read(body).sections[2].breadcrumb == ("Page", "class m.C")


MATERIAL_TABS = (
    '<div class="tabbed-set"><input id="__tabbed_1_1" type="radio"><input id="__tabbed_1_2" type="radio">'
    '<div class="tabbed-labels"><label for="__tabbed_1_1">One</label><label for="__tabbed_1_2">Two</label></div>'
    '<div class="tabbed-content"><div class="tabbed-block">{}</div><div class="tabbed-block"><p>b</p></div></div></div>'
)


@pytest.mark.parametrize(
    "body",
    [
        MATERIAL_TABS.format("<p>a</p>"),
        '<div class="tabbed-set"><input id="t1"><label for="t1">One</label><div class="tabbed-content"><p>a</p></div>'
        '<input id="t2"><label for="t2">Two</label><div class="tabbed-content"><p>b</p></div></div>',
        '<div><ul role="tablist"><li role="tab" aria-selected="true">One</li><li role="tab" aria-selected="false">Two</li>'
        '</ul><div><div role="tabpanel"><p>a</p></div><div role="tabpanel" hidden><p>b</p></div></div></div>',
        '<div role="tablist"><button role="tab" aria-controls="p2">Two</button><button role="tab" aria-controls="p1">One</button></div>'
        '<div role="tabpanel" id="p1"><p>a</p></div><div role="tabpanel" id="p2" hidden><p>b</p></div>',
        '<div class="vp-code-group"><div class="tabs"><input id="t1"><label for="t1">One</label><input id="t2"><label for="t2">Two'
        '</label></div><div class="blocks"><div><p>a</p></div><div><p>b</p></div></div></div>',
        '<div class="sd-tab-set"><input id="t1"><label class="sd-tab-label" for="t1">One</label><div class="sd-tab-content"><p>a</p>'
        '</div><input id="t2"><label class="sd-tab-label" for="t2">Two</label><div class="sd-tab-content"><p>b</p></div></div>',
    ],
    ids=["material", "python-markdown", "docusaurus", "aria", "vitepress", "sphinx-design"],
)
def test_every_tab_is_read_under_its_label(body: str) -> None:
    assert texts(body) == ["One", "a", "Two", "b"]


def test_where_only_the_open_tab_is_written_its_label_is_the_selected_one() -> None:
    body = (
        '<div><ul role="tablist"><li role="tab" aria-selected="false">One</li><li role="tab" aria-selected="true">Two</li>'
        '</ul><div role="tabpanel"><p>b</p></div></div>'
    )
    assert texts(body) == ["Two", "b"]


def test_tabs_in_tabs_are_read_under_both_labels() -> None:
    assert texts(MATERIAL_TABS.format(MATERIAL_TABS.format("<p>a</p>"))) == ["One", "One", "a", "Two", "b", "Two", "b"]


def test_tabs_that_follow_each_other_keep_their_labels() -> None:
    two = '<div><ul role="tablist"><li role="tab">{0}</li></ul><div role="tabpanel"><p>{1}</p></div></div>'
    assert texts(two.format("One", "a") + two.format("Two", "b")) == ["One", "a", "Two", "b"]


def test_tabs_belong_to_the_heading_before_them() -> None:
    body = '<h2 id="x">X</h2>' + MATERIAL_TABS.format("<pre>a</pre>")
    assert placed(body) == [("x", "One"), ("x", "a"), ("x", "Two"), ("x", "b")]


OLD_TABS = (
    '<div class="tabbed-set"><input id="t1"><label for="t1">One</label><div class="tabbed-content">{}</div>'
    '<input id="t2"><label for="t2">Two</label><div class="tabbed-content"><p>b</p></div></div>'
)
ARIA_TABS = (
    '<div><ul role="tablist"><li role="tab">One</li><li role="tab">Two</li></ul>'
    '<div><div role="tabpanel">{}</div><div role="tabpanel" hidden><p>b</p></div></div></div>'
)


@pytest.mark.parametrize("tabs", [MATERIAL_TABS, OLD_TABS, ARIA_TABS], ids=["material", "python-markdown", "aria"])
@pytest.mark.parametrize("level", [2, 3, 4])
def test_a_heading_in_a_tab_ends_with_the_tab(tabs: str, level: int) -> None:
    inner = f"<h{level} id=y>Y</h{level}><p>a</p>"
    body = '<h2 id="x">X</h2>' + tabs.format(inner) + '<p>c</p><h3 id="z">Z</h3><p>d</p>'
    assert placed(body) == [("x", "One"), ("y", "a"), ("x", "Two"), ("x", "b"), ("x", "c"), ("z", "d")]
    assert read(body).sections[-1].breadcrumb == ("Page", "X")


@pytest.mark.parametrize("fold", ["<details>{}</details>", '<div class="admonition note">{}</div>'])
def test_a_heading_in_a_fold_ends_with_the_fold(fold: str) -> None:
    body = '<h2 id="x">X</h2>' + fold.format("<p>a</p><h3 id=y>Y</h3><p>b</p>") + "<p>c</p>"
    assert placed(body) == [("x", "a"), ("y", "b"), ("x", "c")]
    nested = '<h2 id="x">X</h2>' + fold.format(fold.format("<h3 id=y>Y</h3><p>b</p>") + "<p>c</p>") + "<p>d</p>"
    assert placed(nested) == [("y", "b"), ("x", "c"), ("x", "d")]


def test_what_is_left_out_in_a_fold_ends_with_the_fold() -> None:
    fold = "<details><h3 data-search-exclude id=y>Y</h3><p>b</p></details>"
    assert texts(f'<h2 id="x">X</h2>{fold}<p>c</p>') == ["c"]
    assert texts("<h2 data-search-exclude>X</h2><details><h2 id=y>Y</h2><p>b</p></details><p>c</p>") == ["b"]


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("<pre>a\n  b</pre>", "a\n  b"),
        # mdBook hides the lines that are only there so that an example compiles.
        (
            '<pre><code><span class="boring">fn main() {\n</span>a();\n<span class="boring">}</span></code></pre>',
            "a();",
        ),
        ("<pre>\n\na \n\n</pre>", "a"),
        ("<pre>a\r\nb</pre>", "a\nb"),
        ("<pre><code>  a\n    b\n</code></pre>", "  a\n    b"),
        ("<pre>a<br>b</pre>", "a\nb"),
        ("<pre><code><span><span>a</span> b</span>\n<span>c</span></code></pre>", "a b\nc"),
        ("<pre><code><div>a</div><div>b</div></code></pre>", "a\nb"),
        ("<pre><code><div>a\n</div><div>b\n</div></code></pre>", "a\nb"),
        ("<pre><code><div>a</div><div>\n</div><div>b</div></code></pre>", "a\n\nb"),
        ("<pre><code><span class=token-line>a<br></span><span class=token-line>b<br></span></code></pre>", "a\nb"),
        ('<pre><span class="linenos">1</span>a\n<span class="linenos">2</span>b</pre>', "a\nb"),
        ("<pre><button>Copy</button><code>a</code></pre>", "a"),
        ('<pre><code><a id="__codelineno-0-1" href="#__codelineno-0-1"></a>a</code></pre>', "a"),
        ("<pre>a\u200bb &lt;c&gt; `d`</pre>", "ab <c> `d`"),
        ("<pre>a\tb</pre>", "a\tb"),
        # What a program wrote for a terminal: colours, also where a highlighter divides them, and links.
        ("<pre>\x1b[2mWARNING\x1b[0m a\n\x1b[1;31mb\x1b[m[0m</pre>", "WARNING a\nb[0m"),
        ("<pre>\x1b<span>[</span><span>1</span>m<b>a</b></pre>", "a"),
        ("<pre>\x1b]8;;https://x.org/\x1b\\a\x1b]8;;\x07 \x1b]0;b\nc\x1b</pre>", "a ]0;b\nc"),
        # As `tree` writes them: a quote has what its page has.
        ("<pre>│&nbsp;&nbsp; ├── b\xa0\n</pre>", "│\xa0\xa0 ├── b"),
        (
            '<table><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre><code>a\nb</code></pre></td></tr></table>',
            "a\nb",
        ),
    ],
)
def test_code_is_read_line_by_line_without_numbers_and_buttons(body: str, code: str) -> None:
    assert kinds(body) == [("code", code)]


def test_an_empty_block_of_code_is_none() -> None:
    assert kinds("<pre></pre><pre><code> \n </code></pre>") == []


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ('<pre><code class="language-python">a</code></pre>', "python"),
        ('<pre class="language-Python"><code>a</code></pre>', "python"),
        ('<div class="language-yaml highlight"><pre><code>a</code></pre></div>', "yaml"),
        ('<div class="highlight-c++ notranslate"><div class="highlight"><pre>a</pre></div></div>', "c++"),
        ('<div class="highlight highlight-source-shell"><pre>a</pre></div>', "shell"),
        ('<div class="language-js"><span class="lang">js</span><pre class="shiki"><code>a</code></pre></div>', "js"),
        ('<pre data-language="toml"><code>a</code></pre>', "toml"),
        ('<figure><pre data-lang="sh"><code>a</code></pre></figure>', "sh"),
        ('<pre class="prism-code language-objective-c"><code>a</code></pre>', "objective-c"),
        ('<div class="highlight-default"><pre>a</pre></div>', ""),
        ('<pre class="language-text"><code>a</code></pre>', ""),
        ('<pre class="mylanguage-x"><code>a</code></pre>', ""),
        ("<pre>a</pre>", ""),
        # a class of its own: Pandoc and Quarto, docutils, Org; TypeDoc
        ('<pre class="sourceCode bash"><code class="sourceCode bash">a</code></pre>', "bash"),
        ('<pre class="code python literal-block">a</pre>', "python"),
        ('<pre class="src src-sh">a</pre>', "sh"),
        ('<pre><code class="ts">a</code></pre>', "ts"),
        ('<pre class="code literal-block">a</pre>', ""),
        ('<pre class="sourceCode"><code class="hljs">a</code></pre>', ""),
        ('<pre class="box dark"><code class="box dark">a</code></pre>', ""),
        (
            '<div class="language-py highlight"><table><tr><td class="linenos"><pre>1</pre></td><td class="code"><pre>a</pre></td></tr></table></div>',
            "py",
        ),
    ],
)
def test_the_language_of_code_is_found(body: str, language: str) -> None:
    (block,) = read(body).blocks
    assert (block.text, block.code_language) == ("a", language)


def test_the_language_of_a_frame_around_two_blocks_is_of_neither() -> None:
    assert [
        block.code_language for block in read('<div class="language-py"><pre>a</pre><pre>b</pre></div>').blocks
    ] == ["", ""]


@pytest.mark.parametrize("level", [2, 3])
def test_a_section_whose_heading_is_left_out_of_the_search_has_no_text(level: int) -> None:
    body = (
        '<h2 id="a">A</h2><p>One.</p>'
        f'<h{level} id="b" data-search-exclude>B</h{level}><p>Two.</p><h4 id="c">C</h4><p>Three.</p><pre>run</pre>'
        '<h2 id="d">D</h2><p>Four.</p>'
    )
    assert placed(body) == [("a", "One."), ("d", "Four.")]
    assert set(anchors(body)) == {"a", "b", "c", "d"}


def test_a_heading_for_screen_readers_begins_what_follows() -> None:
    body = '<h2 id="a">A</h2><p>One.</p><h2 id="b" class="sr-only">B</h2><p>Two.</p><h2 hidden>C</h2><p>Three.</p>'
    assert placed(body) == [("a", "One."), ("b", "Two."), ("b", "Three.")]


FOOTNOTES = {
    "python-markdown": (
        'x<sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup>',
        'y<sup id="fnref:2"><a class="footnote-ref" href="#fn:2">2</a></sup>',
        '<div class="footnote"><hr><ol><li id="fn:1"><p>one&#160;<a class="footnote-backref" href="#fnref:1">↩</a></p></li>'
        '<li id="fn:2"><p>two&#160;<a class="footnote-backref" href="#fnref:2">↩</a></p><pre>code</pre></li></ol></div>',
        ("one", "two"),
    ),
    "docusaurus": (
        'x<sup><a href=#user-content-fn-1-83 id=user-content-fnref-1-83 data-footnote-ref=true>1</a></sup>',
        'y<sup><a href=#user-content-fn-%C3%A9 id=user-content-fnref-é data-footnote-ref=true>2</a></sup>',
        "<section data-footnotes=true class=footnotes><h2 class=sr-only id=footnote-label>Footnotes</h2><ol>"
        "<li id=user-content-fn-1-83><p>one <a href=#user-content-fnref-1-83 data-footnote-backref>↩</a></li>"
        "<li id=user-content-fn-é><p>two <a href=#user-content-fnref-%C3%A9 data-footnote-backref>↩</a></li></ol></section>",
        ("one", "two"),
    ),
    "sphinx": (
        '<p>x<a class="footnote-reference brackets" href="#f1" id="id1" role="doc-noteref">1</a></p>',
        '<p>y<a class="footnote-reference brackets" href="#f2" id="id2" role="doc-noteref">2</a></p>',
        '<aside class="footnote-list brackets"><aside class="footnote brackets" id="f1" role="doc-footnote"><span class="label">'
        '<span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>one</p></aside>'
        '<aside class="footnote brackets" id="f2" role="doc-footnote"><span class="label"><a role="doc-backlink" href="#id2">2</a></span>'
        "<p>two</p></aside></aside>",
        ("one", "two"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("generator", FOOTNOTES)
def test_a_footnote_belongs_to_the_section_that_refers_to_it(generator: str) -> None:
    first, second, notes, (one, two) = FOOTNOTES[generator]
    body = f'<h2 id="a">A</h2>{first}<h2 id="b">B</h2>{second}<h2 id="c">C</h2><p>z</p>{notes}<p>after</p>'
    placed_texts = placed(body)
    assert [place for place, text in placed_texts if text.strip() == one] == ["a"]
    assert [place for place, text in placed_texts if text.strip() == two] == ["b"]
    assert [text for place, text in placed_texts if place == "c"] == ["z", "after"]
    assert {place for place, _ in placed_texts} == {"a", "b", "c"}


def test_a_footnote_that_nothing_refers_to_stays_where_it_stands() -> None:
    body = '<h2 id="a">A</h2>x<div class="footnote"><ol><li id="fn:1"><p>one <a class="footnote-backref" href="#gone">↩</a></ol></div>'
    assert placed(body) == [("a", "x"), ("a", "one")]
