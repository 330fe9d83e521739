"""A sentence with the name and all else that is asked is an answer, however many sections have the name."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.competing import asked
from tests.server.handmade import chunk

from trueref_core.text.block_marks import BlockMark, write_mark
from trueref_server.answering.answered_parts import AnsweredPart
from trueref_server.records import Hit

ALIKE = "The palette is sent to `kiln_url`. A palette is required."


@pytest.mark.parametrize(
    ("question", "text", "is_answer"),
    [
        ("is kiln_url required?", "The settings `kiln_name` and `kiln_url` are required.", True),
        ("kiln_url required", "- `kiln_name`: A name.\n- `kiln_url`: This is required.", True),
        ("is kiln_url required?", ALIKE, False),
        ("kiln_url version", "What `kiln_url` says is overridden by `--kiln-version`.", False),
        ("is kiln_url red?", "The settings `kiln_name` and `kiln_url` are required.", False),
        # It asks for more than the name, so that the words may be there by chance.
        ("which kiln is required to send a palette to kiln_url", "The settings `kiln_url` are required.", False),
    ],
)
def test_what_one_sentence_says_is_an_answer(question: str, text: str, is_answer: bool) -> None:
    mark = write_mark(BlockMark(0, "text", "prose", ""))
    hits = [
        Hit("demo", "a/", f"s{number}", 0.5, (replace(chunk("a/", f"s{number}", shown, number), blocks=(mark,)),))
        for number, shown in enumerate([text, *[ALIKE] * 9])
    ]
    assert (AnsweredPart.of(asked(question), hits, None).verdict == "answer") is is_answer
