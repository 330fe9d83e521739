"""Pages that are written by hand, or made by man2html, LaTeX2HTML, LinuxDoc, DITA and others without class names."""

from __future__ import annotations

import pytest
from tests.plugin.pages import anchors, placed, read, titles
from tests.plugin.reading.test_block_roles import rows

from trueref_plugin.reading.parse import parse_page


@pytest.mark.parametrize(
    ("body", "role"),
    [
        ('<a href="b.html">Next</a>\n<a href="a.html">Previous</a> <a href="index.html#toc3">Contents</a>', "furniture"),
        ("<p>Next Previous Contents</p>", "furniture"),
        ("<p>Prev | Up | Next | Home</p>", "furniture"),
        ("<p>Contents</p>", "text"),
        ("<p>Next up, contents of the index</p>", "text"),
        ("Section: Kiln Commands (1)<br>Updated: May 2020<br><a href='#index'>Index</a>", "furniture"),
        ("Section: User Commands (1)<br>Updated: 2020-05-01<br><a href='#index'>Index</a> "
         "<a href='/cgi-bin/man'>Return to Main Contents</a>", "furniture"),
        ("This document was created by\n<i>man2html</i> using the manual pages.<br>Time: 09:32:39 GMT, May 04, 2020",
         "furniture"),
        ("<blockquote>This document was translated from L<sup>A</sup>T<sub>E</sub>X by <a href='h'>HEVEA</a>.</blockquote>",
         "furniture"),
        ("<p>Section: the part of a file that a setting is in.</p>", "text"),
        ("<p>Last modified 29 June 2021</p>", "furniture"),
        ("<p>Page last updated on: 2021-06-29</p>", "furniture"),
        ("<p>Last modified by the user who holds the lock in 2021, the file is kept for another thirty days.</p>", "text"),
        ('<div class="navigation"><a href="b.html"><img alt="next" src="next.png"></a> <b>Next:</b> <a href="b.html">B</a></div>',
         "furniture"),
        ('<div class="navigation"><a href="b.html">Kilns</a><img alt="A kiln" src="k.png"> are hot.</div>', "text"),
        ('<div class="navigation"><h2>One</h2><a href="b.html"><img alt="next" src="next.png"></a></div>', "heading"),
        ('<strong>Subsections</strong>\n<ul class="ChildLinks"><li><a href="b.html">B</a></li></ul>', "furniture"),
        ('<ul class="ChildLinks"><li><a href="b.html">B</a></li></ul>', "furniture"),
        ('<div class="related-links"><div class="familylinks"><div class="parentlink"><strong>Parent topic:</strong> '
         '<a href="b.html">B</a></div></div></div>', "furniture"),
    ],
)  # fmt: skip
def test_lines_around_the_text_are_furniture(body: str, role: str) -> None:
    assert [found for found, *_ in rows(body)][:1] == [role]


def test_a_list_of_terms_that_only_lead_to_places_on_the_page_is_furniture() -> None:
    index = "<dl>\n<dt><a href='#lbAB'>NAME</a><dd>\n<dt><a href='#lbAC'>OPTIONS</a><dd>\n</dl>"
    assert {role for role, *_ in rows(index)} == {"furniture"}
    for other in (
        "<dl><dt><a href='#a'>One</a><dd>What it is.<dt><a href='#b'>Two</a><dd></dl>",
        "<dl><dt><a href='a.html'>One</a><dd><dt><a href='b.html'>Two</a><dd></dl>",
        "<dl><dt><a href='#a'>One</a><dd></dl>",
    ):
        assert "furniture" not in {role for role, *_ in rows(other)}


def test_a_long_list_of_terms_that_are_only_links_is_the_index_of_a_manual() -> None:
    term = '<DT><A ID="tex{0}" HREF="node{0}.html#{0}"><STRONG>kiln</STRONG></A>\n<A HREF="node9.html#1">, <IMG SRC="c.png"></A>\n'
    index = "".join(map(term.format, range(12)))
    assert {role for role, *_ in rows(f"<DL>\n{index}</DL>")} == {"furniture"}
    assert titles(f"<DL>\n{index}</DL>") == []
    assert "furniture" not in {role for role, *_ in rows(f"<DL>\n{index}<DD>It is hot.</DL>")}
    assert "furniture" not in {role for role, *_ in rows(f"<DL>\n{index * 4}<DT>set<DD>It is hot.</DL>")}


