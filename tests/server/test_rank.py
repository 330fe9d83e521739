from __future__ import annotations

from dataclasses import replace

import pytest
from tests.server.handmade import chunk

from trueref_core.records import Chunk
from trueref_core.tables import Scored
from trueref_server.records import Hit, Plan, Question
from trueref_server.retrieval.evidence import confidence, coverage
from trueref_server.retrieval.rank import MORE_CHUNKS, RANK_OFFSET, SAME_PAGE, length_weight, rank_sections

LONG = "Text about nothing in particular that is long enough to count in full. " * 9


def chunks_of(*items: Chunk) -> dict[str, Chunk]:
    return {item.id: item for item in items}


def found(name: str, *ids: str) -> tuple[str, list[Scored]]:
    return name, [Scored(id_, 1.0 - place / 100) for place, id_ in enumerate(ids)]


def places(hits: list[Hit]) -> list[str]:
    return [f"{hit.page}#{hit.anchor}" for hit in hits]


def test_a_section_that_both_searches_found_comes_first() -> None:
    known = chunks_of(chunk("a/", "x", LONG, 0), chunk("b/", "y", LONG, 0), chunk("c/", "z", LONG, 0))
    hits = rank_sections([found("vector", "a/#x", "b/#y"), found("text", "c/#z", "b/#y")], known, (), 10)
    assert places(hits)[0] == "b/#y"
    assert hits[0].score == pytest.approx(2 / (RANK_OFFSET + 2))


def test_further_chunks_of_a_section_add_to_its_share() -> None:
    second = replace(chunk("a/", "x", LONG, 1), id="second")
    hits = rank_sections([found("vector", "a/#x", "second")], chunks_of(chunk("a/", "x", LONG, 0), second), (), 10)
    assert len(hits) == 1
    assert hits[0].score == pytest.approx((1 + MORE_CHUNKS) / (RANK_OFFSET + 1))
    assert [item.id for item in hits[0].chunks] == ["a/#x", "second"]


def test_a_twin_is_told_once() -> None:
    twin = replace(chunk("b/", "y", LONG, 0), twin_of="a/#x")
    hits = rank_sections([found("text", "a/#x", "b/#y")], chunks_of(chunk("a/", "x", LONG, 0), twin), (), 10)
    assert places(hits) == ["a/#x"]


def test_short_chunks_yield_to_long_ones_of_nearly_the_same_score() -> None:
    known = chunks_of(chunk("a/", "x", "Brief.", 0), chunk("b/", "y", LONG, 0))
    assert places(rank_sections([found("vector", "a/#x", "b/#y")], known, (), 10)) == ["b/#y", "a/#x"]
    assert length_weight(known["a/#x"]) < length_weight(known["b/#y"]) == 1.0


def test_the_next_section_of_a_page_scores_lower() -> None:
    known = chunks_of(chunk("a/", "x", LONG, 0), chunk("a/", "y", LONG, 1))
    first, second = rank_sections([found("vector", "a/#x", "a/#y")], known, (), 10)
    assert second.score == pytest.approx(SAME_PAGE / (RANK_OFFSET + 2))
    assert first.score > second.score


def test_coverage_of_the_question_moves_a_section_up() -> None:
    known = chunks_of(chunk("a/", "x", LONG, 0), chunk("b/", "y", LONG + "palette toggle", 0))
    names = [found("vector", "a/#x", "b/#y")]
    assert places(rank_sections(names, known, (), 10))[0] == "a/#x"
    hits = rank_sections(names, known, ("palett", "toggl"), 10)
    assert places(hits)[0] == "b/#y"
    assert hits[0].signals["coverage_share"] == pytest.approx(1.0)


def test_the_limit_and_nothing_found() -> None:
    known = chunks_of(chunk("a/", "x", LONG, 0), chunk("b/", "y", LONG, 0))
    assert len(rank_sections([found("text", "a/#x", "b/#y")], known, (), 1)) == 1
    assert rank_sections([("text", [])], {}, ("term",), 10) == []


def test_confidence_grows_with_coverage_and_nearness() -> None:
    section = (chunk("a/", "x", "The palette has a toggle.", 0),)
    plan = Plan(Question("palette toggle"), "palette toggle", ("palett", "toggl"))

    def sure(cosine: float, *terms: str) -> float:
        hit = Hit("demo", "a/", "x", 1.0, section, {"vector_score": cosine})
        return confidence(replace(plan, terms=terms), [hit], [section])

    assert sure(0.75, "palett", "toggl") == 1.0
    assert sure(0.25, "palett", "toggl") == 0.5
    assert sure(0.5, "palett", "helicopt") < sure(0.5, "palett", "toggl")
    assert sure(0.1, "helicopt") == 0.0
    assert confidence(plan, [], []) == 0.0


def test_without_vectors_coverage_alone_is_the_confidence() -> None:
    section = (chunk("a/", "x", "The palette.", 0),)
    plan = Plan(Question("q"), "q", ("palett", "toggl"))
    assert confidence(plan, [Hit("demo", "a/", "x", 1.0, section)], [section]) == 0.5
    assert coverage((), [section]) == 0.0
