from __future__ import annotations

from dataclasses import replace
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import EXAMPLES
from tests.server.handmade import chunk

from trueref_core.records import BlockRole, Chunk, ChunkKind
from trueref_core.text.block_marks import BlockMark, write_mark
from trueref_server.answering.answer_markdown import escape, unescape, write
from trueref_server.answering.sections.passage import Panel, Passage
from trueref_server.answering.sections.passages import passages
from trueref_server.answering.sections.section_blocks import section_blocks
from trueref_server.records import ExcerptBlock

Row = tuple[ChunkKind, str] | tuple[ChunkKind, str, BlockRole] | tuple[ChunkKind, str, BlockRole, str]
"""Kind and text of a block, its role and its path."""


def section(*rows: Row) -> list[Chunk]:
    """A section with a chunk for each block."""
    made: list[Chunk] = []
    for position, (kind, text, *rest) in enumerate(rows):
        role, path = [*rest, "text", ""][:2] if not rest else [*rest, ""][:2]
        mark = BlockMark(0, cast("BlockRole", role), kind, path)
        made.append(
            replace(
                chunk("a/", "x", text, position),
                id=f"c{position}",
                kind=kind,
                previous=made[-1].id if made else "",
                code_language="yaml" if kind == "code" else "",
                blocks=(write_mark(mark),),
            )
        )
    return made


def read(*rows: Row) -> list[tuple[str, ...]]:
    """Kind of each passage with the texts of its blocks, captions before them in brackets."""
    return [
        (
            passage.kind,
            *(f"({block.caption}) {block.text}" if block.caption else block.text for block in passage.blocks),
        )
        for passage in passages(section(*rows))
    ]


def test_a_block_that_is_cut_is_put_together_without_what_is_repeated() -> None:
    first, *others = section(("prose", "One. Two."), ("prose", "Two. Three."), ("prose", "Three.\n\nFour."))
    second, third = replace(others[0], overlap=5, blocks=()), replace(others[1], overlap=6, blocks=("8 text prose",))
    assert [block.text for block in section_blocks([first, second, third])] == ["One. Two. Three.", "Four."]


def test_the_end_of_a_block_whose_beginning_is_not_there_is_left_out() -> None:
    torn, whole = section(("prose", "the end of a sentence."), ("prose", "A whole one."))
    assert [block.text for block in section_blocks([replace(torn, blocks=()), whole])] == ["A whole one."]


def test_a_torn_table_begins_at_its_next_row_and_a_torn_list_at_its_next_item() -> None:
    head = "| A | B |\n| --- | --- |\n"
    (rows,) = section(("table", f"{head}| 3 | 4 |\n| 5 | 6 |"))
    assert [block.text for block in section_blocks([replace(rows, blocks=("0 text+ table",))])] == [rows.text]
    (cut,) = section(("table", f"{head}of a row |\n| 5 | 6 |"))
    assert [block.text for block in section_blocks([replace(cut, blocks=("0 text+ table",))])] == [f"{head}| 5 | 6 |"]
    (items,) = section(("list", "end of an item\n- One\n- Two"))
    assert [block.text for block in section_blocks([replace(items, blocks=())])] == ["- One\n- Two"]
    (only,) = section(("list", "end of an item"))
    assert section_blocks([replace(only, blocks=())]) == []


def test_what_other_sections_stand_between_is_no_introduction() -> None:
    first, second = section(("prose", "It is set. The properties are:"), ("prose", "Further on."))
    made = passages([first, replace(second, previous="elsewhere")])
    assert [(passage.text, passage.begins) for passage in made] == [("It is set.", True), ("Further on.", True)]


def test_a_table_that_is_cut_has_its_header_once() -> None:
    head = "| A | B |\n| --- | --- |\n"
    first, second = section(("table", f"{head}| 1 | 2 |"), ("table", f"{head}| 3 | 4 |"))
    second = replace(second, blocks=("0 text+ table",))
    assert [block.text for block in section_blocks([first, second])] == [f"{head}| 1 | 2 |\n| 3 | 4 |"]


def test_lists_tables_and_code_stand_with_what_introduces_them() -> None:
    assert read(
        ("prose", "It is easy."),
        ("prose", "Then:"),
        ("list", "- first\n- second"),
        ("prose", "Add this to the file."),
        ("code", "a: 1"),
        ("code", "b: 2"),
        ("prose", "The values:"),
        ("table", "| 1 | 2 |"),
    ) == [
        ("paragraph", "It is easy."),
        ("list", "Then:", "- first\n- second"),
        ("code", "Add this to the file.", "a: 1"),
        ("code", "b: 2"),
        ("table", "The values:", "| 1 | 2 |"),
    ]
    # A list of one item is the label of the code after it, and a longer one says something by itself.
    assert read(("list", "- `color`"), ("code", "a")) == [("code", "- `color`", "a")]
    assert read(("list", "- first\n- second"), ("code", "a")) == [("list", "- first\n- second"), ("code", "a")]