def test_a_note_of_dita_begins_with_its_title_on_the_same_line() -> None:
    body = (
        '<div class="note tip"><span class="tiptitle">Tip:</span> Use a kiln.</div><div class="note">It is hot.</div>'
    )
    assert [(path, text) for _, _, path, text in rows(body)] == [("a1", "Tip: Use a kiln."), ("", "It is hot.")]
    newer = '<div class="note note_note"><span class="note__title">Note:</span> Use it.</div>'
    assert [path for _, _, path, _ in rows(newer)] == ["a1"]


def test_the_title_of_a_note_that_is_a_heading_does_not_end_the_section_around_it() -> None:
    note = '<div class="warning"><h3 class="title">Warning</h3><p>It is hot.</p></div>'
    body = f'<h2 id="a">A</h2><h4 id="b">B</h4><ul><li><p>One</p>{note}</li><li><p>Two</p></li></ul><p>After.</p>'
    assert placed(body) == [(
        "b", text) for text in ("- One", "Warning", "It is hot.", "- Two", "After.")
    ]  # fmt: skip
    with_part = f'<h2 id="a">A</h2><h4 id="b">B</h4>{note}<h5 id="c">C</h5><p>Text.</p>'
    assert read(with_part).sections[-1].breadcrumb == ("Page", "A", "B")


def test_a_signature_with_a_line_for_each_parameter_is_one_line() -> None:
    body = (
        '<dl class="py method"><dt class="sig sig-object py" id="fire"><span class="descname">fire</span>'
        '<span class="sig-paren">(</span><dl><dd><em class="sig-param">heat: list[int]</em>,</dd>'
        '<dd><em class="sig-param">**options</em>,</dd></dl><span class="sig-paren">)</span> → None</dt><dd>Heats.</dd></dl>'
    )
    assert titles(body) == [("fire", "fire(heat: list[int], **options) → None")]
    assert titles('<dl><dt id="a">( a, )</dt><dd>b</dd></dl>') == [("a", "( a, )")]


QUESTIONS = (
    '<h2 id="faq">FAQ</h2><p><a id="fast"><b>Is it <i>fast</i>?</b></a>\n<br>Yes.</p><p>Very.</p>'
    '<p> <b><a name="small">Is it small?</a></b></p><p>No.</p><h3 id="more">More</h3><p>After.</p>'
)


def test_a_bold_line_with_a_name_at_the_beginning_of_a_paragraph_is_a_title() -> None:
    assert titles(QUESTIONS) == [("faq", "FAQ"), ("fast", "Is it fast?"), ("small", "Is it small?"), ("more", "More")]
    assert placed(QUESTIONS) == [("fast", "Yes."), ("fast", "Very."), ("small", "No."), ("more", "After.")]
    assert [section.breadcrumb for section in read(QUESTIONS).sections[2:]] == [("Page", "FAQ")] * 3
    assert [section.level for section in read(QUESTIONS).sections[1:]] == [2, 3, 3, 3]


def test_a_bold_paragraph_with_an_id_is_a_title_if_the_page_leads_to_it() -> None:
    body = (
        '<ol><li><a href="#q1">Is it fast?</a></li></ol><p id="q1"><b>(1) Is it fast?</b></p>'
        '<blockquote>Yes.<p>Very.</p></blockquote><p id="q2"><b>Do not open it.</b></p><p>It is hot.</p>'
        '<p id="q1b"><b>Bold</b> words of a sentence.</p>'
    )
    assert titles(body) == [("q1", "(1) Is it fast?")]
    assert [(anchor, text) for anchor, text in placed(body) if anchor][:2] == [("q1", "Yes."), ("q1", "Very.")]
    assert titles('<a href="#q1b">a</a><p id="q1b"><b>Bold</b> words.</p>') == []


@pytest.mark.parametrize(
    "body",
    [
        '<p id="q"><b>Important</b><br>Do not open it. <a href="#q">\u00b6</a></p>',
        '<ul><li><p id="q"><b>Important</b><br>Do not open it. <a href="#q">\u00b6</a></p></li></ul>',
        '<p>Heat rises: see <a href="#q">Fig 1</a>.</p><p id="q"><b>Fig 1</b><br>Heat</p>',
        '<div><a href="#q">Fig 1</a></div><p id="q"><b>Fig 1</b><br>Heat</p>',
    ],
)
def test_a_link_in_a_sentence_or_in_the_paragraph_itself_makes_it_no_title(body: str) -> None:
    assert titles(body) == []


