"""What blocks are for and what they stand in, in the markup of each generator: role, kind, path and text."""

from __future__ import annotations

import pytest
from tests.plugin.pages import read

Row = tuple[str, str, str, str]


def rows(body: str) -> list[Row]:
    """Role, kind, path and text of the blocks of a page."""
    return [(block.role, block.kind, block.path, block.text) for block in read(body).blocks]


NOTE = '<div class="admonition note"><p class="admonition-title">Note</p><p>a</p></div>'
CODE = '<div class="language-sh highlight"><pre><span></span><code>run</code></pre></div>'
TABS = (
    '<div class="tabbed-set tabbed-alternate" data-tabs="1:2"><input id="__tabbed_1_1" type="radio"><input id="__tabbed_1_2" '
    'type="radio"><div class="tabbed-labels"><label for="__tabbed_1_1">One</label><label for="__tabbed_1_2">Two</label></div>'
    '<div class="tabbed-content"><div class="tabbed-block">{}</div><div class="tabbed-block"><p>b</p></div></div></div>'
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>a</p>", [("text", "prose", "", "a")]),
        (NOTE + NOTE, [("title", "admonition", "a1", "Note"), ("text", "admonition", "a1", "a"),
                       ("title", "admonition", "a2", "Note"), ("text", "admonition", "a2", "a")]),
        ('<div class="admonition"><div><p class="admonition-title">Note</p></div><div><p>a</p></div></div>',
         [("title", "admonition", "a1", "Note"), ("text", "admonition", "a1", "a")]),
        ('<div class="admonition success"><p class="admonition-title"><code>204 No content</code></p>\n</div>' + NOTE,
         [("text", "admonition", "a1", "`204 No content`"), ("title", "admonition", "a2", "Note"), ("text", "admonition", "a2", "a")]),
        ('<details class="tip"><summary>Fold</summary><p>a</p><pre>run</pre></details>',
         [("title", "admonition", "a1", "Fold"), ("text", "admonition", "a1", "a"), ("text", "code", "a1", "run")]),
        ('<div class="highlight"><span class="filename">a.py</span><pre><span></span><code>x</code></pre></div>',
         [("caption", "prose", "f1", "a.py"), ("text", "code", "f1", "x")]),
        ('<div class="language-py highlight"><table class="highlighttable"><tr><th colspan="2" class="filename"><span '
         'class="filename">a.py</span></th></tr><tr><td class="linenos"><div class="linenodiv"><pre>1</pre></div></td>'
         '<td class="code"><div><pre><span></span><code>x</code></pre></div></td></tr></table></div>',
         [("caption", "prose", "f1", "a.py"), ("text", "code", "f1", "x")]),
        (CODE, [("text", "code", "", "run")]),
        ('<p>Open <span class="filename">a.py</span>.</p>', [("text", "prose", "", "Open a.py.")]),
        (TABS.format(CODE), [("label", "prose", "t1.1", "One"), ("text", "code", "t1.1", "run"),
                             ("label", "prose", "t1.2", "Two"), ("text", "prose", "t1.2", "b")]),
        (f"<ol><li><p>a</p>{TABS.format(NOTE)}</li><li><p>c</p></li></ol>",
         [("text", "list", "o1", "1. a"), ("label", "prose", "o1/t1.1", "One"), ("title", "admonition", "o1/t1.1/a1", "Note"),
          ("text", "admonition", "o1/t1.1/a1", "a"), ("label", "prose", "o1/t1.2", "Two"), ("text", "prose", "o1/t1.2", "b"),
          ("text", "list", "o1", "2. c")]),
        ("<ol><li>a</li></ol><ul><li>b</li></ul><ol><li>c</li></ol>",
         [("text", "list", "o1", "1. a"), ("text", "list", "", "- b"), ("text", "list", "o2", "1. c")]),
        (f"<ul><li>a{CODE}b</li><li>c<ul><li>d{CODE}</li></ul></li></ul><ul><li>e</li></ul>",
         [("text", "list", "l1", "- a"), ("text", "code", "l1", "run"), ("text", "list", "l1", "  b\n- c\n  - d"),
          ("text", "code", "l1", "run"), ("text", "list", "", "- e")]),
        (f"<ul><li>a<div><ol><li>b{CODE}</li></ol></div></li></ul>",
         [("text", "list", "l1", "- a"), ("text", "list", "l1/o2", "1. b"), ("text", "code", "l1/o2", "run")]),
        ("<figure><p><img alt=a src=a.png></p><figcaption><p>Fig</p></figcaption></figure>", [("caption", "prose", "f1", "Fig")]),
        ("<figure><pre>x</pre></figure>", [("text", "code", "", "x")]),
        ("<blockquote><p>a</p><ul><li>b</li></ul></blockquote>", [("text", "prose", "q1", "a"), ("text", "list", "q1", "- b")]),
        ("<dl><dt>A</dt><dd>one</dd><dt>B</dt><dt>C</dt><dd><p>two</p><pre>x</pre></dd></dl><p>after</p>",
         [("term", "definition", "d1.1", "A"), ("text", "definition", "d1.1", "one"), ("term", "definition", "d1.2", "B"),
          ("term", "definition", "d1.2", "C"), ("text", "definition", "d1.2", "two"), ("text", "code", "d1.2", "x"),
          ("text", "prose", "", "after")]),
        # A line that docutils took for a term, since no empty line stands below it.
        ("<p>a</p><dl><dt>The clay comes from two pits:</dt><dd><ul><li>one</li></ul></dd><dt>Raw clay:</dt><dd>two</dd></dl>",
         [("text", "prose", "", "a"), ("text", "definition", "", "The clay comes from two pits:"), ("text", "list", "", "- one"),
          ("term", "definition", "d1.1", "Raw clay:"), ("text", "definition", "d1.1", "two")]),
        # A paragraph whose author indented all lines but the first.
        ("<dl><dt>wait (int): How many seconds to wait for the</dt><dd><p>answer of the <code>kiln</code>.</p><p>one</p></dd>"
         "<dt>Raw clay:</dt><dd>two</dd></dl>",
         [("text", "definition", "", "wait (int): How many seconds to wait for the answer of the `kiln`."),
          ("text", "definition", "", "one"),
          ("term", "definition", "d1.1", "Raw clay:"), ("text", "definition", "d1.1", "two")]),
        ("<dl><dt>clay: What the kiln is going to be filled with</dt><dd>before it is <b>closed</b>.</dd></dl>",
         [("text", "definition", "", "clay: What the kiln is going to be filled with before it is closed.")]),
        ("<dl><dt>name of the file to write to</dt><dd>A path.</dd><dt>a kind of clay that is burnt</dt><dd>one</dd></dl>",
         [("term", "definition", "d1.1", "name of the file to write to"), ("text", "definition", "d1.1", "A path."),
          ("term", "definition", "d1.2", "a kind of clay that is burnt"), ("text", "definition", "d1.2", "one")]),
        ('<dl><div><dt>A</dt><dd>one</dd></div><div><dt id="b">B</dt><dd>two</dd></div></dl>',
         [("term", "definition", "d1.1", "A"), ("text", "definition", "d1.1", "one"), ("text", "definition", "d1.2", "two")]),
        ('<p>a</p><div class="footnote"><hr><ol><li id="fn:1"><p>b</p><pre>x</pre></li><li id="fn:2"><p>c</p></li></ol></div>',
         [("text", "prose", "", "a"), ("text", "prose", "b1.0", "b"), ("text", "code", "b1.0", "x"), ("text", "prose", "b1.0", "c")]),
        ("<h2 id=x>X</h2><h4>No id</h4><p>a</p>", [("heading", "prose", "", "No id"), ("text", "prose", "", "a")]),
        ("<p>(1)</p><p>(12)!</p><p>(1) a</p>",
         [("furniture", "prose", "", "(1)"), ("furniture", "prose", "", "(12)!"), ("text", "prose", "", "(1) a")]),
        ('<div class="grid"><p><a class="card" href="x">Card</a></p></div>', [("links", "prose", "", "Card")]),
    ],
)  # fmt: skip
def test_boxes_and_titles_of_material_have_their_roles(body: str, expected: list[Row]) -> None:
    assert rows(body) == expected