def test_a_title_names_what_follows_it() -> None:
    assert read(
        ("prose", "Add:"),
        ("prose", "mkdocs.yml", "caption", "f1"),
        ("code", "a: 1", "text", "f1"),
        ("admonition", "Careful", "title", "a1"),
        ("admonition", "It is hot.", "text", "a1"),
        ("admonition", "It burns.", "text", "a1"),
        ("prose", "Further", "heading"),
        ("prose", "More of it."),
    ) == [
        ("code", "Add:", "(mkdocs.yml) a: 1"),
        ("admonition", "(Careful) It is hot.", "It burns."),
        ("paragraph", "(Further) More of it."),
    ]


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("The lamp", [("paragraph", "Before."), ("paragraph", "Never run it dry.")]),
        ("The `E3` lamp is lit.", [("paragraph", "Before."), ("paragraph", "The `E3` lamp is lit."), ("paragraph", "Never run it dry.")]),
    ],
    ids=["a name", "a sentence"],
)  # fmt: skip
def test_the_caption_of_a_picture_names_no_other_text(caption: str, expected: list[tuple[str, ...]]) -> None:
    rows: list[Row] = [("prose", "Before."), ("prose", caption, "caption", "f1"), ("prose", "Never run it dry.")]
    assert read(*rows) == expected


def test_the_captions_of_all_frames_around_a_block_name_it_and_of_no_other() -> None:
    assert read(
        ("admonition", "Careful", "title", "a1"),
        ("prose", "The lamp", "caption", "a1/f1"),
        ("admonition", "It is hot.", "text", "a1"),
        ("prose", "Example 1", "caption", "f2"),
        ("prose", "app.rb", "caption", "f2/f3"),
        ("code", "run", "text", "f2/f3"),
        ("prose", "A list of links", "caption", "f4"),
        ("list", "- [X](x)", "links", "f4"),
        ("prose", "Tail."),
        ("code", "last", "text", "f5"),
        ("prose", "The last", "caption", "f5"),
        ("prose", "End."),
    ) == [
        ("admonition", "(Careful) It is hot."),
        ("code", "(Example 1 · app.rb) run"),
        ("code", "Tail.", "last"),
        ("paragraph", "End."),
    ]


def test_each_panel_of_tabs_stands_with_the_line_before_them() -> None:
    made = passages(
        section(
            ("prose", "Install it:"),
            ("prose", "pip", "label", "t1.1"),
            ("code", "pip install it", "text", "t1.1"),
            ("prose", "uv", "label", "t1.2"),
            ("code", "uv add it", "text", "t1.2"),
        )
    )
    assert [passage.text for passage in made] == ["Install it:\npip\npip install it", "Install it:\nuv\nuv add it"]
    assert [passage.panels for passage in made] == [(Panel("t1", "1", "pip"),), (Panel("t1", "2", "uv"),)]


def test_each_panel_of_tabs_in_a_panel_stands_alone_with_the_line_before_them() -> None:
    made = passages(
        section(
            ("prose", "Set the heat:"),
            ("prose", "kiln.toml", "label", "t1.1"),
            ("code", "heat = 3", "text", "t1.1"),
            ("prose", "Command line", "label", "t1.2"),
            ("prose", "sh", "label", "t1.2/t2.1"),
            ("code", "kiln --heat 3", "text", "t1.2/t2.1"),
            ("prose", "cmd", "label", "t1.2/t2.2"),
            ("code", "kiln.exe /heat 3", "text", "t1.2/t2.2"),
        )
    )
    assert [passage.text for passage in made] == [
        "Set the heat:\nkiln.toml\nheat = 3",
        "Set the heat:\nCommand line · sh\nkiln --heat 3",
        "Set the heat:\ncmd\nkiln.exe /heat 3",
    ]
    assert [[(panel.tabs, panel.number, panel.label) for panel in passage.panels] for passage in made] == [
        [("t1", "1", "kiln.toml")],
        [("t1", "2", "Command line"), ("t2", "1", "sh")],
        [("t1", "2", "Command line"), ("t2", "2", "cmd")],
    ]


def test_tabs_in_a_panel_stand_with_the_line_before_them_in_the_panel() -> None:
    made = passages(
        section(
            ("prose", "Heat it:"),
            ("prose", "Gas", "label", "t1.1"),
            ("prose", "Open the valve:", "text", "t1.1"),
            ("code", "valve --open", "text", "t1.1/t2.1"),
            ("code", "valve.exe /open", "text", "t1.1/t2.2"),
            ("prose", "Wait.", "text", "t1.1"),
        )
    )
    assert [[block.text for block in passage.blocks][-2:] for passage in made] == [
        ["Open the valve:", "valve --open"],
        ["Open the valve:", "valve.exe /open"],
        ["Wait."],
    ]


