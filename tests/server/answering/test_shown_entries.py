"""What is shown of definitions, lists and tables: nothing that is needed is left out, and nothing stands alone."""

from __future__ import annotations

from dataclasses import replace

from tests.server.answering.test_excerpt import asking, option, paragraph, shown_with

from trueref_core.text.table_rows import count_words
from trueref_server.answering.excerpts.beginnings import may_begin
from trueref_server.answering.excerpts.code_excerpt import MAX_LINES, part_of
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.excerpts.screen import rows_around
from trueref_server.answering.sections.passage import Passage
from trueref_server.records import ExcerptBlock

ANNOUNCED = "The pool has these timeouts:"
LONG = "The kiln is fired in the order in which its shelves were filled, from the lowest to the highest."


def test_options_with_the_same_default_are_all_shown() -> None:
    section = [option(name, "The default is 10 seconds.", f"d1.{number}") for number, name in enumerate("abcd")]
    shown = excerpt([paragraph("The pool has timers."), *section], 0, asking())
    assert [block.caption for block in shown] == ["", "a", "b", "c", "d"]
    options = [option(name, LONG, f"d1.{number}") for number, name in enumerate("ab")]
    assert [block.caption for block in excerpt([paragraph("They are read."), *options], 0, asking())] == ["", "a", "b"]


def test_what_a_class_is_derived_from_is_shown_to_those_who_ask_for_it() -> None:
    section = [paragraph("Bases: `object`"), paragraph("A kiln fires bowls.")]
    assert [block.text for block in excerpt(section, 1, asking("kiln"))] == ["A kiln fires bowls."]
    assert len(excerpt(section, 1, replace(asking("kiln"), asked="what is the base class of Kiln"))) == 2
    # There is nothing else.
    assert len(excerpt(section[:1], 0, asking("kiln"))) == 1


def test_a_value_that_is_announced_is_shown_again() -> None:
    section = [paragraph(text) for text in ("Clients are told:", LONG, "Backends are told:", LONG, "Nobody else is.")]
    assert [block.text for block in excerpt(section, 0, asking())].count(LONG) == 2
    section = [paragraph(text) for text in ("Clients are told.", LONG, "Backends are told.", LONG)]
    assert [block.text for block in excerpt(section, 0, asking())].count(LONG) == 1


def test_the_line_before_definitions_is_followed_by_all_of_them() -> None:
    first = option("connect", "Ten seconds.", "d1.1")
    announced = Passage("definition", (ExcerptBlock("prose", ANNOUNCED), *first.blocks), entry="d1.1")
    section = [announced, option("read", "A minute.", "d1.2"), option("write", "An hour.", "d1.3")]
    assert shown_with(section, 0) == [0, 1, 2]
    # A later one is shown alone.
    assert shown_with(section, 1) == [1]


def test_the_text_after_definitions_does_not_begin_with_the_last_of_them() -> None:
    def captions(section: list[Passage]) -> list[str]:
        return [block.caption for block in excerpt(section, len(section) - 1, asking())]

    after = paragraph("Each can be negated.")
    short = [option(name, "It compares texts.", f"d1.{number}") for number, name in enumerate("abc")]
    assert captions([paragraph("word " * 90), *short, after]) == ["a", "b", "c", ""]
    long = [option(name, f"It compares {name}. " + "word " * 40, f"d1.{number}") for number, name in enumerate("abc")]
    assert captions([*long, after]) == [""]
    # A list of one entry begins with it.
    assert captions([*short, option("d", "It is alone.", "d2.0"), after]) == ["a", "b", "c", "d", ""]
    assert captions([long[0], after]) == ["a", ""]


def test_an_admonition_between_options_is_shown_with_the_one_before_it() -> None:
    warning = Passage("admonition", (ExcerptBlock("admonition", "The door is hot.", "Warning"),))
    options = [option("--open", "It opens.", "d1.1"), warning, option("--close", "It closes.", "d2.1")]
    assert [block.caption for block in excerpt(options, 1, asking())] == ["--open", "Warning"]
    # The text after it goes on.
    assert shown_with([warning, paragraph("Wear gloves.")], 0) == [0, 1]


def test_a_term_is_said_once_of_a_passage_with_code() -> None:
    blocks = (ExcerptBlock("definition", "Store it:", "--key"), ExcerptBlock("code", "store key", "--key"))
    section = [option("--key", "It is a file.", "d1.1"), Passage("code", blocks, entry="d1.1")]
    assert [block.caption for block in excerpt(section, 1, asking("store"))] == ["--key", "", ""]
    assert [block.caption for block in excerpt(section[1:], 0, asking("store"))] == ["--key", ""]


def test_a_later_part_of_a_definition_does_not_begin_under_its_repeated_term() -> None:
    section = [option("--key", "It is a file.", "d1.1"), option("--key", "Then store it.", "d1.1")]
    assert not may_begin(section, 1)
    assert may_begin([section[0], option("--other", "Then store it.", "d1.2")], 1)


def test_the_code_of_an_item_that_is_cut_away_is_not_shown() -> None:
    items = "\n".join(f"- {'word ' * 60}{number}." for number in range(6))
    section = [Passage("list", (ExcerptBlock("list", items), ExcerptBlock("code", "tool --set 5")))]
    assert [block.kind for block in excerpt(section, 0, asking())] == ["list"]
    # If the last item is shown, so is its code.
    assert [block.kind for block in excerpt(section, 0, asking("5"))] == ["list", "code"]


def test_comments_do_not_push_what_they_are_about_off_the_card() -> None:
    comments = ["---", "# The hooks of the project.", "# They run before each commit."] * 3
    settings = [
        "repos:",
        "  - repo: kiln",
        "    rev: 1",
        "    hooks:",
        "      - id: lint",
        "        args: [-q]",
        "",
        "ci: no",
    ]
    code = "\n".join([*comments, *settings])
    assert part_of(code, [float("hooks" in line) for line in code.split("\n")]) == code
    # Not where a screen has no room, nor where the code itself is long.
    for long in ("\n".join([*comments * 3, *settings]), "\n".join([*comments, *settings * 3])):
        assert part_of(long, [0.0] * len(long.split("\n"))) != long


def test_of_code_that_is_one_long_branch_the_beginning_is_shown() -> None:
    settings = [f'  "kiln_{number}": {number},' for number in range(20)]
    flat = "\n".join(["{", *settings, "}"])
    shown = part_of(flat, [0.0] * 22).split("\n")
    assert shown == ["{", *settings[: MAX_LINES - 2], "  …", "}"]
    nested = "\n".join([*(" " * depth + "{" for depth in range(9)), *(" " * depth + "}" for depth in range(8, -1, -1))])
    shown = part_of(nested, [0.0] * 18).split("\n")
    assert len(shown) == MAX_LINES
    assert shown[:7] == nested.split("\n")[:7]


def test_of_a_long_table_the_row_that_is_called_so_is_shown() -> None:
    rows = [f"| `KILN_{number}` | All kilns share the rate limit of number {number}. |" for number in range(9)]
    table = "\n".join(["| Name | What it is |", "| --- | --- |", *rows, "| `KILN_RATE_LIMIT` | Firings a minute. |"])
    shown = rows_around(table, asking("rate", "limit"), 2)
    assert shown.split("\n")[-1] == "| `KILN_RATE_LIMIT` | Firings a minute. |"


def test_words_are_counted_as_a_reader_sees_them() -> None:
    assert count_words("| a b | c |\n| --- | --- |\n| d | e-f |") == 5
    assert count_words("- one\n- two words") == 3
