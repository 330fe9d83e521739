"""Which id a section is cited by, and what becomes of the ids that are no place to cite."""

from __future__ import annotations

import pytest
from tests.plugin.pages import anchors, placed, read, titles


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # on the heading, or inside it
        ('<h2 id="a">One</h2>', [("a", "One")]),
        ('<h2><a id="a"></a>One</h2>', [("a", "One")]),
        ('<h2><a name="a"></a>One</h2>', [("a", "One")]),
        ('<h2><a id="a" name="a"></a>One</h2>', [("a", "One")]),
        ('<h2><span id="a">One</span></h2>', [("a", "One")]),
        ('<h2 id="a"><a id="b"></a>One</h2>', [("a", "One")]),
        # on the section of Sphinx, which begins with the heading
        ('<section id="a"><h2>One</h2></section>', [("a", "One")]),
        ('<div class="section" id="a"><h2>One</h2></div>', [("a", "One")]),
        ('<section id="a"><span id="alias"></span><h2>One</h2></section>', [("a", "One")]),
        # whose title leads back to the contents of the page
        (
            '<section id="a"><h2><a class="toc-backref" href="#id1" role="doc-backlink">One</a></h2></section>',
            [("a", "One")],
        ),
        ('<section id="a"><h2 id="b">One</h2></section>', [("b", "One")]),
        ('<section id="a"><p>Before.</p><h2>One</h2></section>', []),
        # on the box around it, which DITA begins with a second anchor, and pages written by hand with a label
        ('<div id="a"><h2>One</h2></div>', [("a", "One")]),
        ('<div class="topic nested1" id="a"><a name="a"></a><h2>One</h2><p>Text.</p></div>', [("a", "One")]),
        ('<article class="topic nested1" id="a"><h2>One</h2></article>', [("a", "One")]),
        ('<div id="a"><div class="since">since v2.0</div><h3>One</h3></div>', [("a", "One")]),
        ('<div id="a"><div class="since">since v2.0</div><div>x</div><h3>One</h3></div>', []),
        ('<div id="a"><div>A box with a whole sentence.</div><h3>One</h3></div>', []),
        ('<div id="a"><h1>One</h1></div>', []),
        ('<div id="Content"><h2>One</h2></div>', []),
        ('<div id="a"><h2>One</h2><p>Text.</p><h2>Two</h2></div>', []),
        ('<div id="a"><p>Before.</p><h2>One</h2></div>', []),
        # on the section of Texinfo, which begins with a line of links
        (
            '<div class="subsection" id="a"><div class="header"><p><a href="b" accesskey="n" rel="next">B</a></p></div><hr>'
            "<h3>One</h3></div>",
            [("a", "One")],
        ),
        ('<div class="section-level-extent" id="a"><h3>One</h3></div>', [("a", "One")]),
        ('<div class="subsection" id="a"><div class="header"><p>Before.</p></div><h3>One</h3></div>', []),
        # on the section of rustdoc, which begins with a permalink
        (
            '<details><summary><section id="a"><span class="rightside">1.0</span><a href="#a" class="anchor"></a>'
            "<h4>fn a()</h4></section></summary><p>Text.</p></details>",
            [("a", "fn a()")],
        ),
        (
            '<details><summary><section id="a"><a class="src rightside" href="a.rs.html">Source</a>'
            '<a href="#a" class="anchor">§</a><h4>fn a()</h4></section></summary><p>Text.</p></details>',
            [("a", "fn a()")],
        ),
        ('<section id="a"><a href="#a">Before</a><h4>One</h4></section>', []),
        ('<h1>One <button id="copy-path">Copy</button></h1>', []),
        # an empty alias right before a heading without an id
        ('<a id="a"></a><h2>One</h2>', [("a", "One")]),
        ('<a name="a"></a>\n<h2>One</h2>', [("a", "One")]),
        ('<p><a id="a"></a></p><h2>One</h2>', [("a", "One")]),
        ('<a id="a"></a><a id="b"></a><h2>One</h2>', [("b", "One")]),
        ('<a id="a"></a><h2 id="b">One</h2>', [("b", "One")]),
        ('<a id="a"></a><span></span><h2>One</h2>', [("a", "One")]),
        ('<a id="a">Text</a><h2>One</h2>', []),
        ('<p id="a">Text</p><h2>One</h2>', []),
        # beside a mark that leads elsewhere
        (
            '<h2 id="a"><a class="doc-source-link" href="https://example.org/a.py#L1">‹›</a> <code>f(x)</code></h2>',
            [("a", "f(x)")],
        ),
        ('<h2 id="a">One <a href="#top">↑</a></h2>', [("a", "One")]),
        ('<h2 id="a"><a href="https://example.org/plus">+</a></h2>', [("a", "+")]),
        ('<h2 id="a">The sign <b>+</b></h2>', [("a", "The sign +")]),
        # inside its permalink, as VuePress writes it
        ('<h2 id="a"><a class="header-anchor" href="#a"><span>One <code>b</code></span></a></h2>', [("a", "One b")]),
        ('<h2 id="a"><a class="permalink" href="#a">One</a></h2>', [("a", "One")]),
        ('<h2 id="a">&amp;&amp; <a class="headerlink" href="#a">Link to this heading</a></h2>', [("a", "&&")]),
        ('<h2 id="a"><img alt="One" src="a.png"><button>Copy page</button></h2>', [("a", "One")]),
        ('<h2 id="a"><a class="header-anchor" href="#a">Link to One</a> One</h2>', [("a", "One")]),
        ('<h2 id="a">One<a class="header-anchor" href="#a">Link to One</a></h2>', [("a", "One")]),
        ('<h2 id="a"><a href="b">Two</a></h2>', [("a", "Two")]),
        ('<dl><dt id="a">One <a href="x">¤</a></dt></dl>', [("a", "One")]),
        # not meant to be linked
        ('<h2 id="__one">One</h2>', []),
        ('<h2 id="">One</h2>', []),
        ('<h2 id="a"></h2>', []),
        ('<h2 id="a"><a class="headerlink" href="#a">¶</a></h2>', []),
        ('<h2 id="a" hidden>One</h2>', []),
        ('<h2 id="a"><img alt="The logo" src="x.png"></h2>', [("a", "The logo")]),
    ],
)
def test_the_anchor_of_a_heading_is_found_on_inside_or_around_it(body: str, expected: list[tuple[str, str]]) -> None:
    assert titles(body) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<p>a</p>", [("", "a")]),
        ('<p>a</p><h2 id="x">X</h2><p>b</p>', [("", "a"), ("x", "b")]),
        ('<h2 id="x">X</h2><p>a</p><h3>Y</h3><p>b</p>', [("x", "a"), ("x", "Y"), ("x", "b")]),
        ('<h2 id="x">X</h2><p>a</p><h2>Y</h2><p>b</p>', [("x", "a"), ("", "Y"), ("", "b")]),
        (
            '<h1 id="p">P</h1><p>a</p><h2 id="x">X</h2><p>b</p><h2>Y</h2><p>c</p>',
            [("p", "a"), ("x", "b"), ("p", "Y"), ("p", "c")],
        ),
        ('<h2 id="x">X</h2><p>a</p><h4>Y</h4><p>b</p><h3 id="z">Z</h3><p>c</p>', [("x", "a"), ("x", "Y"), ("x", "b"), ("z", "c")]),
    ],
)  # fmt: skip
def test_a_heading_without_an_id_cites_the_nearest_enclosing_anchor(body: str, expected: list[tuple[str, str]]) -> None:
    assert placed(body) == expected


