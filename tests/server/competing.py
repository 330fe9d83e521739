"""Sections that compete for an answer, made by hand."""

from __future__ import annotations

from dataclasses import replace

from tests.server.handmade import chunk

from trueref_core.records import PageKind
from trueref_server.answering.candidates import SectionPassages
from trueref_server.answering.choice import choose
from trueref_server.answering.sections.passage import Passage
from trueref_server.corpus.corpus import Statistics
from trueref_server.question.plan import make_plan
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import ExcerptBlock, Hit, Question


def asked(text: str) -> WeightedQuestion:
    return WeightedQuestion(make_plan(Question(text), "en"), Statistics(sections=10))


def found(
    number: int, *texts: str, score: float = 1.0, page_kind: PageKind = "guide", kind: str = "paragraph"
) -> SectionPassages:
    own = replace(chunk("a/", f"s{number}", texts[0], number), page_kind=page_kind)
    passages = [Passage(kind, (ExcerptBlock("prose", text),), own.id) for text in texts]  # type: ignore[arg-type]
    near = {own.id: 0.5} if score > 0 else {}
    return SectionPassages(Hit("demo", "a/", f"s{number}", abs(score), (own,), near=near), passages)


def first(question: str, *sections: SectionPassages) -> tuple[str, str]:
    candidate = choose(asked(question), sections)[0].candidate
    return candidate.section.hit.anchor, candidate.passage.text