@pytest.mark.parametrize(
    "paragraph",
    [
        '<p><a id="a"><b>Bold</b></a> words of a sentence.</p>',
        '<p><a id="a" href="b.html"><b>Bold</b></a></p>',
        "<p><b>Bold</b><br>Text.</p>",
        '<p>Text. <a id="a"><b>Bold</b></a></p>',
        '<p><a id="a">Plain</a><br>Text.</p>',
        f'<p><a id="a"><b>{"Long. " * 60}</b></a></p>',
    ],
)
def test_other_paragraphs_with_bold_words_are_paragraphs(paragraph: str) -> None:
    assert titles(paragraph) == []


@pytest.mark.parametrize("following", ["<p>Text.</p>", "<ul><li>Text.</li></ul>", "<dl><dt>Text.</dt></dl>"])
def test_a_few_bold_words_above_text_in_a_section_are_a_heading(following: str) -> None:
    body = (
        f'<section id="s"><h2>Shelves</h2><p>All.</p><p><strong>LOADED <em>ones</em></strong></p>{following}</section>'
    )
    assert [(block.role, block.text) for block in read(body).blocks][1] == ("heading", "LOADED ones")
    assert placed(body)[1] == ("s", "LOADED ones")


@pytest.mark.parametrize(
    "body",
    [
        "<p><b>Do not open.</b></p><p>Text.</p>",
        "<p><b>Example:</b></p><p>Text.</p>",
        "<p><b>Tier: 3</b></p><p>Text.</p>",
        "<p><b>kiln.py</b></p><pre>code</pre>",
        "<p><b>One</b></p><p><b>Two</b></p>",
        "<p><b>One</b></p>",
        "<p><b>One</b> is first</p><p>Text.</p>",
        "<p><b>These are more than a few bold words</b></p><p>Text.</p>",
        "<ul><li><p><b>One</b></p><p>Text.</p></li></ul>",
        '<div class="admonition"><section><p><b>One</b></p><p>Text.</p></section></div>',
    ],
)
def test_other_bold_paragraphs_are_no_headings(body: str) -> None:
    assert "heading" not in [block.role for block in read(body).blocks]


def head(name: str, description: str = "") -> str:
    """The list with an object as Sphinx writes it."""
    return (
        f'<dl class="std action"><dt class="sig sig-object" id="{name}"><span class="descname">{name}</span></dt>'
        f"<dd>{description}</dd></dl>"
    )


def test_what_stands_behind_the_heads_of_objects_without_descriptions_describes_them() -> None:
    body = (
        f'<section id="s"><h2>All</h2><p>Before.</p>{head("fire")}<p>Heats.</p><pre>fire</pre>{head("cool")}<p>Cools.</p>'
        '</section><section id="t"><h2>Other</h2><p>After.</p></section>'
    )
    assert titles(body) == [("s", "All"), ("fire", "fire"), ("cool", "cool"), ("t", "Other")]
    assert placed(body) == [
        ("s", "Before."), ("fire", "Heats."), ("fire", "fire"), ("cool", "Cools."), ("t", "After.")
    ]  # fmt: skip
    assert read(body).sections[3].breadcrumb == ("Page", "All")


@pytest.mark.parametrize(
    "body",
    [
        f"{head('fire')}<p>Heats.</p>{head('cool', '<p>Cools.</p>')}<p>Text.</p>{head('stop')}<p>Text.</p>",
        f"{head('fire')}{head('cool')}{head('stop')}<p>Text.</p>",
        f"{head('fire')}<p>Text.</p>",
    ],
)
def test_text_behind_objects_is_no_description_if_the_page_shows_it_otherwise(body: str) -> None:
    assert placed(f'<h2 id="s">All</h2>{body}')[-1][0] == "s"


def page_of(body: str, title: str) -> str:
    return f"<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>"


TOP = '<h1><a href="index.html">Kiln</a></h1><table id="menu"><tr><td>Top</td></tr></table>'