def test_a_sentence_in_a_panel_of_tabs_in_a_panel_does_not_introduce_the_next_panel() -> None:
    made = passages(
        section(
            ("prose", "Heat it:"),
            ("code", "kiln fire", "text", "t1.1/t2.1"),
            ("prose", "Only the owner may do so at night.", "text", "t1.1/t2.1"),
            ("code", "kiln.exe /fire", "text", "t1.1/t2.2"),
        )
    )
    assert [[block.text for block in passage.blocks] for passage in made] == [
        ["Heat it:", "kiln fire"],
        ["Only the owner may do so at night."],
        ["Heat it:", "kiln.exe /fire"],
    ]


def test_steps_are_one_passage_with_the_code_inside_them() -> None:
    assert read(
        ("list", "1. Write it:", "text", "o1"),
        ("code", "a: 1", "text", "o1"),
        ("list", "2. Run it.", "text", "o1"),
        ("list", "1. Alone."),
    ) == [("steps", "1. Write it:", "a: 1", "2. Run it."), ("steps", "1. Alone.")]


def test_a_line_with_a_colon_announces_a_value_or_what_announces_one_and_no_sentence() -> None:
    def texts(*paragraphs: str) -> list[str]:
        return [" | ".join(made) for _, *made in read(*(("prose", paragraph) for paragraph in paragraphs))]

    unrelated = "See the guide below to learn how to set colors."
    assert texts("It is easy. Click on a tile to change the color:", unrelated) == ["It is easy.", unrelated]
    assert texts("Click on a tile to change the color:", unrelated) == [unrelated]
    for value in ("`kiln --hot`", "https://kiln.example.org/a", "90.5", "Isolation Level", "<bucket>/<key>"):
        assert texts("The value is as follows:", value) == [f"The value is as follows: | {value}"]
    # A label announces a sentence, and a line may announce the name of a file that announces its content.
    # However long: code of that length is a line to copy.
    call = f"`kiln {'--hot ' * 20}`"
    assert texts("That is equivalent to this:", call) == [f"That is equivalent to this: | {call}"]
    assert texts("Changed in Kiln 3.2:", "The tag was added.") == ["Changed in Kiln 3.2: | The tag was added."]
    assert texts("It looks like this:", "`kiln.py`:", "`a = 1`") == ["It looks like this: | `kiln.py`: | `a = 1`"]
    # Behind each there was a picture.
    assert texts("Look at the question:", "Click on the title to edit it:", unrelated) == [unrelated]


def test_furniture_is_no_passage_and_links_are_only_where_there_is_nothing_else() -> None:
    box: Row = ("list", "- Colors\n- Fonts", "links")
    assert read(("prose", "Source code in `a.py`", "furniture"), ("prose", "Text."), box) == [("paragraph", "Text.")]
    assert read(box) == [("list", "- Colors\n- Fonts")]
    # `is there a plug-in for emacs?` is answered by such a list, whatever the title above it is.
    more: Row = ("list", "- The plug-in for Emacs\n- The plug-in for Vim", "links")
    assert len(passages([replace(each, title="More resources") for each in section(more)])) == 1


@pytest.mark.parametrize(
    ("line", "is_shown"),
    [
        ("The kiln burns the following fuels:", True),
        ("Switch these off. These make use of the fan, which the kiln lacks:", True),
        ("Check out one of the following guides:", False),
        ("Learn how the kiln works with other tools:", False),
        ("The kiln has two fuels.", False),
        ("Siehe auch:", False),
    ],
)
def test_links_are_shown_where_they_are_what_the_line_before_them_says(line: str, is_shown: bool) -> None:
    shown = read(("prose", "It is hot."), ("prose", line), ("list", "- Gas\n- Wood", "links"))
    assert (("list", line, "- Gas\n- Wood") in shown) == is_shown
    assert is_shown or ("list", "- Gas\n- Wood") not in shown


@pytest.mark.parametrize(
    "rows",
    [
        [
            ("code", "python -m venv .venv\npip install kiln\nkiln serve"),
            ("prose", "pip", "label", "t1.1"),
            ("code", "pip install kiln", "text", "t1.1"),
            ("prose", "uv", "label", "t1.2"),
            ("code", "uv pip install kiln", "text", "t1.2"),
        ],
        [
            ("code", "# Never set this in production\nkiln serve --debug"),
            ("prose", "Warning", "title", "a1"),
            ("prose", "Never set this in production", "text", "a1"),
        ],
        [("code", "kiln fill\nkiln fire # once the door is closed"), ("prose", "once the door is closed")],
        [("code", "kiln fill\nkiln fire\nkiln open"), ("code", "kiln fire")],
    ],
)
def test_what_repeats_a_line_of_code_before_it_is_shown(rows: list[Row]) -> None:
    shown = [text for passage in passages(section(*rows)) for text in (block.text for block in passage.blocks)]
    assert shown == [text for _, text, *role in rows if role[:1] not in (["label"], ["title"])]


