"""Answers made by hand, for what keeps answers."""

from __future__ import annotations

from trueref_server.records import Answer, ReferenceCounts


def given_answer(answer_id: str = "0" * 16, references: ReferenceCounts | None = None) -> Answer:
    """An answer by passages that has no source."""
    return Answer(
        answer_id=answer_id,
        text="Text",
        excerpts=(),
        sources=(),
        more=(),
        citations=(),
        verdict="answer",
        confidence=0.5,
        references=references or ReferenceCounts(),
        mode="extractive",
        note="",
        read_as="",
        marks=(),
        fallback="",
        cached=False,
        updating=False,
        generation="g",
        timings={"total": 1.5},
    )
