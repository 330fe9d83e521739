"""Entries of manual pages as groff writes them, in which nothing but indentation tells a term from its description."""

from __future__ import annotations

import pytest
from tests.plugin.reading.test_block_roles import rows


def line(margin: int, text: str) -> str:
    return f'<p style="margin-left:{margin}%; margin-top: 1em">{text}</p>\n'


def row(term: str, text: str) -> str:
    cells = ("", f"<p>{term}</p>", "", f"<p>{text}</p>", "")
    return "<tr>" + "".join(f'<td width="11%">{cell}</td>' for cell in cells) + "</tr>"


def table(*made: str, attributes: str = 'border="0" rules="none" frame="void"') -> str:
    return f"<table {attributes}>{''.join(made)}</table>\n"


def test_rows_and_paragraphs_that_follow_each_other_are_the_entries_of_a_list() -> None:
    body = (
        line(11, "These are the options:")
        + table(row("<b>-q</b>", "Say less."), row("<b>-n</b>", "Fire nothing."))
        + line(22, "New in 2.0.")
        + line(11, "<b>-o, --output</b> <i>file</i>")
        + line(22, "Write a log.")
        + '<pre style="margin-left:22%">kiln -o log</pre>'
        + line(11, "Behind them.")
    )
    assert rows(body) == [
        ("text", "prose", "", "These are the options:"),
        ("term", "definition", "d1.1", "-q"),
        ("text", "definition", "d1.1", "Say less."),
        ("term", "definition", "d1.2", "-n"),
        ("text", "definition", "d1.2", "Fire nothing."),
        ("text", "definition", "d1.2", "New in 2.0."),
        ("term", "definition", "d1.3", "-o, --output file"),
        ("text", "definition", "d1.3", "Write a log."),
        ("text", "code", "d1.3", "kiln -o log"),
        ("text", "prose", "", "Behind them."),
    ]


def test_rows_with_bullets_are_a_list() -> None:
    body = line(11, "It may") + table(row("&bull;", "fire, and"), row("&bull;", "cool."))
    assert rows(body)[1:] == [("text", "list", "", "- fire, and\n- cool.")]
    described = line(11, "<b>mode</b>") + line(22, "One of:") + body.replace('width="11%"', 'width="22%"')
    assert ("text", "list", "d1.1", "- fire, and\n- cool.") not in rows(line(11, "<b>mode</b>") + body)
    assert rows(described)[1] == ("text", "definition", "d1.1", "One of:")


def test_an_entry_in_a_description_is_one_of_a_list_of_its_own() -> None:
    body = line(11, "<b>mode</b>") + line(22, "A mode.") + line(22, "<b>fast</b>") + line(33, "Heats at once.")
    assert rows(body)[2:] == [
        ("term", "definition", "d1.1/d2.1", "fast"),
        ("text", "definition", "d1.1/d2.1", "Heats at once."),
    ]


@pytest.mark.parametrize(
    "body",
    [
        # sentences, and what announces an example
        line(11, "<b>kiln</b> is a program that fires pots and does so as often as it is told to") + line(22, "a"),
        line(11, "<b>kiln</b> fires.") + line(22, "a"),
        line(11, "<b>Note</b>, as in:") + line(22, "a"),
        line(11, "With <b>kiln</b>") + line(22, "a"),
        # nothing is indented further
        line(11, "<b>kiln</b>") + line(11, "a"),
        line(11, "<b>kiln</b>") + "a" + line(22, "a"),
        # tables of data
        table(row("<b>-q</b>", "Say less."), attributes='border="1"'),
        table(row("<b>-q</b>", "Say less.").replace("</tr>", "<td>x</td></tr>")),
        table(row("<b>-q</b>", "Say less."), row("", "Say more.")),
        table(row("<b>-q</b>", "Say less."), row("&bull;", "Say more.")),
    ],
)
def test_what_is_no_entry(body: str) -> None:
    assert all(role != "term" for role, *_ in rows(body))