def test_the_path_of_deep_containers_is_bounded() -> None:
    depth = 40
    found = rows("<blockquote><p>a</p>" * depth)
    assert [path for _, _, path, _ in found[:2]] == ["q1", "q1/q2"]
    assert [path.count("/") for _, _, path, _ in found] == [*range(16), *[15] * (depth - 16)]


def test_tabs_of_the_older_style_of_python_markdown_have_their_labels() -> None:
    body = (
        '<div class="tabbed-set"><input id="t1"><label for="t1">One</label><div class="tabbed-content"><pre>a</pre></div>'
        '<input id="t2"><label for="t2">Two</label><div class="tabbed-content"><p>b</p></div></div><p>c</p>'
    )
    assert rows(body) == [
        ("label", "prose", "t1.1", "One"),
        ("text", "code", "t1.1", "a"),
        ("label", "prose", "t1.2", "Two"),
        ("text", "prose", "t1.2", "b"),
        ("text", "prose", "", "c"),
    ]


ADMONITION = (
    '<div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success"><div class=admonitionHeading_Gvgb>'
    "<span class=admonitionIcon_Rf37></span>tip</div><div class=admonitionContent_BuS1><p>a</p></div></div>"
)
TITLED = (
    '<div class="language-bash codeBlockContainer_Ckt0 theme-code-block"><div class=codeBlockTitle_Ktv7>{}</div>'
    '<div class=codeBlockContent_biex><pre class="prism-code language-bash"><code><span class=token-line>run<br></span></code></pre></div></div>'
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (ADMONITION, [("title", "admonition", "a1", "tip"), ("text", "admonition", "a1", "a")]),
        ('<div class="admonition admonition-note"><div class="admonition-heading"><h5>note</h5></div><p>a</p></div>',
         [("title", "prose", "a1", "note"), ("text", "admonition", "a1", "a")]),
        (TITLED.format("knead.sh"), [("caption", "prose", "f1", "knead.sh"), ("text", "code", "f1", "run")]),
        ('<div class="language-bash codeBlockContainer_Ckt0 theme-code-block"><div class=codeBlockContent_biex><pre>run</pre></div></div>',
         [("text", "code", "", "run")]),
        ('<div class="theme-tabs-container tabs-container tabList__CuJ"><ul role=tablist class=tabs><li role=tab class=tabs__item>npm'
         f"<li role=tab class=tabs__item>Yarn</ul><div class=margin-top--md><div role=tabpanel>{TITLED.format('a.sh')}</div>"
         "<div role=tabpanel hidden><p>b</p></div></div></div>",
         [("label", "prose", "t1.1", "npm"), ("caption", "prose", "t1.1/f1", "a.sh"), ("text", "code", "t1.1/f1", "run"),
          ("label", "prose", "t1.2", "Yarn"), ("text", "prose", "t1.2", "b")]),
        ('<div><ul role="tablist"><li role="tab" aria-selected="false">One</li><li role="tab" aria-selected="true">Two</li>'
         '</ul><div role="tabpanel"><p>b</p></div></div>', [("label", "prose", "t1.2", "Two"), ("text", "prose", "t1.2", "b")]),
        ('<details class="details_lb9f alert alert--info"><summary>More</summary><div><div class=collapsibleContent_i85q><p>a</div></div></details>',
         [("title", "admonition", "a1", "More"), ("text", "admonition", "a1", "a")]),
        ('<section data-footnotes=true class=footnotes><h2 class=sr-only id=footnote-label>Footnotes</h2><ol><li><p>a</ol></section>',
         [("text", "prose", "b1.0", "a")]),
    ],
)  # fmt: skip
def test_boxes_and_titles_of_docusaurus_have_their_roles(body: str, expected: list[Row]) -> None:
    assert rows(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<div class="literal-block-wrapper docutils container" id="id3"><div class="code-block-caption"><span class="caption-text">'
         'sail.py</span><a class="headerlink" href="#id3">¶</a></div><div class="highlight-python notranslate"><div class="highlight">'
         "<pre><span></span>x = 1\n</pre></div></div></div>", [("caption", "prose", "f1", "sail.py"), ("text", "code", "f1", "x = 1")]),
        ('<figure class="align-default" id="id4"><img alt="a" src="a.png"><figcaption><p><span class="caption-text">Fig</span></p>'
         '<div class="legend"><p>Legend</p></div></figcaption></figure>',
         [("caption", "prose", "f1", "Fig"), ("text", "prose", "f1", "Legend")]),
        ('<div class="figure align-default" id="id1"><img alt="a" src="a.png"><p class="caption"><span class="caption-text">Fig</span></p></div>',
         [("caption", "prose", "f1", "Fig")]),
        ('<table class="docutils" id="id5"><caption><span class="caption-text">Sizes</span></caption><tbody><tr><td><p>1</p></td></tr></tbody></table>'
         "<table><tr><td>2</td></tr></table>",
         [("caption", "prose", "f1", "Sizes"), ("text", "table", "f1", "| 1 |"), ("text", "table", "", "| 2 |")]),
        ('<aside class="topic"><p class="topic-title">Good</p><p>a</p></aside><aside class="sidebar"><p class="sidebar-title">Aside</p><p>b</p></aside>',
         [("title", "prose", "a1", "Good"), ("text", "prose", "a1", "a"), ("title", "prose", "a2", "Aside"), ("text", "prose", "a2", "b")]),
        ('<div class="contents local topic" id="on-this-page"><p class="topic-title">On this page</p><ul><li><p><a href="#a">A</a></p></li></ul></div>',
         [("furniture", "prose", "", "On this page"), ("furniture", "list", "", "- A")]),
        ('<p class="subtitle">How to</p><dl class="docinfo simple"><dt class="author">Author<span class="colon">:</span></dt>'
         '<dd class="author"><p>Ann</p></dd></dl>',
         [("text", "prose", "", "How to"), ("furniture", "definition", "d1.1", "Author:"), ("furniture", "definition", "d1.1", "Ann")]),
        ('<p class="rubric">Examples</p><p>a</p>', [("heading", "prose", "", "Examples"), ("text", "prose", "", "a")]),
        ('<dl class="field-list simple"><dt class="field-odd">Parameters<span class="colon">:</span></dt><dd class="field-odd"><ul><li><p>'
         '<strong>x</strong> – the x</p></li></ul></dd><dt class="field-even">Returns<span class="colon">:</span></dt><dd><p>y</p></dd></dl>',
         [("term", "definition", "d1.1", "Parameters:"), ("text", "list", "d1.1", "- x – the x"),
          ("term", "definition", "d1.2", "Returns:"), ("text", "definition", "d1.2", "y")]),
        ('<dl class="py function"><dt class="sig sig-object py" id="f"><span class="sig-name descname">f</span></dt><dd><p>Does.</p></dd></dl>',
         [("text", "definition", "", "Does.")]),
        ('<dl class="simple glossary"><dt id="term-gong">gong</dt><dd><p>a</p></dd></dl>', [("text", "definition", "d1.1", "a")]),
        ('<aside class="footnote-list brackets"><aside class="footnote brackets" id="id2" role="doc-footnote"><p>a</p></aside>'
         '<aside class="footnote brackets" id="id3" role="doc-footnote"><p>b</p></aside></aside>',
         [("text", "prose", "b1.0", "a"), ("text", "prose", "b1.0", "b")]),
        ('<dl class="footnote brackets"><dt class="label" id="id2"><span class="brackets">1</span></dt><dd><p>a</p></dd></dl>',
         [("term", "definition", "b1.0", "1"), ("text", "definition", "b1.0", "a")]),
        ('<div class="sd-tab-set docutils"><input checked id="sd-tab-item-0" type="radio"><label class="sd-tab-label" for="sd-tab-item-0">One</label>'
         '<div class="sd-tab-content docutils"><pre>a</pre></div><input id="sd-tab-item-1" type="radio"><label class="sd-tab-label" '
         'for="sd-tab-item-1">Two</label><div class="sd-tab-content docutils"><p>b</p></div></div>',
         [("label", "prose", "t1.1", "One"), ("text", "code", "t1.1", "a"), ("label", "prose", "t1.2", "Two"), ("text", "prose", "t1.2", "b")]),
        ('<div class="sd-card sd-sphinx-override"><div class="sd-card-body"><div class="sd-card-title">Card</div><p>More</p></div>'
         '<a class="sd-stretched-link reference internal" href="x"></a></div>',
         [("links", "prose", "", "Card"), ("links", "prose", "", "More")]),
        ('<div class="sd-card"><div class="sd-card-body"><p>a <a href="x">b</a></p></div></div>', [("text", "prose", "", "a b")]),
        ('<p class="sphx-glr-signature"><a href="x">Gallery generated by Sphinx-Gallery</a></p>',
         [("furniture", "prose", "", "Gallery generated by Sphinx-Gallery")]),
    ],
)  # fmt: skip
def test_boxes_and_titles_of_sphinx_have_their_roles(body: str, expected: list[Row]) -> None:
    assert rows(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<div class="tip custom-block"><p class="custom-block-title">TIP</p><p>a</p></div>',
         [("title", "admonition", "a1", "TIP"), ("text", "admonition", "a1", "a")]),
        ('<details class="details custom-block"><summary>More</summary><p>a</p></details>',
         [("title", "admonition", "a1", "More"), ("text", "admonition", "a1", "a")]),
        ('<div class="vp-code-group vp-adaptive-theme"><div class="tabs"><input type="radio" id="tab-2"><label for="tab-2">a.js</label><input '
         'type="radio" id="tab-3"><label for="tab-3">a.ts</label></div><div class="blocks"><div class="language-js active"><span class="lang">js'
         '</span><pre>a</pre></div><div class="language-ts"><span class="lang">ts</span><pre>b</pre></div></div></div>',
         [("label", "prose", "t1.1", "a.js"), ("text", "code", "t1.1", "a"), ("label", "prose", "t1.2", "a.ts"), ("text", "code", "t1.2", "b")]),
        ('<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title">Note</p><p>a</p></div>',
         [("title", "admonition", "a1", "Note"), ("text", "admonition", "a1", "a")]),
        # Starlight.
        ('<aside class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title">Tip</p><div class="starlight-aside__content">'
         "<p>a</p></div></aside>", [("title", "admonition", "a1", "Tip"), ("text", "admonition", "a1", "a")]),
        ('<div class="expressive-code"><figure class="frame has-title"><figcaption class="header"><span class="title">look.js</span></figcaption>'
         '<pre data-language="js"><code><div class="ec-line"><div class="code">a</div></div></code></pre></figure></div>',
         [("caption", "prose", "f1", "look.js"), ("text", "code", "f1", "a")]),
        ('<starlight-tabs><div class="tablist-wrapper"><ul role="tablist"><li role="presentation" class="tab"><a role="tab" href="#tab-panel-1" id="tab-1">'
         'One</a></li></ul></div><div id="tab-panel-1" aria-labelledby="tab-1" role="tabpanel"><p>a</p></div></starlight-tabs>',
         [("label", "prose", "t1.1", "One"), ("text", "prose", "t1.1", "a")]),
        ('<div class="card-grid"><div class="sl-link-card"><span class="stack"><a href="/x"><span class="title">Card</span></a>'
         '<span class="description">More</span></span></div></div>', [("links", "prose", "", "CardMore")]),
        ('<ol role="list" class="sl-steps"><li><p>Go.</p><pre>run</pre></li><li><p>Wait.</p></li></ol>',
         [("text", "list", "o1", "1. Go."), ("text", "code", "o1", "run"), ("text", "list", "o1", "2. Wait.")]),
    ],
)  # fmt: skip
def test_boxes_of_vitepress_and_starlight_have_their_roles(body: str, expected: list[Row]) -> None:
    assert rows(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<div class="note"><h3 class="title">Note</h3><p>a</p><h4>b</h4></div>',
         [("title", "prose", "a1", "Note"), ("text", "prose", "a1", "a"), ("heading", "prose", "a1", "b")]),
        ('<div class="note"><p>a</p></div>', [("text", "prose", "", "a")]),
        ('<div class="example" id="X"><p class="title"><strong>Example 1</strong></p><div class="example-contents"><pre>run</pre></div></div>',
         [("caption", "prose", "f1", "Example 1"), ("text", "code", "f1", "run")]),
        ('<div class="table" id="Y"><p class="title"><strong>Table 1</strong></p><div class="table-contents"><table class="table"><tr><td>1'
         "</td></tr></table></div></div>", [("caption", "prose", "f1", "Table 1"), ("text", "table", "f1", "| 1 |")]),
        ('<div class="example"><pre>run</pre></div>', [("text", "code", "", "run")]),
        ('<div class="index"><div class="indexdiv"><h3>G</h3><dl><dt id="g1">Glaze, <a class="indexterm" href="x">Glazes</a></dt></dl></div></div>',
         [("furniture", "prose", "", "G"), ("furniture", "definition", "d1.1", "Glaze, Glazes")]),
        ('<div class="navfooter"><hr><table><tr><td><a href="x">Prev</a></td></tr></table></div>', [("furniture", "table", "", "| Prev |")]),
        # Bootstrap.
        ('<div class="alert alert-info"><h4 class="alert-heading">Note</h4><p>a</p></div>',
         [("title", "prose", "a1", "Note"), ("text", "admonition", "a1", "a")]),
    ],
)  # fmt: skip
def test_boxes_of_docbook_have_their_roles(body: str, expected: list[Row]) -> None:
    assert rows(body) == expected


