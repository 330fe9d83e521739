"""Entries of manual pages as groff writes them, in which nothing but indentation tells a term from its description."""

from __future__ import annotations

import pytest
from tests.plugin.pages import anchors, read
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
    described = line(11, "<b>mode</b>") + line(22, "One of:")
    assert rows(
        described + body.replace('width="11%"', 'width="22%"').replace("margin-left:11%", "margin-left:22%")
    ) == [
        ("term", "definition", "d1.1", "mode"),
        ("text", "definition", "d1.1", "One of:"),
        ("text", "definition", "d1.1", "It may"),
        ("text", "list", "d1.1", "- fire, and\n- cool."),
    ]
    assert rows(described + body) == [
        ("term", "definition", "d1.1", "mode"),
        ("text", "definition", "d1.1", "One of:"),
        ("text", "prose", "", "It may"),
        ("text", "list", "", "- fire, and\n- cool."),
    ]


def test_rows_with_numbers_are_a_list_with_numbers() -> None:
    body = table(row("1.", "Fire, and"), row("2.", "cool.")) + table(row("(3)", "Open."))
    assert rows(body) == [
        ("text", "list", "o1", "1. Fire, and\n2. cool."),
        ("text", "list", "o2", "3. Open."),
    ]


def test_code_in_an_item_is_a_block() -> None:
    body = table(row("&bull;", "Fire:</p><pre>kiln\n  run</pre><p>and wait."), row("&bull;", "Cool."))
    assert rows(body) == [
        ("text", "list", "l1", "- Fire:"),
        ("text", "code", "l1", "kiln\n  run"),
        ("text", "list", "l1", "  and wait.\n- Cool."),
    ]


def test_an_id_of_a_row_leads_to_its_section() -> None:
    named = table(row("<b>-q</b>", "Say less.").replace("<tr>", '<tr id="q">'))
    found = anchors(f'<h2 id="o">Options</h2>{named}{line(22, "New.")}{named.replace(chr(34) + "q", chr(34) + "r")}')
    assert [found[name].section for name in ("q", "r")] == [1, 1]


def test_an_entry_in_a_description_is_one_of_a_list_of_its_own() -> None:
    body = line(11, "<b>mode</b>") + line(22, "A mode.") + line(22, "<b>fast</b>") + line(33, "Heats at once.")
    assert rows(body)[2:] == [
        ("term", "definition", "d1.1/d2.1", "fast"),
        ("text", "definition", "d1.1/d2.1", "Heats at once."),
    ]


NESTED = (
    line(11, "<b>mode</b>") + line(22, "A mode.") + line(22, "<b>fast</b>") + line(33, "Heats.")
    + line(11, "<b>other</b>") + line(22, "Other.")
)  # fmt: skip


def test_an_entry_behind_a_list_in_a_description_is_one_of_the_outer_list() -> None:
    assert rows(NESTED) == [
        ("term", "definition", "d1.1", "mode"),
        ("text", "definition", "d1.1", "A mode."),
        ("term", "definition", "d1.1/d2.1", "fast"),
        ("text", "definition", "d1.1/d2.1", "Heats."),
        ("term", "definition", "d1.2", "other"),
        ("text", "definition", "d1.2", "Other."),
    ]


def test_many_lists_in_descriptions_are_read_once_each() -> None:
    assert [text for *_, text in rows(NESTED * 250)] == [text for *_, text in rows(NESTED)] * 250


def test_entries_that_are_indented_ever_further_are_all_read() -> None:
    stairs = "".join(line(margin, f"<b>step{margin}</b>") for margin in range(1, 100))
    assert [text for *_, text in rows(stairs)] == [f"step{margin}" for margin in range(1, 100)]


def test_parts_of_a_hundredth_count_as_none() -> None:
    made = line(11, "<b>-q</b>") + line(22, "Say less.") + table(row("<b>-n</b>", "Fire nothing."))
    body = made.replace("11%", "11.5%").replace("22%", "22.25%")
    assert [role for role, *_ in rows(body)] == ["term", "text", "term", "text"]
    assert rows(line(11, "<b>kiln</b>").replace("11%", "11.5%") + line(11, "a"))[0][0] == "heading"


def test_hidden_paragraphs_are_no_part_of_an_entry() -> None:
    hidden = line(22, "Hidden.").replace("<p", "<p hidden")
    assert [role for role, *_ in rows(line(11, "<b>-q</b>") + hidden)] == ["heading"]
    body = line(11, "<b>-q</b>") + hidden + line(22, "Say less.") + hidden + line(22, "New.") + hidden
    assert [text for *_, text in rows(body + line(11, "<b>-n</b>") + line(22, "Fire nothing."))] == [
        "-q", "Say less.", "New.", "-n", "Fire nothing.",
    ]  # fmt: skip
    table_with_hidden = table(row("<b>-q</b>", "Say less."), row("<b>-x</b>", "Hidden.").replace("<tr", "<tr hidden"))
    assert [text for *_, text in rows(table_with_hidden)] == ["-q", "Say less."]


@pytest.mark.parametrize(
    "body",
    [
        # sentences, and what announces an example
        line(11, "<b>kiln</b> is a program that fires pots and does so as often as it is told to") + line(22, "a"),
        line(11, "<b>kiln</b> fires.") + line(22, "a"),
        line(11, "<b>Note</b>, as in:") + line(22, "a"),
        line(11, "With <b>kiln</b>") + line(22, "a"),
        line(11, "<b>kiln</b> has these commands: <b><br>compact</b>") + line(22, "a"),
        # nothing is indented further
        line(11, "<b>kiln</b>") + line(11, "a"),
        line(11, "<b>kiln</b>") + "a" + line(22, "a"),
        # tables of data
        table(row("<b>-q</b>", "Say less."), attributes='border="1"'),
        table(row("<b>-q</b>", "Say less.").replace("</tr>", "<td>x</td></tr>")),
        table(row("<b>-q</b>", "Say less."), row("", "Say more.")),
        table(row("<b>-q</b>", "Say less."), row("&bull;", "Say more.")),
        table("<caption>Options</caption>", row("<b>-q</b>", "Say less.")),
        table("<thead><tr><th>Option</thead>", row("<b>-q</b>", "Say less.")),
    ],
)
def test_what_is_no_entry(body: str) -> None:
    assert all(role != "term" for role, *_ in rows(body))


def test_captions_and_headers_of_tables_of_data_are_kept() -> None:
    body = table("<caption>All of them</caption><thead><tr><th>Option</thead>", row("<b>-q</b>", "Say less."))
    read_text = " ".join(f"{block.text} {block.header}" for block in read(body).blocks)
    assert all(text in read_text for text in ("All of them", "Option", "Say less."))