def test_a_heading_that_is_only_a_link_to_another_page_is_the_name_of_the_site() -> None:
    for main, title in (
        ("<div id='main'><h2>Guide &gt; Firing</h2><p>Text.</p></div>", "Firing"),
        ("<div id='main'><h2>Firing</h2><p>Text.</p></div>", "Firing"),
    ):
        parsed = parse_page(page_of(TOP + main, "Firing - Kiln - the hot oven"))
        assert (parsed.title, parsed.root) == (title, "div#main")
        assert "Top" not in " ".join(block.text for block in parsed.blocks)
    assert (
        parse_page(page_of("<main><a href='/'><h1>Kiln</h1></a><h1>Firing</h1></main>", "Firing - Kiln")).title
        == "Firing"
    )
    own = parse_page(page_of('<main><h1><a href="https://kiln.example.org">Kiln</a></h1><p>a</p></main>', "Kiln"))
    assert own.title == "Kiln"
    assert parse_page(page_of('<main><h1><a href="#kiln">Kiln</a></h1></main>', "Docs")).title == "Kiln"


def test_an_element_with_the_id_main_is_not_the_content_if_the_title_stands_outside() -> None:
    assert parse_page(page_of("<h1>Firing</h1><div id='main'><h2>One</h2><p>a</p></div>", "Firing")).root == "body"
    assert parse_page(page_of("<div id='main'></div><p>a</p>", "Firing")).root == "body"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<section id="content"><h1>Kiln</h1><p>Intro.</p></section><section id="usage"><p>Usage.</p></section>',
         ["Intro.", "Usage."]),
        ('<section id="content"><header><h1>Site</h1></header></section><div><h1>Kilns</h1><p>Hot.</p></div>',
         ["Site", "Kilns", "Hot."]),
    ],
)  # fmt: skip
def test_a_section_called_content_may_be_a_part_of_it(body: str, expected: list[str]) -> None:
    assert [block.text for block in parse_page(page_of(body, "Kiln")).blocks] == expected


GRID = (
    '<nav>a</nav><div class="container"><div class="row"><div class="col-md-9"><h1>Firing</h1><p>Text.</p></div>'
    '<div class="col-md-3">{}</div></div></div>'
)


def test_the_column_with_the_title_is_the_content_if_the_others_have_no_text() -> None:
    parsed = parse_page(page_of(GRID.format('<div class="card"><div class="card-header">Share</div></div>'), "Firing"))
    assert [block.text for block in parsed.blocks] == ["Text."]
    assert not parsed.whole_body
    untitled = GRID.format("Share").replace("h1", "h2")
    assert [block.text for block in parse_page(page_of(untitled, "Firing")).blocks] == ["Text."]
    inner_rows = untitled.replace("<h2>", '<div class="row"><div class="col-lg-8"><h2>').replace(
        "</p>", "</p></div></div>"
    )
    for single in (inner_rows, inner_rows.replace("</h2>", '</h2></div><div class="actions">')):
        parsed = parse_page(page_of(single, "Firing"))
        assert ([block.text for block in parsed.blocks], parsed.whole_body) == (["Text."], False)
    alone = '<nav>a</nav><div class="row"><div class="col-8"><h1>Firing</h1></div></div><p>Text.</p>'
    assert parse_page(page_of(alone, "Firing")).root == "body"
    landing = parse_page(page_of(GRID.format("<h2>Cooling</h2><p>More.</p>"), "Firing"))
    assert "More." in [block.text for block in landing.blocks]


PLACES = '<ul><li><a href="#a"><a href="f.html"><code>fire</code></a></a><ul><li><p><a href="#b">Slow</a></p></li></ul></li></ul>'
FORTY_PLACES = f"<ul>{''.join(f'<li><a href=#s{number}>Section {number}</a></li>' for number in range(40))}</ul>"


@pytest.mark.parametrize(
    "contents",
    [
        f'<h2 id="toc">Table of Contents<a href="#toc">#</a></h2>{PLACES}',
        f'<section><h2 id="toc">Contents:</h2>\n<div>{PLACES}</div></section>',
        f'<h1 id="toc">On this page</h1>{PLACES}',
        f'<h2 id="toc">Contents</h2><nav class="table-of-contents">{PLACES}</nav>',
        f'<h2 id="toc">Contents</h2>{FORTY_PLACES}',
        f'<h1 id="toc">Table of Contents</h1><div class="toc">{PLACES}</div>',
        f'<p id="toc"><strong>Table of contents</strong></p>{PLACES}',
        '<p id="toc"><strong>Table of Contents</strong>  <em>generated with <a href="https://d.example">DocToc</a></em></p>'
        f"{PLACES}",
    ],
)
def test_the_list_of_the_sections_of_a_page_is_no_section(contents: str) -> None:
    body = f'<h1 id="kiln">Kiln</h1><p>Hot.</p>{contents}<h3 id="a">Fire</h3><p>Burns.</p>'
    assert titles(body) == [("kiln", "Kiln"), ("a", "Fire")]
    assert read(body).sections[-1].breadcrumb == ("Kiln", "Kiln")
    assert placed(body) == [("kiln", "Hot."), ("a", "Burns.")]
    assert anchors(body)["toc"].kind == "other"


