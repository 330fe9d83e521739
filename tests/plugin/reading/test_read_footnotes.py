"""Footnotes: which block refers to a note, and where, in the HTML of each generator."""

from __future__ import annotations

import pytest

from trueref_plugin.reading.parse import parse_page
from trueref_plugin.reading.parsed import Block

MATERIAL = (
    '<p>One is slow<sup id="fnref:a"><a class="footnote-ref" href="#fn:a">1</a></sup>. Two {} is not.</p>'
    '<div class="footnote"><hr><ol><li id="fn:a"><p>Said of <code>one</code>.&#160;<a class="footnote-backref" '
    'href="#fnref:a">↩</a></p><ul><li>u</li></ul></li><li id="fn:b"><p>Said of two.</p></li></ol></div>'
)
DOCUSAURUS = (
    '<p>One is slow<sup><a href="#user-content-fn-a" id="user-content-fnref-a" data-footnote-ref="true">1</a></sup>.</p>'
    "<section data-footnotes=true class=footnotes><h2 class=sr-only id=footnote-label>Footnotes</h2><ol>"
    '<li id="user-content-fn-a"><p>Said of one. <a href="#user-content-fnref-a" data-footnote-backref="">↩</a></p></li>'
    "</ol></section>"
)
SPHINX = (
    '<p>One is slow <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span '
    'class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a>. So is it <a class="footnote-reference brackets" '
    'href="#id2" id="id3" role="doc-noteref">1</a>.</p><aside class="footnote-list brackets"><aside class="footnote '
    'brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span>1<span '
    'class="fn-bracket">]</span></span><span class="backrefs">(<a role="doc-backlink" href="#id1">1</a>,<a '
    'role="doc-backlink" href="#id3">2</a>)</span><p>Said of one.</p></aside></aside>'
)
OLD_SPHINX = (
    '<p>One is slow <a class="footnote-reference brackets" href="#id2" id="id1">1</a>.</p><dl class="footnote brackets">'
    '<dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt>'
    "<dd><p>Said of one.</p></dd></dl>"
)
VITEPRESS = (
    '<p>One is slow<sup class="footnote-ref"><a href="#fn1" id="fnref1">[1]</a></sup>.</p><section class="footnotes"><ol '
    'class="footnotes-list"><li id="fn1" class="footnote-item"><p>Said of one. <a href="#fnref1" class="footnote-backref">'
    "↩︎</a></p></li></ol></section>"
)


def blocks(body: str) -> list[Block]:
    return list(parse_page(f"<html><body><main><h1>T</h1>{body}</main></body></html>").blocks)


@pytest.mark.parametrize(
    ("body", "notes"),
    [(DOCUSAURUS, ((1, 11),)), (SPHINX, ((1, 11), (1, 21))), (OLD_SPHINX, ((1, 11),)), (VITEPRESS, ((1, 11),))],
    ids=["docusaurus", "sphinx", "old sphinx", "vitepress"],
)
def test_a_note_has_the_number_under_which_a_block_refers_to_it(body: str, notes: tuple[tuple[int, int], ...]) -> None:
    text, note = blocks(body)
    assert (text.notes, text.path) == (notes, "")
    assert (note.text, note.path) == ("Said of one.", "b1.1")


def test_the_notes_of_material_keep_their_blocks_and_the_place_of_their_marks() -> None:
    text, *notes = blocks(
        MATERIAL.format('(as <b>such</b> <sup id="fnref:b"><a class="footnote-ref" href="#fn:b">2</a>)</sup>')
    )
    assert text.text == "One is slow. Two (as such) is not."
    assert [(number, text.text[:at]) for number, at in text.notes] == [
        (1, "One is slow"),
        (2, "One is slow. Two (as such"),
    ]
    assert [(note.kind, note.text, note.path) for note in notes] == [
        ("prose", "Said of `one`.", "b1.1"),
        ("list", "- u", "b1.1"),
        ("prose", "Said of two.", "b1.2"),
    ]


def test_a_note_to_which_nothing_refers_has_the_number_0() -> None:
    assert [block.path for block in blocks(MATERIAL.format(""))] == ["", "b1.1", "b1.1", "b1.0"]


REF = '<sup><a class="footnote-ref" href="#fn:{0}">{0}</a></sup>'


def test_a_list_tells_where_and_a_table_in_which_row() -> None:
    table, items = blocks(
        f"<table><tr><th>A{REF.format(1)}</th></tr><tr><td>b</td></tr><tr><td>c{REF.format(2)}</td></tr></table>"
        f'<ul><li><a href="x">one</a></li><li><a href="y">two</a>{REF.format(3)}</li></ul>'
    )
    assert (table.header, table.text, table.notes) == ("| A |", "| b |\n| c |", ((1, -1), (2, 1)))
    assert (items.text, items.units, items.notes) == ("- one\n- two", ("- one", "- two"), ((3, 11),))
    assert items.role == "links"


def test_a_line_of_nothing_but_a_mark_is_no_text() -> None:
    assert blocks(f"<p>{REF.format(1)}</p><ul><li>{REF.format(2)}</li></ul>") == blocks("")


@pytest.mark.parametrize(
    ("html", "text", "at"),
    [
        (f"not on NFS {REF.format(1)}.", "not on NFS.", [10]),
        (f"not on NFS {REF.format(1)} {REF.format(2)}, never", "not on NFS, never", [10, 10]),
        (f"not on NFS {REF.format(1)} at all", "not on NFS at all", [10]),
        (f"not on <code>NFS</code>\n{REF.format(1)}.", "not on `NFS`.", [12]),
        (f"run . {REF.format(1)}", "run .", [5]),
        (f"of {REF.format(1)} .hidden files", "of .hidden files", [2]),
    ],
)
def test_no_blank_is_left_between_a_word_and_the_stop_behind_its_mark(html: str, text: str, at: list[int]) -> None:
    (block,) = blocks(f"<p>{html}</p>")
    assert (block.text, [place for _, place in block.notes]) == (text, at)


def test_no_page_writes_such_marks_itself() -> None:
    assert [(block.text, block.notes) for block in blocks("<p>a\0001\0b&#0;c</p>")] == [("a1b�c", ())]
