"""Pages of generators that are not built by the tests, as far as their markup needs a rule of its own."""

from __future__ import annotations

import pytest
from tests.plugin.pages import kinds, page, placed, read, texts, titles
from tests.plugin.reading.test_block_roles import rows

from trueref_plugin.reading.parse import parse_page

NOTE_OF_DOCBOOK = (
    '<div class="{}"><table border="0" summary="{}"><tr><td rowspan="2"><img alt="[Tip]" src="tip.svg"></td>'
    '<th align="left">Tip</th></tr><tr><td align="left"><p>a</p><pre>run</pre></td></tr></table></div>'
)


TITLE_PAGE = '<div class="titlepage"><div><div><h{0} class="title">{1}</h{0}></div></div></div>'


def test_a_heading_of_docbook_has_its_id_on_the_section_around_its_title_page() -> None:
    body = (
        f'<div class="sect1" id="one">{TITLE_PAGE.format(2, "One")}<p>a</p><div class="sect2" id="two">'
        f'{TITLE_PAGE.format(3, "Two")}<p>b</p></div></div><div class="refsect1" id="three"><h2>Three</h2><p>c</p></div>'
        '<div class="box" id="four"><div class="titlepage"><h2>Four</h2></div></div><div class="sect1" id="five"><p>d</p>'
        f"{TITLE_PAGE.format(2, 'Five')}</div>"
    )
    assert titles(body) == [("one", "One"), ("two", "Two"), ("three", "Three"), ("four", "Four")]
    assert placed(body)[:3] == [("one", "a"), ("two", "b"), ("three", "c")]


@pytest.mark.parametrize("kind", ["tip", "note", "warning"])
def test_a_note_that_docbook_lays_out_as_a_table_is_a_note(kind: str) -> None:
    assert rows(NOTE_OF_DOCBOOK.format(kind, kind.title())) == [
        ("title", "prose", "a1", "Tip"),
        ("text", "prose", "a1", "a"),
        ("text", "code", "a1", "run"),
    ]


def test_the_lists_of_members_and_ancestors_of_javadoc_are_furniture() -> None:
    body = (
        '<div class="inheritance" title="Inheritance Tree">Object<div class="inheritance">Copy</div></div>'
        '<section class="class-description" id="class-description"><p>Copies files.</p></section>'
        '<section class="method-summary" id="method-summary"><h2>Method Summary</h2><div class="summary-table">'
        '<div class="col-first">void</div></div></section><section class="detail" id="copy()"><h3>copy</h3><p>Runs.</p></section>'
    )
    assert [(role, text) for role, _, _, text in rows(body)] == [
        ("furniture", "Object"),
        ("furniture", "Copy"),
        ("text", "Copies files."),
        ("furniture", "void"),
        ("text", "Runs."),
    ]


def test_a_table_in_another_box_is_a_table() -> None:
    body = '<div class="note"><table><tr><th>Name</th></tr><tr><td>a</td></tr></table></div>'
    assert [(role, kind) for role, kind, *_ in rows(body)] == [("text", "table")]


BAR = (
    '<div class="header"><p>Next: <a href="b.html" accesskey="n" rel="next">B</a>, Up: <a href="index.html" accesskey="u" '
    'rel="up">Top</a></p></div>'
)


@pytest.mark.parametrize(
    ("body", "role"),
    [
        (BAR, "furniture"),
        (BAR.replace("header", "nav-panel"), "furniture"),
        # the one below the page, whose links to other pages have neither a key nor a kind
        ('<div class="header"><p>Next: <a href="b.html">B</a> [<a href="i.html" title="Index" rel="index">Index</a>]</p></div>', "furniture"),
        ('<table class="header"><tr><td>[<a href="index.html" title="Cover (top) of document">Top</a>]</td></tr></table>', "furniture"),
        ('<table class="menu" border="0"><tr><td><a href="#a">A</a></td><td>What it is.</td></tr></table>', "furniture"),
        ('<table class="index-fn" border="0"><tr><td><a href="a.html">a</a></td></tr></table>', "furniture"),
        ('<table class="fn-entries-printindex" border="0"><tr><td><a href="a.html">a</a></td></tr></table>', "furniture"),
        ('<table><tr><th>Jump to: </th><td><a class="summary-letter" href="#A"><b>A</b></a></td></tr></table>', "furniture"),
        ('<table class="fn-letters-header-printindex"><tr><td><a class="summary-letter-printindex" href="#A">A</a></td></tr></table>', "furniture"),
        ('<table><tr><td><a class="summary" href="#A">A</a></td><td>Hot.</td></tr></table>', "text"),
        ('<div class="header"><p>See <a href="b.html">B</a>.</p></div>', "text"),
        ('<div class="header"><p>Before you go on to <a href="b.html" rel="next">B</a>, install it.</p></div>', "text"),
        ('<table class="menu"><tr><td>Soup</td><td>Hot.</td></tr></table>', "text"),
        ('<table class="index-file"><tr><td>a</td></tr></table>', "text"),
        ('<div class="menu"><p>Soup.</p></div>', "text"),
    ],
)  # fmt: skip
def test_the_bars_and_indexes_of_texinfo_are_furniture(body: str, role: str) -> None:
    assert [found for found, *_ in rows(body)] == [role]


