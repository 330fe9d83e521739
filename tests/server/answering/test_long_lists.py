"""A list that is longer than a screen: its best items are shown, and each from its beginning."""

from __future__ import annotations

import pytest
from tests.server.answering.test_excerpt import asking
from tests.server.answering.test_passages import Row, read

from trueref_server.answering.excerpts.excerpt import MAX_WORDS, excerpt
from trueref_server.answering.sections.passage import Passage
from trueref_server.records import ExcerptBlock


def test_long_steps_are_shown_from_the_best_one() -> None:
    steps = [ExcerptBlock("list", f"{n}. Step of the kiln. " + "word " * 60) for n in range(1, 13)]
    blocks = [*steps[:8], ExcerptBlock("list", "9. Fire the palette. " + "word " * 60), *steps[9:]]
    shown = excerpt([Passage("steps", tuple(blocks))], 0, asking("palett"))
    assert [block.text.split(".")[0] for block in shown] == ["9", "10"]
    assert sum(len(block.text.split()) for block in shown) <= MAX_WORDS


def test_code_of_a_long_list_keeps_the_item_that_introduces_it() -> None:
    items = "- One is " + "word " * 160 + "\n- Else, it is read as follows:"
    blocks = (ExcerptBlock("prose", "word " * 40), ExcerptBlock("list", items), ExcerptBlock("code", "load(data)"))
    shown = excerpt([Passage("list", blocks)], 0, asking("load"))
    assert [block.text for block in shown] == ["- Else, it is read as follows:", "load(data)"]


FAQ = (
    ExcerptBlock("list", "1. How do I unlock it?\n   " + "word " * 180),
    ExcerptBlock("code", "unlock()"),
    ExcerptBlock("list", "This lasts for the session.\n   The log has it.\n2. How do I play a video? Bind a key:"),
    ExcerptBlock("code", "bind(play)"),
)
"""Questions with answers that have code in them: the answer to the first goes on after its code."""


def shown(*words: str) -> list[str]:
    return [block.text for block in excerpt([Passage("steps", FAQ)], 0, asking(*words))]


def test_the_end_of_an_item_is_not_shown_above_the_item_that_answers() -> None:
    assert shown("video") == ["2. How do I play a video? Bind a key:", "bind(play)"]


def test_the_end_of_an_item_is_shown_if_it_answers() -> None:
    assert shown("session")[0].startswith("This lasts for the session.")


OPTIONS = (
    ExcerptBlock("list", "- size: the size of a kiln. " + "word " * 170 + "\n- fuel: what it burns, as follows:"),
    ExcerptBlock("code", "burn(wood)"),
    ExcerptBlock("list", "Note that wood has to be dry.\n  It may be split.\n- door: how it opens."),
)
"""Options whose second has code in the middle of its description."""


def test_what_comes_after_an_item_that_is_cut_away_is_left_out() -> None:
    blocks = [block.text for block in excerpt([Passage("list", OPTIONS)], 0, asking("size"))]
    assert [text.split(":")[0] for text in blocks] == ["- size"]


def test_the_rest_of_an_item_is_left_out_with_its_beginning() -> None:
    blocks = [block.text for block in excerpt([Passage("list", OPTIONS)], 0, asking("open"))]
    assert blocks[-1] == "- door: how it opens."


def test_the_rest_of_an_item_is_shown_if_it_answers() -> None:
    blocks = [block.text for block in excerpt([Passage("list", OPTIONS)], 0, asking("dri"))]
    assert any(text.startswith("Note that wood has to be dry.") for text in blocks)


ITEMS = [f"- Setting {n} of the oven. " + "word " * 45 for n in range(1, 7)]


def test_behind_the_last_item_of_a_list_its_code_is_shown_and_not_what_is_before_the_list() -> None:
    items = [*ITEMS, "- The password of the kiln, in a file."]
    section = [
        Passage("paragraph", (ExcerptBlock("prose", "All that can be set of it."),)),
        Passage("list", (ExcerptBlock("list", "\n".join(items)),)),
        Passage("code", (ExcerptBlock("code", "kiln  1234"),)),
    ]
    assert [block.text for block in excerpt(section, 1, asking("kiln"))] == [items[-1], "kiln  1234"]
    # Code belongs to the last item, and not to one that is shown without it.
    middle = "\n".join([*ITEMS[:3], items[-1], *ITEMS[3:]])
    section[1] = Passage("list", (ExcerptBlock("list", middle),))
    assert [block.kind for block in excerpt(section, 1, asking("kiln"))] == ["list"]


FILLER = "It holds for all kilns of the house, and for those of the yard as well. " * 9
KEYS: list[Row] = [
    ("prose", "The keys are:"),
    ("list", "- fuel: What it burns.\n- glaze: What it gets.", "text", "l1"),
    ("admonition", "Example", "title", "l1/a2"),
    ("code", "glaze: celadon", "text", "l1/a2"),
    ("list", f"{FILLER}\n- door: How it opens.\n- lock: {FILLER}", "text", "l1"),
    ("code", "lock: true", "text", "l1"),
    ("list", f"- hood: {FILLER}", "text", "l1"),
    ("prose", "That is all.", "text", ""),
]
"""A reference in the form of a list that two screens have no room for, with the rest of an item behind its code."""


def test_a_long_list_with_code_in_it_is_a_passage_for_each_item() -> None:
    assert [[text.strip() for text in texts] for texts in read(*KEYS)] == [
        ["list", "The keys are:", "- fuel: What it burns."],
        ["list", "- glaze: What it gets.", "(Example) glaze: celadon", FILLER.strip()],
        ["list", "- door: How it opens."],
        ["list", f"- lock: {FILLER.strip()}", "lock: true"],
        ["list", f"- hood: {FILLER.strip()}"],
        ["paragraph", "That is all."],
    ]


def test_a_box_in_a_long_item_of_a_long_list_is_a_passage_too() -> None:
    long_box: list[Row] = [
        ("list", f"- glaze: What it gets. {FILLER}", "text", "l1"),
        ("admonition", "Warning", "title", "l1/a2"),
        ("admonition", f"It burns. {FILLER}", "text", "l1/a2"),
        ("list", f"- door: How it opens. {FILLER}", "text", "l1"),
    ]
    assert [texts[:2] for texts in read(*long_box)] == [
        ("list", f"- glaze: What it gets. {FILLER}".strip()),
        ("admonition", f"(Warning) It burns. {FILLER}".strip()),
        ("list", f"- door: How it opens. {FILLER}".strip()),
    ]


@pytest.mark.parametrize(
    "rows",
    [
        [*KEYS[:4], KEYS[-1]],
        [("list", f"- fuel: {FILLER}\n- door: {FILLER}\n- lock: {FILLER}", "text", "l1")],
        [("list", f"1. Fire. {FILLER}\n2. Open. {FILLER}", "text", "o1"), ("code", "open", "text", "o1")],
    ],
    ids=["short", "text", "steps"],
)
def test_other_lists_stay_whole(rows: list[Row]) -> None:
    assert sum(texts[0] in ("list", "steps") for texts in read(*rows)) == 1