def test_a_heading_without_an_id_begins_a_new_part_of_its_section() -> None:
    parsed = read('<h2 id="x">X</h2><p>a</p><h3>Y</h3><p>b</p>')
    assert [block.starts for block in parsed.blocks] == [False, True, False]


def test_breadcrumbs_follow_the_levels() -> None:
    parsed = read('<h1 id="a">A</h1><h2 id="b">B</h2><h4 id="c">C</h4><h3 id="d">D</h3><h2 id="e">E</h2>')
    assert [(section.title, section.breadcrumb, section.parent) for section in parsed.sections] == [
        ("A", (), -1),
        ("A", ("A",), 0),
        ("B", ("A", "A"), 1),
        ("C", ("A", "A", "B"), 2),
        ("D", ("A", "A", "B"), 2),
        ("E", ("A", "A"), 1),
    ]


SPHINX = '<section id="a"><h1>A</h1><section id="b"><h2>B</h2></section></section>'


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # of Sphinx, each in a section of its own
        (f'{SPHINX}<section id="c"><h1>C</h1><section id="d"><h2>D</h2></section></section>', [("C", ()), ("D", ("C",))]),
        ('<div class="section" id="a"><h1>A</h1></div><div class="section" id="c"><h1>C</h1></div>', [("C", ())]),
        # what is part of the first, whatever ranks the headings have
        (f'{SPHINX}<section id="c"><h2>C</h2></section>', [("C", ("A", "A"))]),
        ('<h1 id="a">A</h1><p>a</p><h1 id="c">C</h1>', [("C", ("A",))]),
        ('<section><h1 id="a">A</h1><p>a</p><h1 id="c">C</h1></section>', [("C", ("A",))]),
        ('<section id="a"><h1>A</h1><section id="c"><h1>C</h1></section></section>', [("C", ("A",))]),
        ('<h1 id="a">A</h1><section id="c"><h1>C</h1></section><section id="d"><h1>D</h1></section>',
         [("C", ("A",)), ("D", ("A",))]),
    ],
)  # fmt: skip
def test_a_second_title_stands_beside_that_of_the_page(body: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    parsed = read(body)
    assert parsed.title == "A"
    assert [(section.title, section.breadcrumb) for section in parsed.sections][-len(expected) :] == expected


def test_of_equal_ids_the_first_wins() -> None:
    parsed = read('<h2 id="x">One</h2><p>a</p><h2 id="x">Two</h2><p>b</p>')
    assert [(anchor.anchor, anchor.kind, anchor.duplicate) for anchor in parsed.anchors] == [
        ("x", "heading", False),
        ("x", "other", True),
    ]
    assert [(parsed.sections[block.section].title, block.text) for block in parsed.blocks] == [
        ("One", "a"),
        ("Page", "Two"),
        ("Page", "b"),
    ]


@pytest.mark.parametrize(
    ("body", "duplicates"),
    [
        ('<p id="x"></p><p id="y"></p>', [False, False]),
        ('<p id="x"></p><p id="x"></p>', [False, True]),
        ('<p id="x"></p><p id="X"></p>', [False, False]),
        ('<a name="x"></a><a name="x"></a>', [False, True]),
        ('<a id="x" name="x"></a>', [False]),
        ('<a id="x" name="y"></a>', [False, False]),
        # A browser goes to the id, wherever the name stands.
        ('<p id="x"></p><a name="x"></a>', [False, True]),
        ('<a name="x"></a><p id="x"></p>', [True, False]),
        ('<a name="x"></a><p id="x"></p><p id="x"></p>', [True, False, True]),
    ],
)
def test_the_second_element_of_an_id_is_a_duplicate(body: str, duplicates: list[bool]) -> None:
    assert [anchor.duplicate for anchor in read(body).anchors] == duplicates


def test_an_element_whose_id_is_new_is_reached_though_its_name_is_taken() -> None:
    assert titles('<p id="old"></p><h2><a id="new" name="old"></a>One</h2>') == [("new", "One")]


@pytest.mark.parametrize(
    ("body", "name", "kind"),
    [
        ('<h2 id="x">X</h2>', "x", "heading"),
        ('<h2 id="x" class="doc doc-heading">f(x)</h2>', "x", "object"),
        ('<dl><dt id="x">X</dt></dl>', "x", "term"),
        ('<dl><dt class="sig sig-object" id="x">x()</dt></dl>', "x", "object"),
        ('<table><tr id="x"><td>X</td></tr></table>', "x", "row"),
        ('<div role="tablist"><a role="tab" id="x">X</a></div>', "x", "tab"),
        ('<p id="x">X</p>', "x", "other"),
        ('<a name="x"></a>', "x", "other"),
        ('<ol><li id="fn:1">Note</li></ol>', "fn:1", "footnote"),
        ('<sup id="fnref:1">1</sup>', "fnref:1", "footnote"),
        ('<sup id="fnref2:1">1</sup>', "fnref2:1", "footnote"),
        ('<a id="user-content-fnref-1">1</a>', "user-content-fnref-1", "footnote"),
        ('<aside role="doc-footnote" id="id2">Note</aside>', "id2", "footnote"),
        ('<a role="doc-noteref" id="id1" href="#id2">1</a>', "id1", "footnote"),
        ('<h2 id="__x">X</h2>', "__x", "internal"),
        ('<div id="__x"><p>X</p></div>', "__x", "internal"),
    ],
)
def test_the_kind_of_an_anchor_follows_from_its_element(body: str, name: str, kind: str) -> None:
    assert anchors(body)[name].kind == kind


def test_every_id_is_kept_inside_the_content_and_outside() -> None:
    found = anchors(
        '<h2 id="x">X</h2><p id="in"><span id="deep">t</span><b hidden id="hidden">h</b></p></main><p id="out">'
    )
    places = {name: anchor.section for name, anchor in found.items()}
    assert places == {"x": 0, "in": 1, "deep": 1, "hidden": 1, "out": -1}


@pytest.mark.parametrize(
    ("body", "section"),
    [
        ('<section id="s"><span id="alias"></span><h2>Two</h2></section>', "s"),
        ('<section id="s"><span id="alias"></span><span id="other"></span><h2>Two</h2></section>', "s"),
        ('<a id="alias"></a><h2 id="s">Two</h2>', "s"),
        ('<p><a id="alias"></a></p>\n<h2 id="s">Two</h2>', "s"),
        ('<p id="alias">Text.</p><h2 id="s">Two</h2>', "one"),
        ('<a id="alias"></a>Text.<h2 id="s">Two</h2>', "one"),
        ('<a id="alias"></a><p>Text.</p><h2 id="s">Two</h2>', "one"),
    ],
)
def test_an_empty_alias_belongs_to_the_heading_behind_it(body: str, section: str) -> None:
    parsed = read(f'<h2 id="one">One</h2><p>Text.</p>{body}<p>More.</p>')
    (alias,) = (anchor for anchor in parsed.anchors if anchor.anchor == "alias")
    assert (alias.kind, parsed.sections[alias.section].anchor) == ("other", section)


@pytest.mark.parametrize("name", ["a b", " a ", "größe", "50%", "%41", "日本語", "A", "a#b", "constructor"])
def test_an_id_is_kept_exactly(name: str) -> None:
    assert list(anchors(f'<h2 id="{name}">X</h2>')) == [name]


def test_titles_keep_their_code_without_marks() -> None:
    parsed = read('<h2 id="x">The <code>--no-deps</code>   option</h2><p>t</p>')
    assert parsed.sections[1].title == "The --no-deps option"
    assert parsed.anchors[0].text == "The --no-deps option"
    assert parsed.anchors[0].level == 2


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # Without its title such a section could not be found.
        ('<h2 id="x">X</h2><h2 id="y">Y</h2><p>a</p>', [("x", "X"), ("y", "a")]),
        ('<h2 id="x">X</h2><p><img alt="" src="x.png"></p>', [("x", "X")]),
        ('<h2 id="x">X</h2><h3 id="y">Y</h3>', [("y", "Y")]),
        ('<dl><dt id="x">X</dt><dt id="y">Y</dt><dd>both</dd></dl>', [("x", "X"), ("y", "both")]),
        # A list may have nothing but terms.
        ('<dl><dt id="x">-x</dt><dt id="y">-y</dt></dl>', [("x", "-x"), ("y", "-y")]),
        # Another signature of a function shares its description.
        ('<dl><dt id="x">x(a)</dt><dt>x(a, b)</dt><dd>both</dd></dl>', [("x", "x(a, b)"), ("x", "both")]),
        ('<dl><dt>X</dt><dt id="y">Y</dt><dd>both</dd></dl>', [("", "X"), ("y", "both")]),
        ('<dl><dt id="x">X</dt><dd>a</dd><dt id="y">Y</dt><dd>b</dd></dl>', [("x", "a"), ("y", "b")]),
    ],
)
def test_a_section_of_a_title_only_is_found_by_its_title(body: str, expected: list[tuple[str, str]]) -> None:
    assert placed(body) == expected


