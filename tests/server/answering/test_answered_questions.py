"""Questions and answers of a FAQ whose author marks them with letters: each question is shown with its answer."""

from __future__ import annotations

import pytest
from tests.server.answering.test_excerpt import asking
from tests.server.answering.test_passages import Row, section

from trueref_core.records import BlockRole
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.sections.passages import passages

COLD = "Q: Why is my kiln cold?"
HOT = "Q: How do I cool a kiln?"


def shown(*rows: Row, answer_number: int) -> list[str]:
    """The captions and texts that are shown for a passage."""
    blocks = excerpt(passages(section(*rows)), answer_number, asking())
    return [f"{block.caption} {block.text}".strip() for block in blocks]


def definition(number: int, term: str, text: str) -> tuple[Row, Row]:
    path = f"d1.{number}"
    return ("definition", term, "term", path), ("definition", text, "text", path)


@pytest.mark.parametrize("mark", ["A: ", "A. ", "Answer: "])
def test_a_question_is_shown_with_its_answer_and_without_the_next_one(mark: str) -> None:
    rows: list[Row] = [
        ("prose", COLD),
        ("prose", f"{mark}It has no fuel."),
        ("prose", HOT),
        ("prose", f"{mark}Open it."),
    ]
    assert shown(*rows, answer_number=0) == [COLD, f"{mark}It has no fuel."]
    assert shown(*rows, answer_number=1) == [HOT, f"{mark}Open it."]


def test_a_question_of_several_blocks_begins_its_answer() -> None:
    asked: list[Row] = [("prose", "Q: I ran this:"), ("code", "kiln fire"), ("prose", "and nothing happened. Why?")]
    rows: list[Row] = [
        *asked,
        ("prose", "A: It has no fuel."),
        ("prose", "Fill it."),
        ("prose", HOT),
        ("prose", "A: No."),
    ]
    texts = ["Q: I ran this:", "kiln fire", "and nothing happened. Why?", "A: It has no fuel.", "Fill it."]
    assert shown(*rows, answer_number=0) == shown(*rows, answer_number=1) == texts
    made = passages(section(*rows))
    assert [[block.text for block in passage.blocks] for passage in made] == [texts[:4], texts[4:], [HOT, "A: No."]]
    # Nothing in the question announces anything.
    (made_of_paragraphs,) = passages(
        section(("prose", COLD), ("prose", "The lamp is red."), ("prose", "A: It has no fuel."))
    )
    assert [block.text for block in made_of_paragraphs.blocks] == [COLD, "The lamp is red.", "A: It has no fuel."]


def test_questions_that_are_terms_have_their_answers() -> None:
    rows = [
        *definition(1, "Q", "Why is my kiln cold?"),
        *definition(2, "A", "It has no fuel."),
        *definition(3, "Q", "How do I cool a kiln?"),
        *definition(4, "A", "Open it."),
    ]
    assert shown(*rows, answer_number=0) == ["Q Why is my kiln cold?", "A It has no fuel."]
    assert shown(*rows, answer_number=1) == ["Q How do I cool a kiln?", "A Open it."]


def test_letters_without_a_question_or_an_answer_mark_nothing() -> None:
    rows: list[Row] = [("prose", "Q: the heat of a kiln."), ("prose", "W: its work."), ("prose", "B: its fuel.")]
    assert [len(passage.blocks) for passage in passages(section(*rows))] == [1, 1, 1]
    rows = [("prose", "Fire a kiln."), ("prose", "A. With gas."), ("prose", "B. With wood.")]
    assert shown(*rows, answer_number=2) == ["Fire a kiln.", "A. With gas.", "B. With wood."]


def test_questions_of_a_faq_stand_above_their_answers_as_headings() -> None:
    rows: list[Row] = [
        ("prose", "Fill it first."),
        ("prose", "What is a glaze?"),
        ("prose", "A coat of glass."),
        ("prose", "It shines."),
        ("prose", "Why do the bowls break?"),
        ("list", "- They are wet.\n- They are thin."),
        ("prose", "Why fire at all?"),
        ("code", "kiln fire"),
        ("prose", "It may fail. Why?"),
        ("prose", "It has no fuel."),
    ]
    made = passages(section(*rows))
    # What stands behind an answer may be about something else.
    headings = ["", "What is a glaze?", "", "Why do the bowls break?", "", "", ""]
    assert [passage.heading for passage in made] == headings
    assert [passage.blocks[0].caption for passage in made] == headings
    # Above code it introduces the code, and the end of a paragraph is no question of a FAQ.
    assert made[4].blocks[0].text == "Why fire at all?"
    assert made[5].blocks[0].text == "It may fail. Why?"


def test_behind_the_answer_of_a_question_the_heading_above_counts() -> None:
    rows: list[Row] = [
        ("prose", "Glazes", "heading"),
        ("prose", "What is a glaze?", "text", "q1"),
        ("prose", "A coat of glass.", "text", "q1"),
        ("prose", "It shines.", "text", "q1"),
    ]
    assert [passage.heading for passage in passages(section(*rows))] == ["What is a glaze?", "Glazes"]


@pytest.mark.parametrize(
    ("before", "question", "path", "is_heading"),
    [
        ("Glazes", "What is a glaze?", "a1", True),
        # In the text, or behind other text of a box, its author asks in passing.
        ("Glazes", "What happens here?", "", False),
        ("Glazes", "What happens here?", "t1.1", False),
        ("The bowl is in the kiln.", "What happens here?", "a1", False),
        # It is about what was said before.
        ("Glazes", "So what happens if a bowl breaks?", "a1", False),
        ("Glazes", "Now what is a glaze?", "a1", False),
        ("Glazes", "What does this mean?", "a1", False),
        ("Glazes", "Why those bowls above?", "a1", False),
    ],
)
def test_a_single_question_is_a_heading_where_it_opens_a_box(
    before: str, question: str, path: str, is_heading: bool
) -> None:
    role: BlockRole = "title" if before == "Glazes" and path else "text"
    rows: list[Row] = [
        ("prose", before, role, path),
        ("prose", question, "text", path),
        ("prose", "Yes.", "text", path),
    ]
    assert any(passage.heading == question for passage in passages(section(*rows))) is is_heading


def test_questions_that_point_make_no_faq() -> None:
    rows: list[Row] = [("prose", "What is a glaze?"), ("prose", "Glass.")]
    for question in ("What does this mean?", "So what happens now?"):
        rows += [("prose", question), ("prose", "It shines.")]
    assert {passage.heading for passage in passages(section(*rows))} == {""}


def test_a_section_without_text_has_no_passages() -> None:
    assert passages(section(("prose", "Source code", "furniture"))) == []
