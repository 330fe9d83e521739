"""Lists of items that begin with a name and have an id: options and commands in manuals of AsciiDoc."""

from __future__ import annotations

import pytest
from tests.plugin.pages import kinds, placed, read, titles
from tests.plugin.reading.test_block_roles import rows

OPTIONS = (
    '<h2 id="options">Options</h2><div class="ulist"><ul>\n'
    '<li>\n<p><a id="size"></a> <strong>look.size</strong></p>\n'
    '<div class="ulist"><ul><li><p>type: integer</p></li><li><p>default: 10</p></li></ul></div>\n</li>\n'
    '<li>\n<p><a id="color"></a> <strong>look.color</strong></p>\n'
    '<div class="ulist"><ul><li><p>type: color</p></li></ul></div>\n</li>\n</ul></div><p>After.</p>'
)
COMMANDS = (
    '<h2 id="commands">Commands</h2>'
    '<div id="bar" class="ulist">\n<ul>\n<li>\n<p><code>bar</code>: manage bars</p>\n</li>\n</ul>\n</div>\n'
    '<div class="listingblock"><div class="content"><pre>/bar list\n     add</pre></div></div>\n'
    '<ul id="key"><li><b>key</b> binds keys</li></ul><pre>/key bind</pre><p>After.</p>'
)


def test_a_name_with_an_id_begins_a_section() -> None:
    assert titles(OPTIONS) == [("options", "Options"), ("size", "look.size"), ("color", "look.color")]
    assert placed(OPTIONS) == [
        ("size", "- type: integer\n- default: 10"),
        ("color", "- type: color"),
        ("options", "After."),
    ]
    assert read(OPTIONS).sections[2].breadcrumb == ("Page", "Options")
    assert [path for _, _, path, _ in rows(OPTIONS)] == ["d1.1", "d1.2", ""]


def test_a_named_list_is_a_section_with_the_code_behind_it() -> None:
    assert titles(COMMANDS) == [("commands", "Commands"), ("bar", "bar"), ("key", "key")]
    assert placed(COMMANDS) == [
        ("bar", "`bar`: manage bars"),
        ("bar", "/bar list\n     add"),
        ("key", "key binds keys"),
        ("key", "/key bind"),
        ("commands", "After."),
    ]
    assert [path for _, _, path, _ in rows(COMMANDS)] == ["d1.1", "d1.1", "d2.1", "d2.1", ""]


@pytest.mark.parametrize(
    "line",
    [
        '<p><a id="x"></a><code>x</code></p>',
        '<p><strong id="x">x</strong></p>',
        '<p id="x"><b>x</b></p>',
        '<a name="x"></a><b>x</b>',
        '<a name="x"><b>x</b></a>',
        '<span id="x"></span><p><b>x</b> <a class="headerlink" href="#x">¶</a></p>',
    ],
)
def test_the_id_may_stand_anywhere_on_the_line_of_the_name(line: str) -> None:
    body = f"<ul><li>{line}<p>It is x.</p></li></ul>"
    assert (titles(body), placed(body)) == ([("x", "x")], [("x", "It is x.")])


def test_headings_in_an_entry_are_below_it() -> None:
    body = '<h2 id="a">A</h2><ul><li><p><b id="x">x</b></p><h3 id="more">More</h3><p>b</p></li></ul><h3 id="c">C</h3>'
    assert [(section.title, section.breadcrumb) for section in read(body).sections[2:]] == [
        ("x", ("Page", "A")),
        ("More", ("Page", "A", "x")),
        ("C", ("Page", "A")),
    ]


def test_an_entry_whose_id_leads_elsewhere_belongs_to_the_section_around() -> None:
    body = (
        '<h2 id="x">X</h2><ul><li><p><b id="x">x</b></p><p>b</p></li></ul><ul id="x"><li><b>y</b></li></ul><pre>z</pre>'
    )
    assert placed(body) == [("x", text) for text in ("x", "b", "y", "z")]


@pytest.mark.parametrize(
    "body",
    [
        # a reference list, a bibliography, a table of contents, tasks, footnotes
        '<ul><li id="a"><b>A</b><p>x</p></li></ul>',
        '<ul class="bibliography"><li><p><a id="a"></a>[a] A book.</p><p>x</p></li></ul>',
        '<ul><li><p><a id="i1" href="#a">A</a></p><ul><li><a id="i2" href="#b">B</a></li></ul></li></ul>',
        '<ul><li><p><a id="i1" href="#a"><b>A</b></a></p><ul><li><a id="i2" href="#b">B</a></li></ul></li></ul>',
        '<ul><li><p><input type="checkbox" id="a"> <b>A</b></p><p>x</p></li></ul>',
        '<ul><li><p><b>A</b><sup id="fnref:1"><a class="footnote-ref" href="#fn:1">1</a></sup></p><p>x</p></li></ul>',
        # more than a name, no block behind it, and an item without an id
        '<ul><li><p><a id="a"></a><b>A</b> is a thing.</p><p>x</p></li></ul>',
        '<ul><li><p><a id="a"></a><b>A</b></p></li></ul>',
        '<ul><li><a id="a"></a><b>A</b><br>x</li></ul>',
        '<ul><li><p><a id="a"></a><b>A</b></p><p>x</p></li><li><p><b>B</b></p><p>x</p></li></ul>',
        f'<ul><li><p><a id="a"></a><b>{"Long. " * 40}</b></p><p>x</p></li></ul>',
        # a list with an id, and not one item with a name before code
        '<ul id="a"><li><b>A</b></li></ul>',
        '<ul id="a"><li><b>A</b></li><li><b>B</b></li></ul>',
    ],
)
def test_other_lists_stay_lists(body: str) -> None:
    assert titles(body) == []
    assert {kind for kind, _ in kinds(body)} == {"list"}


@pytest.mark.parametrize(
    "body",
    [
        '<ul id="a"><li>A</li></ul><pre>x</pre>',
        '<ul id="a"><li><b>A</b></li><li><b>B</b></li></ul><pre>x</pre>',
        '<ul id="a"><li><b>A</b><p>y</p></li></ul><pre>x</pre>',
        '<ul id="a"><li><b>A</b></li></ul>See: <pre>x</pre>',
        '<ul id="a"><li><b>A</b></li></ul><div><p>See:</p><pre>x</pre></div>',
    ],
)
def test_code_behind_another_list_is_no_part_of_it(body: str) -> None:
    assert titles(body) == []
    assert kinds(body)[0][0] == "list"