def test_options_that_share_a_description_share_a_section() -> None:
    options = '<dl><dt id="o">-o FILE</dt><dt id="out">--out FILE</dt><dd>Writes to it.</dd><dt id="v">-v</dt><dd>Tells.</dd></dl>'
    assert placed(options) == [("o", "Writes to it."), ("v", "Tells.")]
    assert titles(options) == [("o", "-o FILE, --out FILE"), ("v", "-v")]
    # Links to all of their ids are valid, and named by their own terms.
    assert {name: (anchor.kind, anchor.text, anchor.section) for name, anchor in anchors(options).items()} == {
        "o": ("term", "-o FILE", 0),
        "out": ("term", "--out FILE", 1),
        "v": ("term", "-v", 0),
    }


@pytest.mark.parametrize("option", ["/o", "+o", "\u2018-o\u2019", "\u2013out", "-?, -h", "<code>-o</code>"])
def test_what_begins_as_an_option_is_one(option: str) -> None:
    body = f'<dl><dt id="a">-a</dt><dt id="b">{option}</dt><dt id="c">--c</dt><dd>both</dd></dl>'
    assert [anchor for anchor, _ in titles(body)] == ["a"]


def test_an_option_that_is_too_long_for_a_title_of_several_is_a_line_of_their_section() -> None:
    option = f"--open {' '.join(f'[parameter_{number}]' for number in range(16))}"
    both = f'<dl><dt id="x">-o ADDRESS</dt><dt id="y">{option}</dt><dd>Opens it.</dd></dl>'
    assert placed(both) == [("x", option), ("x", "Opens it.")]
    assert titles(both) == [("x", "-o ADDRESS")]