@pytest.mark.parametrize(
    ("contents", "title", "texts"),
    [
        ('<ul><li><a href="#a">Fire</a>: how it burns</li></ul>', "Contents", ["- Fire: how it burns"]),
        ('<ul><li><a href="a.html">Fire</a></li></ul>', "Contents", ["- Fire"]),
        ("<p>A kiln has a door.</p>", "Contents", ["A kiln has a door."]),
        ("", "Contents", ["Contents"]),
        ('<ul><li><a href="#a">Fire</a></li></ul>', "Parts", ["- Fire"]),
        ('<ul><li><a href="#z"><code>z</code></a> <em>the header, 12 bytes</em></li></ul>', "Contents",
         ["- `z` the header, 12 bytes"]),
        ('<div><p><a href="#a">Fire</a></p><blockquote>It burns.</blockquote></div>', "Contents", ["Fire", "It burns."]),
        ('<div><p><a href="#a">Fire</a></p><p><img src="kiln.png" alt="A kiln"></p></div>', "Contents", ["Fire"]),
        ('<div><a href="#a">Fire</a><pre>kiln fire --all</pre></div>', "Contents", ["Fire", "kiln fire --all"]),
        ('<div><a href="#a">Fire<pre>kiln fire --all</pre></a></div>', "Contents", ["Fire", "kiln fire --all"]),
        ('<nav><a href="#a">Fire</a>: how it burns</nav>', "Contents", ["Contents"]),
    ],
)  # fmt: skip
def test_a_section_of_contents_that_says_more_is_a_section(contents: str, title: str, texts: list[str]) -> None:
    body = f'<h2 id="c">{title}</h2>{contents}'
    assert titles(body) == [("c", title)]
    assert placed(body) == [("c", text) for text in texts]


def test_a_line_above_links_that_is_no_title_of_contents_is_text() -> None:
    for line in ("Contents of the kiln:", "See also:"):
        assert placed(f'<h2 id="c">Kiln</h2><p>{line}</p>{FORTY_PLACES}')[0] == ("c", line)
    assert placed('<h2 id="c">Kiln</h2><p>Contents</p><ul><li><a href="#a">Fire</a>: burns</li></ul>') == [
        ("c", "Contents"),
        ("c", "- Fire: burns"),
    ]


@pytest.mark.parametrize(
    ("places", "rest", "texts"),
    [
        (FORTY_PLACES, "<p>Real text.</p>", ["Real text."]),
        ('<ul><li><a href="#s1">Section 1</a></ul>',
         "<pre>kiln fire --all</pre><table><tr><td>Heat</td><td>900</td></tr></table>",
         ["kiln fire --all", "| Heat | 900 |"]),
    ],
)  # fmt: skip
def test_a_box_that_begins_with_its_contents_is_no_table_of_contents(places: str, rest: str, texts: list[str]) -> None:
    body = f'<h2>Contents</h2><div>{places}<h2 id="s1">Section 1</h2>{rest}</div>'
    assert titles(body) == [("s1", "Section 1")]
    assert placed(body)[2:] == [("s1", text) for text in texts]


@pytest.mark.parametrize(
    ("behind", "expected"),
    [
        ("<p>Some text.</p>", [("c", "Contents")]),
        ("<script>a()</script><div><p>Some text.</p></div>", [("c", "Contents")]),
        ("<nav>Up</nav><hr><h2 id='d'>Doors</h2><p>Some text.</p>", [("d", "Doors")]),
        ("", []),
    ],
)
def test_text_behind_the_contents_belongs_to_their_title(behind: str, expected: list[tuple[str, str]]) -> None:
    body = f'<h2 id="z">Zones</h2><p>About them.</p><div><h2 id="c">Contents</h2>{PLACES}</div>{behind}'
    assert titles(body) == [("z", "Zones"), *expected]
    assert placed(body) == [("z", "About them."), *((anchor, "Some text.") for anchor, _ in expected)]
    untitled = body.replace(' id="c"', "")
    assert ("z", "Contents") not in placed(untitled)
