"""The check of quotations itself: it has to see what is wrong, or it proves nothing."""

from __future__ import annotations

import pytest
from tests.e2e.quoting import Kind, Place, Quote, quotes, stands

PLACES = [
    Place("text", "Set `site_name` first. Then build,\n  e.g. with make. It takes 3.5 seconds."),
    Place("text", "One item"),
    Place("text", "支持中文了！文本被正確分割。 Kiln!no 他說「好。」然後走了。"),
    Place("code", "a: 1\n\nb: 2\n"),
    Place("row", "name\nWhat it is called."),
]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text", "Set `site_name` first."),
        ("text", "Set site_name first. Then build, e.g. with make."),
        ("text", "Then build, e.g. with make. It takes 3.5 seconds."),
        ("text", "One item"),
        ("text", "支持中文了！"),
        ("text", "文本被正確分割。"),
        ("text", "然後走了。"),
        ("code", "a: 1\n\nb: 2"),
        ("code", "…\nb: 2"),
        ("row", "| `name` | What it is called. |"),
    ],
)
def test_a_quotation_that_stands_on_its_page_is_known_to(kind: Kind, text: str) -> None:
    assert stands(Quote(kind, text, 1), PLACES)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("text", "Then build, e.g."),
        ("text", "with make."),
        ("text", "It takes 3."),
        ("text", "Set `site_name`"),
        ("text", "Set `site_name` first. One item"),
        ("text", "Set `site_name` first. It takes 3.5 seconds."),
        ("text", "Set `site_url` first."),
        ("text", "item"),
        ("text", "文本被正確"),
        ("text", "中文了！"),
        ("text", "Kiln!"),
        ("text", "a: 1"),
        ("code", "a: 1"),
        ("code", "a: 1\nb: 2"),
        ("code", "b: 2\n…\na: 1"),
        ("code", "…\n: 2"),
        ("row", "| `name` | What it is |"),
    ],
)
def test_a_quotation_that_is_not_on_its_page_is_known_not_to_be(kind: Kind, text: str) -> None:
    assert not stands(Quote(kind, text, 1), PLACES)


def test_an_answer_is_taken_apart() -> None:
    text = "One. Two. [1]\n\n**a.yml**\n\n```yaml\na: [1]\n\nb: 2\n```\n\n1. first\n  - inner [1]\n\n   The rest.\n2. second [1]\n\n| A | B |\n| --- | --- |\n\n- Three \\[9] [2]"
    assert list(quotes(text)) == [
        Quote("text", "One. Two.", 1),
        Quote("text", "a.yml", 1),
        Quote("code", "a: [1]\n\nb: 2", 1),
        Quote("text", "first", 1),
        Quote("text", "inner", 1),
        Quote("text", "   The rest.", 1),
        Quote("text", "second", 1),
        Quote("row", "| A | B |", 1),
        Quote("text", "Three \\[9]", 2),
    ]


def test_a_sentence_without_a_source_is_no_quotation() -> None:
    with pytest.raises(AssertionError, match="no source"):
        list(quotes("Trust me."))
    assert next(quotes("Trust me.\n\nOne. [1]")) == Quote("text", "Trust me.", 1)
    assert list(quotes("This does not seem to be in these docs.")) == []
