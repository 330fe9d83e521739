"""Lists of questions with their answers, as pages of frequent questions have them."""

from __future__ import annotations

import pytest
from tests.plugin.pages import placed, read, titles
from tests.plugin.reading.test_block_roles import rows

from trueref_plugin.reading.parse import parse_page

ANSWERED = [
    ("term", "definition", "d1.1", "Is it fast?"),
    ("text", "definition", "d1.1", "Yes."),
    ("term", "definition", "d1.2", "What does `run` do?"),
    ("text", "definition", "d1.2", "It runs."),
    ("text", "code", "d1.2", "run"),
]


@pytest.mark.parametrize(
    "body",
    [
        "<ol><li><p><b>Is it fast?</b></p><p>Yes.</p></li>"
        "<li><p>What does <code>run</code> do?</p><p>It runs.</p><pre>run</pre></li></ol>",
        "<ol> <li><b>Is it fast?</b><br>Yes.</li>\n<li>What does <code>run</code> do?<p>It runs.</p><pre>run</pre></li></ol>",
    ],
)
def test_an_ordered_list_of_questions_has_an_entry_for_each(body: str) -> None:
    assert rows(f"{body}<p>After.</p>") == [*ANSWERED, ("text", "prose", "", "After.")]


def test_a_question_with_an_id_is_a_section() -> None:
    body = (
        '<h2 id="faq">FAQ</h2><ol><li id="fast"><p>Is it fast?</p><p>Yes.</p></li>'
        '<li><p><a name="run"></a>What does <code>run</code> do?</p><ul><li>It runs.</li></ul></li></ol><p>After.</p>'
    )
    assert titles(body) == [("faq", "FAQ"), ("fast", "Is it fast?"), ("run", "What does run do?")]
    assert placed(body) == [("fast", "Yes."), ("run", "- It runs."), ("faq", "After.")]
    assert read(body).sections[2].breadcrumb == ("Page", "FAQ")


def test_questions_of_asciidoc_need_no_question_mark() -> None:
    body = '<div class="qlist qanda"><ol><li><p><em>The speed</em></p><p>It is fast.</p></li></ol></div>'
    assert [(role, text) for role, _, _, text in rows(body)] == [("term", "The speed"), ("text", "It is fast.")]


@pytest.mark.parametrize(
    "body",
    [
        "<ol><li><p>Is it fast?</p></li><li><p>Is it small?</p></li></ol>",
        "<ol><li><p>Is it fast?</p><p>Yes.</p></li><li><p>Install it.</p><p>Run.</p></li></ol>",
        f"<ol><li><p>{'Long. ' * 60}Is it?</p><p>Yes.</p></li><li><p>Is it?</p><p>Yes.</p></li></ol>",
        "<ol><li><p>Is it fast?</p><p>Yes.</p></li></ol>",
        "<ol><li><ol><li>Is it fast?<p>Yes.</p></li></ol></li><li></li></ol>",
        "<ul><li><p>Is it fast?</p><p>Yes.</p></li><li><p>Is it small?</p><p>Yes.</p></li></ul>",
    ],
)
def test_other_lists_stay_lists(body: str) -> None:
    assert {kind for _, kind, *_ in rows(body)} == {"list"}


def test_a_question_may_refer_to_a_footnote() -> None:
    body = (
        '<ol><li>Why?<sup id="r" role="doc-noteref"><a href="#n">1</a></sup><p>So.</p></li><li>Who?<p>We.</p></li></ol>'
    )
    assert [block.text for block in parse_page(f"<main>{body}</main>").blocks] == ["Why?", "So.", "Who?", "We."]
