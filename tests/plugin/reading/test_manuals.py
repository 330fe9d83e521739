"""The roles of blocks in manuals: DocBook, Texinfo, Javadoc and Node.js."""

from __future__ import annotations

import pytest
from tests.plugin.reading.test_block_roles import rows

NOTE_OF_DOCBOOK = (
    '<div class="{}"><table border="0" summary="{}"><tr><td rowspan="2"><img alt="[Tip]" src="tip.svg"></td>'
    '<th align="left">Tip</th></tr><tr><td align="left"><p>a</p><pre>run</pre></td></tr></table></div>'
)


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


BAR = '<div class="header"><p>Next: <a href="b.html" rel="next">B</a>, Up: <a href="index.html" rel="up">Top</a></p></div>'


@pytest.mark.parametrize(
    ("body", "role"),
    [
        (BAR, "furniture"),
        (BAR.replace("header", "nav-panel"), "furniture"),
        ('<table class="header"><tr><td>[<a href="index.html" title="Cover (top) of document">Top</a>]</td></tr></table>', "furniture"),
        ('<table class="menu"><tr><td><a href="#a">A</a></td><td>What it is.</td></tr></table>', "furniture"),
        ('<table class="index-fn"><tr><td><a href="a.html">a</a></td></tr></table>', "furniture"),
        ('<table class="fn-entries-printindex"><tr><td><a href="a.html">a</a></td></tr></table>', "furniture"),
        ('<div class="header"><p>See <a href="b.html">B</a>.</p></div>', "text"),
        ('<table class="index-file"><tr><td>a</td></tr></table>', "text"),
        ('<div class="menu"><p>Soup.</p></div>', "text"),
    ],
)  # fmt: skip
def test_the_bars_and_indexes_of_texinfo_are_furniture(body: str, role: str) -> None:
    assert [found for found, *_ in rows(body)] == [role]


@pytest.mark.parametrize("title", ["Table of contents", " Contents", "On this page"])
def test_a_fold_of_the_contents_of_its_page_is_furniture(title: str) -> None:
    body = f"<details><summary>{title}</summary><ul><li><a href=#a><code>a</code></a></li></ul></details><p>after</p>"
    assert [role for role, *_ in rows(body)] == ["furniture", "furniture", "text"]


@pytest.mark.parametrize("title", ["Contents of the archive", "How contents are ordered"])
def test_a_fold_about_contents_is_text(title: str) -> None:
    assert "furniture" not in {role for role, *_ in rows(f"<details><summary>{title}</summary><p>a</p></details>")}
