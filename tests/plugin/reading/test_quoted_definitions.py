"""Definitions that an author of Sphinx only indented, so that their descriptions are quotations."""

from __future__ import annotations

import pytest
from tests.plugin.pages import placed, titles
from tests.plugin.reading.test_block_roles import rows

NAMES = ("minute", "hour", "month")


def entry(term: str, described: str = "One of them.") -> str:
    return f"<p>{term}</p>\n<blockquote>\n<div><p>{described}</p></div></blockquote>\n"


ENTRIES = "".join(map(entry, NAMES))


def test_terms_and_the_quotations_behind_them_are_entries_of_a_list() -> None:
    entries = "".join(entry(f"<code>{name}</code> (optional)", f"The {name}.") for name in NAMES)
    assert rows(f"<p>Parameters:</p>{entries}<p>after</p>") == [
        ("text", "prose", "", "Parameters:"),
        ("term", "definition", "d1.1", "`minute` (optional)"),
        ("text", "definition", "d1.1", "The minute."),
        ("term", "definition", "d1.2", "`hour` (optional)"),
        ("text", "definition", "d1.2", "The hour."),
        ("term", "definition", "d1.3", "`month` (optional)"),
        ("text", "definition", "d1.3", "The month."),
        ("text", "prose", "", "after"),
    ]


def test_such_a_term_with_an_id_is_a_section() -> None:
    body = f'<h2 id="h">H</h2><p id="day">day</p><blockquote><div>The day.</div></blockquote>{ENTRIES}<p>after</p>'
    assert titles(body) == [("h", "H"), ("day", "day")]
    assert placed(body)[:2] == [("day", "The day."), ("h", "minute")]
    assert placed(body)[-1] == ("h", "after")


def test_a_text_between_two_entries_keeps_its_place() -> None:
    body = f"{entry('minute')}{entry('hour')}or<br>{entry('month')}{entry('day')}"
    assert [path for *_, path, text in rows(body) if text != "One of them."] == ["d1.1", "d1.2", "", "d2.1", "d2.2"]


def test_a_quotation_in_a_description_is_one() -> None:
    body = ENTRIES + entry("day", "<blockquote><div><p>a</p></div></blockquote>")
    assert rows(body)[-1] == ("text", "definition", "d1.4/q1", "a")


@pytest.mark.parametrize(
    "body",
    [
        # too few of them
        entry("minute") + entry("hour"),
        entry("minute") + entry("hour") + f"<div>{entry('month')}</div>",
        # parts of sentences around quotations
        entry("Run the command") + entry("and then the second one") + entry("which installs it in"),
        # sentences, and what announces a quotation
        "".join(entry(f"She said in a {name}.") for name in NAMES),
        "".join(entry(f"In a {name}:") for name in NAMES),
        "".join(entry(f"Type: {name}") for name in NAMES),
        "".join(entry(f"This is what people who have used it for a {name} say") for name in NAMES),
        # no text
        entry("") * 3,
        # not as Sphinx writes it
        "".join(f"<p>{name}</p><blockquote><p>a</p></blockquote>" for name in NAMES),
        "".join(f"<p>{name}</p>and<blockquote><div>a</div></blockquote>" for name in NAMES),
        "".join(f"<p>{name}</p><p>a</p>" for name in NAMES),
    ],
)
def test_other_quotations_are_quotations(body: str) -> None:
    assert {role for role, *_ in rows(body)} == {"text"}