CONTENTS = '<ul class="no-bullet"><li><a href="#Kilns">1 Kilns</a></li></ul>'


@pytest.mark.parametrize("name", ["contents", "shortcontents"])
def test_the_table_of_contents_of_texinfo_is_furniture(name: str) -> None:
    table = f'<h2 class="{name}-heading">Table of Contents</h2>\n\n<div class="{name}">{CONTENTS}</div><p>after</p>'
    assert [text for *_, text in rows(table)] == ["after"]
    # From version 6.6 on there is a box around it.
    for box in ("Contents_element", "Overview_element", "element-contents", "element-shortcontents"):
        assert [text for *_, text in rows(f'<div class="{box}">{table}</div><p>behind</p>')] == ["behind"]


def test_a_box_of_contents_below_another_heading_is_text() -> None:
    body = f'<h2 class="chapter">What is inside</h2><div class="contents">{CONTENTS}</div>'
    assert "furniture" not in {role for role, *_ in rows(body)}


@pytest.mark.parametrize("title", ["Table of contents", " Contents", "On this page"])
def test_a_fold_of_the_contents_of_its_page_is_furniture(title: str) -> None:
    body = f"<details><summary>{title}</summary><ul><li><a href=#a><code>a</code></a></li></ul></details><p>after</p>"
    assert [role for role, *_ in rows(body)] == ["furniture", "furniture", "text"]


@pytest.mark.parametrize("title", ["Contents of the archive", "How contents are ordered"])
def test_a_fold_about_contents_is_text(title: str) -> None:
    assert "furniture" not in {role for role, *_ in rows(f"<details><summary>{title}</summary><p>a</p></details>")}


@pytest.mark.parametrize(
    "text", ["<p>The header of the archive has 12 bytes.</p>", ": the header", "<pre>unpack</pre>"]
)
def test_a_fold_of_contents_that_says_more_than_links_is_text(text: str) -> None:
    body = f"<details><summary>Contents</summary><p><a href=#z>z</a></p>{text}</details>"
    assert "furniture" not in {role for role, *_ in rows(body)}


DOXYGEN = (
    "<!doctype html><html><head><title>Acme Ring: User Guide</title></head><body>"
    '<div id="top"><table><tr id="projectrow"><td>Acme Ring 2.1</td></tr></table></div><div class="header">'
    '<div class="headertitle"><div class="title">User Guide</div></div></div><!--header--><div class="contents">'
    '<h1><a class="anchor" id="gs"></a>Getting started</h1><p>Text.</p><div class="fragment"><div class="line">'
    '<a name="l1"></a><span class="lineno">    1</span><span class="keyword">if</span> (a)</div>\n'
    '<div class="line">  b();</div>\n<div class="ttc"><div class="ttname">b</div></div></div>'
    '<h2 class="memtitle"><span class="permalink"><a href="#push">&#9670;&nbsp;</a></span>push()</h2>'
    '<a id="push"></a><div class="memproto"><table class="memname"><tr><td>bool push</td><td>(</td><td>int</td>'
    '<td><em>value</em></td><td>)</td></tr></table></div></div><address class="footer">Generated</address></body></html>'
)


def test_a_page_of_doxygen_has_its_title_above_and_its_code_in_lines() -> None:
    parsed = parse_page(DOXYGEN)
    assert parsed.title == "User Guide"
    assert [section.title for section in parsed.sections] == ["User Guide", "Getting started"]
    assert [(block.kind, block.text) for block in parsed.blocks] == [
        ("prose", "Text."),
        ("code", "if (a)\n  b();"),
        ("prose", "push()"),
        ("code", "bool push ( int value )"),
    ]