NOTE_OF_ASCIIDOC = (
    '<div class="admonitionblock{}"><table><tr><td class="icon">{}</td><td class="content">{}</td></tr></table></div>'
)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (NOTE_OF_ASCIIDOC.format("", '\n<div class="title">Note</div>\n', "a <code>b</code>"),
         [("title", "admonition", "a1", "Note"), ("text", "admonition", "a1", "a `b`")]),
        (NOTE_OF_ASCIIDOC.format(" tip", '<div class="title">Tip</div>', '<div class="paragraph"><p>a</p></div><div class="paragraph"><p>b</p></div>'),
         [("title", "admonition", "a1", "Tip"), ("text", "admonition", "a1", "a"), ("text", "admonition", "a1", "b")]),
        # Asciidoctor with icons of a font, and with a title of its own.
        (NOTE_OF_ASCIIDOC.format(" note", '<i class="fa icon-note" title="Note"></i>', '<div class="title">Mind</div>a'),
         [("title", "admonition", "a1", "Mind"), ("text", "admonition", "a1", "a")]),
        # A table of numbers in a note is a table.
        (NOTE_OF_ASCIIDOC.format("", '<div class="title">Note</div>', '<table class="tableblock"><tr><td>1</td><td>2</td></tr></table>'),
         [("title", "admonition", "a1", "Note"), ("text", "table", "a1", "| 1 | 2 |")]),
        # Elsewhere such a cell is one of a table.
        ('<table><tr><td class="content"><div class="title">A</div>b</td><td>c</td></tr></table>', [("text", "table", "", "| A b | c |")]),
        ('<table><tr><td class="content"><div class="title">A</div><pre>b</pre></td></tr></table>',
         [("text", "prose", "", "A"), ("text", "code", "", "b")]),
        ('<div class="listingblock"><div class="title">app.rb</div><div class="content"><pre>run</pre></div></div>',
         [("caption", "prose", "f1", "app.rb"), ("text", "code", "f1", "run")]),
        ('<div class="listingblock"><div class="content"><pre>run</pre></div></div>', [("text", "code", "", "run")]),
    ],
)  # fmt: skip
def test_boxes_of_asciidoc_have_their_roles(body: str, expected: list[Row]) -> None:
    assert rows(body) == expected


