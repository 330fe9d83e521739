from __future__ import annotations

from dataclasses import replace

from trueref_server.evaluation.case_runs import card_texts, open_text
from trueref_server.evaluation.span_finder import beginning
from trueref_server.records import Draft, Excerpt, ExcerptBlock, ReferenceCounts

DRAFT = Draft(
    text="Set it. [1]",
    excerpts=(
        Excerpt(
            1,
            "Set it.",
            (
                ExcerptBlock("prose", "Set it."),
                ExcerptBlock("code", "a = 1\n\nb = 2", "mkdocs.yml", "toml"),
                ExcerptBlock("admonition", "Not before 2.0.", "Note", highlight=(0, 3)),
            ),
        ),
        Excerpt(2, "Or not.", (ExcerptBlock("list", "- one\n- two"),)),
    ),
    sources=(),
    more=(),
    citations=(1,),
    verdict="answer",
    confidence=0.9,
    references=ReferenceCounts(),
    mode="extractive",
    note="",
    read_as="",
    marks=(),
    fallback="",
)


def test_the_text_of_the_open_card() -> None:
    assert open_text(DRAFT) == ("Set it.\n\nmkdocs.yml\n\n```toml\na = 1\n\nb = 2\n```\n\nNote\n\nNot before 2.0.")


def test_several_cards_may_be_open() -> None:
    assert open_text(replace(DRAFT, citations=(2, 1))).endswith("Not before 2.0.\n\n- one\n- two")


def test_the_texts_of_all_cards_have_no_fences() -> None:
    assert card_texts(DRAFT) == ("Set it.\n\nmkdocs.yml\n\na = 1\n\nb = 2\n\nNote\n\nNot before 2.0.", "- one\n- two")


def test_without_an_open_card_the_text_of_the_answer_is_read() -> None:
    assert open_text(replace(DRAFT, citations=())) == "Set it. [1]"
    assert card_texts(replace(DRAFT, excerpts=())) == ()


def test_a_fence_is_longer_than_those_in_the_code() -> None:
    block = ExcerptBlock("code", "````\na\n````", code_language="md")
    text = open_text(replace(DRAFT, excerpts=(Excerpt(1, "", (block,)),)))
    assert text == "`````md\n````\na\n````\n`````"
    assert beginning(text).strip() == "a"