ASCIIDOCTOR = (
    '<!doctype html><html><head><title>Moon</title></head><body class="article"><div id="header"><h1>The Moon</h1>'
    '<div class="details"><span class="author">Ann</span></div>'
    '<div id="toc" class="toc2"><div id="toctitle">Contents</div><ul><li><a href="#a">A</a></li></ul></div></div>'
    '<div id="content"><h2 id="a">A</h2><p>One.<sup class="footnote">[<a class="footnote" id="_footnoteref_1" '
    'href="#_footnotedef_1">1</a>]</sup></p><div class="admonitionblock warning"><table><tr><td class="icon">{}</td>'
    '<td class="content">Mind.</td></tr></table></div></div><div id="footnotes"><hr>'
    '<div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. Said of one.</div></div>'
    '<div id="footer">Last updated</div></body></html>'
)


@pytest.mark.parametrize(
    "icon",
    [
        '<i class="fa icon-warning" title="Warning"></i>',
        '<img src="warning.png" alt="Warning">',
        '<div class="title">Warning</div>',
    ],
)
def test_a_page_of_asciidoctor_has_its_notes_named_by_their_icons(icon: str) -> None:
    parsed = parse_page(ASCIIDOCTOR.format(icon))
    assert parsed.title == "The Moon"
    assert [(block.kind, block.role, block.text) for block in parsed.blocks] == [
        ("prose", "furniture", "Ann"),
        ("prose", "text", "One."),
        ("admonition", "title", "Warning"),
        ("admonition", "text", "Mind."),
        ("prose", "text", "1. Said of one."),
        ("prose", "furniture", "Last updated"),
    ]


def test_a_fold_of_an_accordion_is_titled_by_its_button() -> None:
    body = (
        '<h3 id="a"><button aria-expanded="false" aria-controls="p">How <b>much</b>?</button></h3>'
        '<div id="p" role="region" hidden><p>Ten.</p></div><h3 id="b">Two <button>Copy</button></h3><p>After.</p>'
    )
    assert titles(body) == [("a", "How much?"), ("b", "Two")]
    assert placed(body) == [("a", "Ten."), ("b", "After.")]


def test_a_heading_in_the_title_of_a_fold_does_not_end_a_section() -> None:
    body = (
        '<h2 id="a">A</h2><h3 id="b">B</h3><details><summary><h3>Fold</h3></summary><p>In.</p></details><p>After.</p>'
    )
    assert placed(body) == [("a", "A"), ("b", "Fold"), ("b", "In."), ("b", "After.")][1:]


def test_a_heading_that_is_not_visible_titles_nothing() -> None:
    body = (
        '<h2 id="a">A</h2><div role="tabpanel"><h3 id="b" style="visibility: hidden; width: 0">B</h3><p>In.</p></div>'
    )
    assert titles(body) == [("a", "A")]


def test_the_type_of_a_parameter_is_apart_from_its_name() -> None:
    body = '<dl><dt><strong>x</strong><span class="classifier">array_like</span></dt><dd>Values.</dd></dl>'
    assert texts(body) == ["x : array_like", "Values."]
    body = '<dl><dt id="x">x<span class="classifier">int</span></dt><dd>Values.</dd></dl>'
    assert titles(body) == [("x", "x : int")]


@pytest.mark.parametrize(
    ("body", "role"),
    [
        ("<footer><p>Built with it.</p></footer>", "furniture"),
        ("<blockquote><footer>A reader</footer></blockquote>", "text"),
        ('<footer class="footnotes"><p>One.</p></footer>', "text"),
        ('<div id="footer"><p>Built with it.</p></div>', "furniture"),
        # Sections that are titled so: Sphinx, Pandoc.
        ('<section id="footer"><h2>Footer</h2><p>Set it.</p></section>', "text"),
        ('<div id="footer" class="section"><h2>Footer</h2><p>Set it.</p></div>', "text"),
        ('<div id="header" class="section"><h2>Header</h2><p class="details">Set it.</p></div>', "text"),
    ],
)
def test_the_footer_of_a_page_is_furniture(body: str, role: str) -> None:
    assert [found for found, *_ in rows(body)] == [role]