DOCSTRING = '<div class="doc doc-object doc-function"><div class="doc doc-contents first"><p>Does.</p>{}</div></div>'
SECTION = '<p><span class="doc-section-title">{}</span></p>'
LIST = '<ul><li class="doc-section-item field-body"><b><code>x</code></b> – <div class="doc-md-description"><p>The x.</p></div></li></ul>'
SOURCE = "<summary>Source code in <code>mod.py</code></summary><p>kept</p><pre>def f()</pre></details>"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (SECTION.format("Parameters:") + LIST + SECTION.format("Returns:") + "<table><tr><td>y</td></tr></table><p>Tail.</p>",
         [("term", "prose", "d1.1", "Parameters:"), ("text", "list", "d1.1", "- `x` –\n  The x."), ("term", "prose", "d1.2", "Returns:"),
          ("text", "table", "d1.2", "| y |"), ("text", "prose", "", "Tail.")]),
        (SECTION.format("Examples:") + f"<p>So:</p>{CODE}<p>Or:</p>{CODE}" + '<details class="note" open><summary>Mind</summary><p>a</p></details>',
         [("term", "prose", "d1.1", "Examples:"), ("text", "prose", "d1.1", "So:"), ("text", "code", "d1.1", "run"), ("text", "prose", "d1.1", "Or:"),
          ("text", "code", "d1.1", "run"), ("title", "admonition", "a1", "Mind"), ("text", "admonition", "a1", "a")]),
        (SECTION.format("Examples:") + '<p>a</p><div class="doc doc-children"><p>b</p></div>',
         [("term", "prose", "d1.1", "Examples:"), ("text", "prose", "d1.1", "a"), ("text", "prose", "", "b")]),
        (f'<details class="mkdocstrings-source">{SOURCE}',
         [("furniture", "admonition", "a1", "Source code in `mod.py`"), ("furniture", "admonition", "a1", "kept"), ("furniture", "code", "a1", "def f()")]),
        (f'<details class="quote">{SOURCE}<p>after</p>',
         [("furniture", "admonition", "a1", "Source code in `mod.py`"), ("furniture", "admonition", "a1", "kept"), ("furniture", "code", "a1", "def f()"),
          ("text", "prose", "", "after")]),
        (f'<details class="note">{SOURCE}',
         [("title", "admonition", "a1", "Source code in `mod.py`"), ("text", "admonition", "a1", "kept"), ("text", "code", "a1", "def f()")]),
        ('<details class="quote"><summary>Sources</summary><p>a</p></details>',
         [("title", "admonition", "a1", "Sources"), ("text", "admonition", "a1", "a")]),
    ],
)  # fmt: skip
def test_parts_of_mkdocstrings_have_their_roles(body: str, expected: list[Row]) -> None:
    assert rows(DOCSTRING.format(body))[1:] == expected


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("<a href=x>Edit this page</a>", "furniture"),
        ("<a href=x>View page source</a>", "furniture"),
        ("<a href=x>[source]</a>", "furniture"),
        ("Edit on GitHub", "furniture"),
        ("<a href=x>src</a>", "furniture"),
        ("Defined in: <a href=x>packages/kiln/src/fire.ts:12</a>", "furniture"),
        ("[src]", "furniture"),
        ("src", "text"),
        ("Defined in: RFC 9110", "text"),
        ("Defined in: the second chapter, part 3:12", "text"),
        ("Defined in: kiln.ts and fire.ts:12", "text"),
        ("Edit this page to add a rose.", "text"),
        ("Source", "text"),
    ],
)
def test_a_line_that_only_leads_to_the_source_is_furniture(text: str, role: str) -> None:
    assert rows(f"<p>{text}</p>")[0][0] == role


@pytest.mark.parametrize(
    "title", ["Other versions", "🤓 Other versions and variants", "<b>Other</b> versions", "→ other  versions"]
)
def test_a_fold_of_other_versions_is_furniture_with_all_it_holds(title: str) -> None:
    body = f"<details><summary>{title}</summary>{TABS.format(CODE)}{NOTE}</details><p>after</p>"
    assert {role for role, _, path, _ in rows(body) if path} == {"furniture"}
    assert rows(body)[-1] == ("text", "prose", "", "after")