def test_each_part_of_a_long_entry_carries_its_term() -> None:
    long = "Seconds to wait. " * 60
    found = read(("definition", "`timeout`", "term", "d1.1"), *(("definition", long, "text", "d1.1") for _ in range(2)))
    assert [text.split(" Seconds")[0] for _, text in found] == ["(timeout)", "(timeout)"]


def test_notes_of_annotated_code_stay_with_it() -> None:
    code: Row = ("code", "extra:\n  version: latest # (1)!")
    notes: Row = ("list", "1. The newest one.")
    assert len(read(code, notes)) == 1
    assert len(read(("code", "extra:\n  version: latest"), notes)) == 2


def test_a_term_names_its_definition() -> None:
    assert read(("definition", "timeout", "term", "d1.1"), ("definition", "Seconds to wait.", "text", "d1.1")) == [
        ("definition", "(timeout) Seconds to wait.")
    ]


def test_the_parts_of_an_entry_are_told_from_those_of_the_next() -> None:
    term: Row = ("definition", "timeout", "term", "d1.1")
    part: Row = ("definition", "Seconds to wait. " * 60, "text", "d1.1")
    after: list[Row] = [("definition", "retries", "term", "d1.2"), ("definition", "Tries.", "text", "d1.2")]
    found = passages(section(term, part, part, *after, ("prose", "The end.")))
    assert [passage.entry for passage in found] == ["d1.1", "d1.1", "d1.2", ""]


KINDS: list[ChunkKind] = ["prose", "list", "table", "code", "admonition", "definition"]
ROLES: list[BlockRole] = ["text", "title", "label", "caption", "term", "heading", "furniture", "links"]
PATHS = ["", "a1", "a2", "o1", "l1", "t1.1", "t1.2", "t2.1/a3", "d1.1", "d1.2", "f1", "b1.1"]


@settings(max_examples=3 * EXAMPLES)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(KINDS), st.sampled_from(["a:", "b", "c."]), st.sampled_from(ROLES), st.sampled_from(PATHS)
        ),
        max_size=12,
    )
)
def test_every_text_is_shown_once_and_in_its_order(rows: list[Row]) -> None:
    """A lead stands before each panel of its tabs; nothing else is told twice, and no text is lost. Notes come last."""
    numbered: list[Row] = [(row[0], f"{at} {row[1]}", *row[2:]) for at, row in enumerate(rows)]
    made: list[Passage] = passages(section(*numbered))
    shown = [block.text for passage in made for block in passage.blocks]
    first = list(dict.fromkeys(shown))
    notes = {row[1] for row in numbered if len(row) > 3 and row[3] == "b1.1"}
    assert first == sorted(first, key=lambda text: (text in notes, int(text.split()[0])))
    of_text = [row for row in numbered if len(row) > 3 and row[2] == "text"]
    # A line that announces nothing is left out, unless there is nothing else.
    texts = [text for kind, text, *_ in of_text if not text.endswith(":") or kind in ("code", "table")]
    assert set(texts) <= set(shown)


def test_a_citation_stands_behind_the_last_of_what_is_said() -> None:
    lead, code = ExcerptBlock("prose", "Add the project:"), ExcerptBlock("code", "a = 1", "pyproject.toml", "toml")
    assert write([lead, code], 1) == "Add the project: [1]\n\n**pyproject.toml**\n\n```toml\na = 1\n```"
    assert write([code], 3).endswith("```\n\n[3]")
    assert write([lead]) == "Add the project:"


def test_a_fence_is_longer_than_any_inside() -> None:
    assert write([ExcerptBlock("code", "```\nx\n```")]) == "````\n```\nx\n```\n````"


def test_marks_of_the_docs_are_escaped_outside_of_code() -> None:
    assert escape("see [1], arr`[1]` and **kwargs, [x]") == r"see \[1], arr`[1]` and \*\*kwargs, [x]"


@settings(max_examples=3 * EXAMPLES)
@given(st.text(alphabet="ab[]1*\\` |\n", max_size=40))
def test_any_escaped_text_is_unescaped_to_itself(text: str) -> None:
    assert unescape(escape(text)) == text


def test_marks_in_a_table_are_escaped() -> None:
    table = ExcerptBlock("table", "| x | y |\n| --- | --- |\n| a[1] | `b[1]` |")
    assert write([table]).endswith("\n| a\\[1] | `b[1]` |")