def test_a_note_of_quarto_is_a_note() -> None:
    body = (
        '<div class="callout callout-style-default callout-tip"><div class="callout-header">'
        '<div class="callout-title-container">Tip</div></div><div class="callout-body"><p>Look.</p></div></div>'
    )
    assert rows(body) == [("title", "admonition", "a1", "Tip"), ("text", "admonition", "a1", "Look.")]


def test_the_caption_of_a_picture_is_kept_though_screen_readers_skip_it() -> None:
    body = '<figure><img src="a.png" alt="Moon"><figcaption aria-hidden="true">The moon.</figcaption></figure>'
    assert texts(body) == ["The moon."]


def test_panels_without_a_role_are_kept_though_they_are_hidden() -> None:
    body = (
        '<div class="rp-tabs__content__item">One.</div>'
        '<div class="rp-tabs__content__item rp-tabs__content__item--hidden" aria-hidden="true">Two.</div>'
    )
    assert texts(body) == ["One.", "Two."]


@pytest.mark.parametrize(
    ("brand", "title"),
    [
        ('<a class="navbar-brand" href="..">Widgets</a>', "Setup"),
        ('<a href="." class="icon icon-home"> Widgets</a>', "Setup"),
        ('<span class="logo">widgets</span>', "Setup"),
        ('<a class="navbar-brand" href="..">Gadgets</a>', "Setup - Widgets"),
        ("", "Setup - Widgets"),
    ],
)
def test_a_title_without_a_heading_leaves_out_the_name_of_the_site(brand: str, title: str) -> None:
    html = page("<h2>Run</h2><p>a</p>", "<title>Setup - Widgets</title>").replace("<main>", f"<nav>{brand}</nav><main>")
    assert parse_page(html).title == title


SOURCE = '<a class="headerlink" href="#run"></a>\n<div class="pdoc-code codehilite"><pre>def run(): ...</pre></div>'
EXAMPLE = '<div class="docstring"><p>Use it:</p>\n<div class="pdoc-code codehilite"><pre>run()</pre></div></div>'


def test_the_source_of_an_object_is_furniture_and_its_examples_are_text() -> None:
    assert [(role, text) for role, _, _, text in rows(SOURCE + EXAMPLE)] == [
        ("furniture", "def run(): ..."),
        ("text", "Use it:"),
        ("text", "run()"),
    ]


NODE = (
    "<title>Async hooks | Node.js v18 Documentation</title><body><nav>Menu</nav><h1>Node.js v18 documentation</h1>"
    '<h2>Async hooks<a class="mark" href="#async-hooks" id="async-hooks">#</a></h2><p>Text.</p></body>'
)


def test_the_heading_of_a_site_above_each_page_is_no_title() -> None:
    assert parse_page(NODE).title == "Async hooks"
    assert parse_page(NODE.replace("<h1>", "<div id=content><h1>")).title == "Async hooks"
    in_main = NODE.replace("<h1>", "<main><h1>").replace("</body>", "</main></body>")
    assert parse_page(in_main).title == "Node.js v18 documentation"


@pytest.mark.parametrize(
    "body",
    [
        '<div class="step fragment"><p>Two</p></div>',  # a step of a slide
        '<div class="rightside"><p>Two</p></div>',
        '<div class="note"><table summary="Sizes"><tr><td>Two</td></tr></table></div>',
        "<details><summary>Contents</summary><p>Two</p></details>",
    ],
)
def test_what_only_looks_like_a_manual_is_text(body: str) -> None:
    (*_, last) = rows(body)
    assert (last[0], last[3].strip("| ")) == ("text", "Two")


@pytest.mark.parametrize(
    ("classes", "language"),
    [
        ("sourceCode numberSource python numberLines", "python"),
        ("code nohighlight", ""),
        ("code output wide", ""),
    ],
)
def test_a_class_that_says_how_code_looks_is_no_language(classes: str, language: str) -> None:
    (block,) = read(f'<pre class="{classes}"><code class="copyable">a</code></pre>').blocks
    assert block.code_language == language


def test_a_colon_that_docutils_writes_itself_is_enough() -> None:
    body = (
        '<dl><dt>x <span class="classifier-delimiter">:</span> <span class="classifier">int</span></dt><dd>a</dd></dl>'
    )
    assert texts(body)[0] == "x : int"


