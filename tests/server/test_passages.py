from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.handmade import chunk

from trueref_core.records import Chunk, ChunkKind
from trueref_server.answering.passages import Passage, passages, stitch
from trueref_server.answering.select import CODE_MOST, select, telling_sentence
from trueref_server.answering.text import escape, unescape, write, write_all
from trueref_server.records import Question
from trueref_server.retrieval.plan import make_plan


def section(*parts: tuple[ChunkKind, str] | tuple[ChunkKind, str, int]) -> list[Chunk]:
    made: list[Chunk] = []
    for position, (kind, text, *overlap) in enumerate(parts):
        previous = made[-1].id if made else ""
        item = replace(
            chunk("a/", "x", text, position),
            id=f"c{position}",
            kind=kind,
            overlap=overlap[0] if overlap else 0,
            previous=previous,
            code_language="yaml" if kind == "code" else "",
        )
        made.append(item)
    return made


def chosen(question: str, *parts: tuple[ChunkKind, str]) -> list[Passage]:
    return select(make_plan(Question(question)), passages(section(*parts)))


def test_overlapping_chunks_are_stitched_without_the_repetition() -> None:
    chunks = section(("prose", "One. Two."), ("prose", "Two. Three.", 5), ("prose", "Three.\n\nFour.", 8))
    assert stitch(chunks) == "One. Two. Three.\n\nFour."


def test_a_section_is_read_as_passages() -> None:
    read = passages(
        section(
            ("prose", "Set it up. It is easy.\n\nThen:"),
            ("list", "1. first\n2. second\n  - inner"),
            ("code", "a: 1\n\nb: 2"),
            ("code", "c: 3"),
            ("table", "| A | B |\n| --- | --- |\n| 1 | 2 |"),
            ("table", "| A | B |\n| --- | --- |\n| 3 | 4 |"),
        )
    )
    assert read == [
        Passage("prose", ("Set it up.", "It is easy.")),
        Passage("prose", ("Then:",)),
        Passage("list", ("1. first", "2. second\n  - inner")),
        Passage("code", ("a: 1\n\nb: 2",), code_language="yaml"),
        Passage("code", ("c: 3",), code_language="yaml"),
        Passage("table", ("| 1 | 2 |", "| 3 | 4 |"), "| A | B |\n| --- | --- |"),
    ]


def test_chunks_with_another_section_between_them_are_not_glued() -> None:
    first, second = section(("prose", "One."), ("prose", "Two."))
    assert [passage.parts for passage in passages([first, replace(second, previous="elsewhere")])] == [
        ("One.",),
        ("Two.",),
    ]


def test_the_code_that_a_line_announces_is_shown_with_it() -> None:
    shown = chosen(
        "How do I switch the palette?",
        ("prose", "Colors make a difference to readers. To switch the palette, add:\n\nmkdocs.yml"),
        ("code", "theme:\n  palette: red"),
        ("prose", "Nothing else is needed here at all."),
    )
    assert [passage.kind for passage in shown] == ["prose", "prose", "code"]


def test_a_line_that_announces_nothing_shown_is_left_out() -> None:
    long_code = "x" * (CODE_MOST + 1)
    shown = chosen("palette", ("prose", "The palette is a list of colors. Add all of this:"), ("code", long_code))
    assert shown == [Passage("prose", ("The palette is a list of colors.",))]


def test_rows_of_a_table_that_answer_are_chosen_in_order() -> None:
    rows = "\n".join(f"| option{n} | does thing number {n} |" for n in range(20))
    (table,) = chosen("What does option17 do?", ("table", f"| Option | Meaning |\n| --- | --- |\n{rows}"))
    assert table.header.startswith("| Option")
    assert "| option17 | does thing number 17 |" in table.parts
    assert list(table.parts) == sorted(table.parts, key=lambda row: int(row.split()[1].removeprefix("option")))


def test_a_deep_paragraph_begins_at_its_telling_sentence() -> None:
    filler = " ".join(f"This sentence says nothing of it, number {n}." for n in range(8))
    shown = chosen("helicopter", ("prose", f"{filler} The helicopter lands here. It waits."))
    assert shown[-1].parts[:2] == ("The helicopter lands here.", "It waits.")


def test_telling_sentences_are_whole_and_no_badges() -> None:
    plan = make_plan(Question("cache"))
    read = passages(section(("prose", "9.2.0\n\nThe cache keeps what was downloaded before.\n\nClear the cache with:")))
    assert telling_sentence(plan, read) == "The cache keeps what was downloaded before."
    assert telling_sentence(plan, passages(section(("code", "x = 1")))) == ""
    assert select(plan, []) == []


def test_the_lines_of_an_item_are_told_one_by_one() -> None:
    """Joined they would read as one sentence that the page does not have."""
    items = "1. Set the report up as follows:\n  - Rows hold the location of every page\n  - Columns hold the month"
    told = telling_sentence(make_plan(Question("location of pages")), passages(section(("list", items))))
    assert told == "Rows hold the location of every page"


def test_a_section_of_code_alone_is_shown_and_cited() -> None:
    shown = chosen("anything", ("code", "a: 1"))
    assert write_all(shown, 3) == "```yaml\na: 1\n```\n\n[3]"


def test_a_label_above_code_has_no_citation_of_its_own() -> None:
    shown = [
        Passage("prose", ("Add the project:",)),
        Passage("prose", ("pyproject.toml",)),
        Passage("code", ("a = 1",)),
    ]
    assert write_all(shown, 1) == "Add the project: [1]\n\npyproject.toml\n\n```\na = 1\n```"


def test_a_fence_is_longer_than_any_inside() -> None:
    assert write(Passage("code", ("```\nx\n```",)), 1, cite=True) == "````\n```\nx\n```\n````"


def test_marks_of_the_docs_are_escaped_outside_of_code() -> None:
    assert escape("see [1], arr`[1]` and **kwargs, [x]") == r"see \[1], arr`[1]` and \*\*kwargs, [x]"


@settings(derandomize=True, max_examples=300)
@given(st.text(alphabet="ab[]1*\\` |\n", max_size=40))
def test_escaping_is_undone(text: str) -> None:
    assert unescape(escape(text)) == text


def test_marks_in_a_table_are_escaped() -> None:
    table = Passage("table", ("| a[1] | `b[1]` |",), header="| x | y |\n| --- | --- |")
    assert write(table, 1, cite=True).endswith("\n| a\\[1] | `b[1]` |")