@pytest.mark.parametrize(
    "terms",
    [
        ["Scope", "Lexical scope"],
        ["Output options", "-o FILE"],
        ["-o FILE", "Output"],
        ["-o FILE", "Output", "--out FILE"],
        ["-o FILE", "--out FILE", "Output"],
        ["/etc/kiln", "/etc/kiln.d"],
        ["- none", "-- no"],
        ["fire(clay)", "burn(clay)"],
    ],
)
def test_other_terms_that_share_a_description_are_cited_by_their_own_ids(terms: list[str]) -> None:
    written = "".join(f'<dt id="t{number}">{term}</dt>' for number, term in enumerate(terms))
    expected = [(f"t{number}", term) for number, term in enumerate(terms)]
    body = f"<dl>{written}<dd>both</dd></dl>"
    assert titles(body) == expected
    assert placed(body) == [*expected[:-1], (expected[-1][0], "both")]


def test_functions_that_share_a_description_are_cited_by_their_own_ids() -> None:
    signature = '<dt class="sig sig-object py" id="Clay.{0}"><span class="descname">{0}</span>()</dt>'
    body = f'<dl class="py method">{signature.format("fire")}{signature.format("burn")}<dd><p>Burns.</p></dd></dl>'
    assert titles(body) == [("Clay.fire", "fire()"), ("Clay.burn", "burn()")]
    assert placed(body) == [("Clay.fire", "fire()"), ("Clay.burn", "Burns.")]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<p>See <a href="../b/#c">the <b>other</b></a>.</p>', [("../b/#c", "the other", "")]),
        ('<h2 id="x">X</h2><p><a href="a">A</a></p>', [("a", "A", "x")]),
        ('<a href="card"><div>Card</div><p>text</p></a>', [("card", "Card text", "")]),
        ('<p><a href="#x" class="headerlink">¶</a></p>', []),
        ('<p><a id="x">no target</a></p>', []),
        ('<ul><li><a href="a">A</a></li></ul>', [("a", "A", "")]),
        ('<table><tr><td><a href="a">A</a></td></tr></table>', [("a", "A", "")]),
        ('<p><code><a href="a">f</a></code></p>', [("a", "f", "")]),
    ],
)
def test_links_belong_to_the_section_that_they_stand_in(body: str, expected: list[tuple[str, str, str]]) -> None:
    parsed = read(body)
    assert [(link.target, link.text, parsed.sections[link.section].anchor) for link in parsed.links] == expected