def test_line_numbers_of_hugo_and_docutils_are_no_code() -> None:
    table = '<table class="lntable"><tr><td class="lntd"><pre><code><span class="lnt">10\n</span></code></pre></td>'
    table += '<td class="lntd"><pre class="chroma"><code class="language-sh">run</code></pre></td></tr></table>'
    assert kinds(table) == [("code", "run")]
    assert kinds('<pre class="code"><small class="ln">1 </small>run</pre>') == [("code", "run")]
    assert texts('<p>Term <span class="ln">L1</span></p>') == ["Term L1"]


ARTICLES = (
    '<body><div id="side"><p>Menu</p></div><article><h1>Guide</h1><p>Text.</p></article>'
    '<section><article class="comment"><p>Nice</p></article></section></body>'
)


def test_the_article_with_the_title_is_the_content_beside_comments() -> None:
    assert [block.text for block in parse_page(ARTICLES).blocks] == ["Text."]


def test_a_selector_of_the_owner_may_match_several_articles() -> None:
    cards = "<body><p>Menu</p>{}</body>".format("<article><p>Card.</p></article>" * 2)
    assert parse_page(cards, "article").root == "article"


def test_several_articles_are_not_the_content() -> None:
    cards = "<body><h1>Sky</h1>{}<p>End.</p></body>".format("<article><p>Card.</p></article>" * 2)
    parsed = parse_page(cards)
    assert parsed.root == "body"
    assert [block.text for block in parsed.blocks] == ["Card.", "Card.", "End."]


def test_the_lists_above_the_members_of_typedoc_are_left_out() -> None:
    body = (
        '<details class="tsd-index-content"><summary><h3 id="properties">Properties</h3></summary><a href="#name">name</a>'
        '</details><h2 id="properties-1">Properties</h2><h3 id="name"><code class="tsd-tag">Readonly</code><span>name'
        '</span></h3><p>Text.</p><aside class="tsd-sources"><ul><li>Defined in a.ts:1</li></ul></aside>'
    )
    assert titles(body) == [("properties-1", "Properties"), ("name", "name")]
    assert kinds(body) == [("prose", "Text.")]
    assert "properties" in {anchor.anchor for anchor in read(body).anchors}


def test_a_page_of_sphinx_with_the_theme_guzzle_has_its_content_found() -> None:
    html = '<div id="left-column"><ul><li>Quick start</li></ul></div><div class="document clearer body"><h1>FAQ</h1><p>a</p></div>'
    assert [block.text for block in parse_page(f"<body>{html}</body>").blocks] == ["a"]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<div class="ulist"><div class="title">Needs</div><ul><li>a</li></ul></div>',
         [("heading", "prose", "", "Needs"), ("text", "list", "", "- a")]),
        ('<div class="dlist"><div class="title">Terms</div><dl><dt>A</dt><dd>a</dd></dl></div>',
         [("heading", "prose", "", "Terms"), ("term", "definition", "d1.1", "A"), ("text", "definition", "d1.1", "a")]),
        ('<div class="olist arabic"><div class="title">Steps</div><ol><li>a</li></ol></div>',
         [("heading", "prose", "", "Steps"), ("text", "list", "o1", "1. a")]),
        ('<div class="paragraph"><div class="title">About</div><p>a</p></div>',
         [("heading", "prose", "", "About"), ("text", "prose", "", "a")]),
        ('<div class="exampleblock"><div class="title">Example 1. A</div><div class="content"><p>a</p></div></div>',
         [("caption", "prose", "f1", "Example 1. A"), ("text", "prose", "f1", "a")]),
        ('<div class="imageblock"><div class="content"><img src="a.png"></div><div class="title">Figure 1. A</div></div>',
         [("caption", "prose", "f1", "Figure 1. A")]),
        ('<div id="header"><h1>Page</h1><span id="author">Ann</span><br><span id="email">a@b.org</span></div><p>a</p>',
         [("furniture", "prose", "", "Ann\na@b.org"), ("text", "prose", "", "a")]),
        ('<p><span id="author">Ann</span> wrote it.</p>', [("text", "prose", "", "Ann wrote it.")]),
    ],
)  # fmt: skip
def test_titles_and_authors_of_asciidoc_have_their_roles(body: str, expected: list[tuple[str, str, str, str]]) -> None:
    assert rows(body) == expected
