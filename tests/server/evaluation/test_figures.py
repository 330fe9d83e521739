from __future__ import annotations

import json
import math
import random
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.judged import DARK, answerable, outcome, unanswerable, with_nuggets

from trueref_server.evaluation.cases import Case, SectionAddress, read_cases
from trueref_server.evaluation.figures import (
    CUTOFFS,
    FIGURES,
    LOWER_IS_BETTER,
    REFUSALS,
    columns_of,
    figures_of,
)
from trueref_server.evaluation.judgements import judge, misses
from trueref_server.evaluation.outcomes import Outcome, write_outcomes
from trueref_server.records import Verdict

OF_NUGGETS = {"shown", "shown_recall", "shown_cards", "answer"}
OTHER, SAME_PAGE = ("install/", ""), ("setup/colors/", "custom-colors")
HIT = (DARK.page, DARK.anchor)


def rate(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> dict[str, float]:
    return figures_of(columns_of(judge(cases, outcomes)))


def test_the_rates_of_ranks_and_abstentions_are_as_defined() -> None:
    figures = rate(
        [*map(answerable, ("first", "third", "page", "none")), unanswerable("not")],
        [
            outcome("first", HIT, confidence=0.9),
            outcome("third", OTHER, OTHER, HIT, confidence=0.8),
            outcome("page", SAME_PAGE, confidence=0.4),
            outcome("none", confidence=0.1),
            outcome("not", OTHER, confidence=0.4),
        ],
    )
    assert (figures["n"], figures["n_unanswerable"]) == (4, 1)
    assert [figures[f"section@{k}"] for k in (1, 3, 5, 10)] == [0.25, 0.5, 0.5, 0.5]
    assert [figures[f"page@{k}"] for k in (1, 3, 5, 10)] == [0.5, 0.75, 0.75, 0.75]
    assert figures["mrr@10"] == round((1 + 1 / 3) / 4, 3)
    assert figures["abstain_auroc"] == 0.625


def test_the_rates_of_verdicts_are_as_defined() -> None:
    figures = rate(
        [*map(answerable, ("right", "elsewhere", "closest", "none")), unanswerable("not"), unanswerable("wrong")],
        [
            Outcome("right", (DARK,), 0.9, "answer"),
            Outcome("elsewhere", (SectionAddress(*OTHER), DARK), 0.9, "answer"),
            Outcome("closest", (DARK,), 0.5, "closest"),
            Outcome("none", (), 0.1, "not-found"),
            Outcome("not", (DARK,), 0.5, "closest"),
            Outcome("wrong", (DARK,), 0.8, "answer"),
        ],
    )
    assert (figures["wrong"], figures["wrong_section"]) == (0.5, 0.25)
    assert (figures["over_refusal"], figures["not_found"]) == (0.5, 0.25)


def test_fewer_wrong_answers_are_given_where_more_may_be_refused() -> None:
    """Of 20 answerable cases one may be refused at 5 %, four at 20 %."""
    cases = [answerable(str(n)) for n in range(20)] + [unanswerable(f"not-{n}") for n in range(4)]
    outcomes = [outcome(str(n), confidence=n / 20) for n in range(20)]
    outcomes += [outcome(f"not-{n}", confidence=value) for n, value in enumerate((0.02, 0.07, 0.17, 0.5))]
    figures = rate(cases, outcomes)
    assert [figures[f"wrong@{percent}%"] for percent in REFUSALS] == [0.75, 0.5, 0.5, 0.25]


def test_the_times_of_answers_are_percentiles_by_nearest_rank() -> None:
    cases = [answerable(str(n)) for n in range(20)]
    figures = rate(cases, [Outcome(str(n), milliseconds=float(n + 1)) for n in range(20)])
    assert (figures["p50_ms"], figures["p95_ms"]) == (10, 19)


def test_what_a_system_does_not_tell_is_not_counted() -> None:
    cases = [answerable("a"), unanswerable("b")]
    figures = rate(cases, [outcome("a", HIT, confidence=None), outcome("b", HIT, confidence=None)])
    assert set(FIGURES) - set(figures) == {"abstain_auroc", *OF_NUGGETS, *LOWER_IS_BETTER}


def test_nuggets_without_what_was_shown_are_not_counted() -> None:
    figures = rate([with_nuggets("a", "x")], [outcome("a", HIT)])
    assert not {"n_nuggets", *OF_NUGGETS} & set(figures)


def test_the_rates_of_nuggets_are_as_defined() -> None:
    cases = [with_nuggets(name, "x", "y", misleading=("z",)) for name in ("all", "one", "cards", "bad", "none")]
    figures = rate(
        [*cases, answerable("bare"), unanswerable("not")],
        [
            Outcome("all", (), 0.9, "answer", shown="x y z"),
            Outcome("one", (), 0.8, "answer", shown="y"),
            Outcome("cards", (), 0.7, "answer", shown="y", cards=("y", "x")),
            Outcome("bad", (), 0.6, "closest", shown="z"),
            Outcome("bare", (), 0.5, "closest"),
            Outcome("not", (), 0.1, "not-found"),
        ],
    )
    assert figures["n_nuggets"] == 5
    assert (figures["shown"], figures["shown_recall"], figures["shown_cards"]) == (0.2, 0.4, 0.4)
    assert (figures["none_shown"], figures["misleads"], figures["answer"]) == (0.4, 0.2, 0.2)
    assert figures["aurc"] == round((0 + 1 / 2 + 2 / 3 + 3 / 4 + 4 / 5) / 5, 3)


def test_nuggets_count_without_verdicts_and_confidences() -> None:
    figures = rate([with_nuggets("a", "x")], [Outcome("a", shown="x")])
    assert figures["shown"] == 1
    assert not {"answer", "aurc"} & set(figures)


def test_what_is_shown_and_not_answered_is_no_answer() -> None:
    cases = [with_nuggets("a", "x"), with_nuggets("b", "x")]
    figures = rate(cases, [Outcome("a", (), 0.3, "closest", shown="x"), Outcome("b", (), 0.9, "answer", shown="x")])
    assert (figures["shown"], figures["answer"]) == (1, 0.5)


def test_nuggets_leave_the_other_figures_as_they_are() -> None:
    bare, counted = [answerable("a"), unanswerable("b")], [with_nuggets("a", "x"), unanswerable("b")]
    outcomes = [Outcome("a", (DARK,), 0.5, "answer", 1.0, "x"), Outcome("b", (), 0.4, "closest", 1.0)]
    before, after = rate(bare, outcomes), rate(counted, outcomes)
    assert before == {name: after[name] for name in before}
    assert set(after) - set(before) == {"n_nuggets", *OF_NUGGETS, "none_shown", "misleads", "aurc"}


def test_of_a_case_that_lacks_what_others_have_the_worst_is_taken() -> None:
    cases = [answerable("a"), answerable("b"), unanswerable("c"), unanswerable("d")]
    figures = rate(cases, [Outcome("a", (DARK,), 0.9, "answer", 1.0), Outcome("c", (), 0.1, "not-found", 1.0)])
    assert (figures["section@1"], figures["abstain_auroc"]) == (0.5, 0.25)
    assert (figures["wrong"], figures["over_refusal"]) == (0.5, 0.5)
    assert "p50_ms" not in figures


def test_figures_of_answerable_cases_alone_say_nothing_of_refusals() -> None:
    only = rate([answerable("a")], [Outcome("a", (DARK,), 0.5, "answer")])
    assert not {"abstain_auroc", "wrong", "wrong@5%"} & set(only)
    assert rate([unanswerable("a")], [Outcome("a", (DARK,), 0.5, "answer")])["wrong"] == 1


def test_a_site_that_gold_names_has_to_be_the_one() -> None:
    case = answerable("a", SectionAddress("x/", "y", "one"))
    assert [
        judge([case], [Outcome("a", (SectionAddress("x/", "y", site),))])[0].section_rank for site in ("one", "two", "")
    ] == [
        1,
        math.inf,
        1,
    ]


def test_misses_are_told_with_their_rank() -> None:
    judged = judge(
        [*map(answerable, ("hit", "sixth", "none")), unanswerable("not"), unanswerable("wrong")],
        [
            outcome("hit", OTHER, HIT),
            outcome("sixth", SAME_PAGE, *[OTHER] * 4, HIT),
            Outcome("not", (DARK,), 0.1, "not-found"),
            Outcome("wrong", (DARK,), 0.9, "answer"),
        ],
    )
    found = {miss.id: miss for miss in misses(judged)}
    assert list(found) == ["sixth", "none", "wrong"]
    sixth = found["sixth"]
    assert (sixth.section_rank, sixth.page_rank, sixth.gold) == (6, 1, ("setup/colors/#dark-mode",))
    assert [(it.rank, it.href) for it in sixth.found][:2] == [(1, "setup/colors/#custom-colors"), (2, "install/")]
    assert len(sixth.found) == 5
    assert (found["none"].section_rank, found["none"].found) == (None, ())
    assert (found["wrong"].gold, found["wrong"].verdict) == ((), "answer")


# Few different values, so that there are ties.
VERDICTS: tuple[Verdict | None, ...] = (None, "answer", "closest", "not-found")
CONFIDENCES = st.none() | st.sampled_from([0.0, 0.25, 0.5, 1.0])
TEXTS = st.none() | st.sampled_from(["", "x", "x y", "z", "z y", "y z x", "word " * 180 + "x y z"])
CARDS = st.lists(st.sampled_from(["x", "y", "z"]), max_size=2).map(tuple)
PLACES = st.sampled_from(
    [DARK, SectionAddress(*OTHER), SectionAddress(*SAME_PAGE), SectionAddress("setup/colors", "dark-mode")]
)


# Also results of systems that do not tell what they showed.
SHOWN = st.sampled_from([TEXTS, st.none()])
ANSWERABLE: dict[bool, st.SearchStrategy[Callable[[str], Case]]] = {
    True: st.sampled_from([answerable, lambda name: with_nuggets(name, "x", "y", misleading=("z",))]),
    False: st.just(unanswerable),
}


@st.composite
def evaluations(draw: st.DrawFn) -> tuple[list[Case], list[Outcome]]:
    kinds = draw(st.lists(st.booleans(), max_size=25))
    cases = [draw(ANSWERABLE[kind])(str(n)) for n, kind in enumerate(kinds)]
    verdicts = st.sampled_from(VERDICTS)
    results = st.tuples(
        st.lists(PLACES, max_size=12).map(tuple), CONFIDENCES, verdicts, st.floats(0, 100), draw(SHOWN), CARDS
    )
    return cases, [Outcome(case.id, *draw(results)) for case in cases if draw(st.integers(0, 9))]


def naive_figures(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The definitions, case by case."""
    by_id = {found.id: found for found in outcomes}
    a = [by_id.get(case.id) or Outcome(case.id) for case in cases if case.answerable]
    b = [by_id.get(case.id) or Outcome(case.id) for case in cases if not case.answerable]
    figures: dict[str, float] = {"n": len(a), "n_unanswerable": len(b)}
    gold_page, gold = DARK.key[0], DARK.key

    def share(hits: list[bool]) -> float:
        return sum(hits) / max(1, len(hits))

    for k in CUTOFFS:
        figures[f"page@{k}"] = share([any(place.key[0] == gold_page for place in it.results[:k]) for it in a])
        figures[f"section@{k}"] = share([any(place.key == gold for place in it.results[:k]) for it in a])
    ranks = [next((n for n, place in enumerate(it.results[:10], 1) if place.key == gold), math.inf) for it in a]
    figures["mrr@10"] = sum(1 / rank for rank in ranks) / max(1, len(a))
    if any(it.confidence is not None for it in a + b) and a and b:
        sure = [-math.inf if it.confidence is None else it.confidence for it in a]
        unsure = [math.inf if it.confidence is None else it.confidence for it in b]
        figures["abstain_auroc"] = sum((x > y) + 0.5 * (x == y) for x in sure for y in unsure) / len(a) / len(b)
        for percent in REFUSALS:
            allowed = [t for t in sure if sum(x < t for x in sure) * 100 <= percent * len(sure)]
            figures[f"wrong@{percent}%"] = min(share([y >= t for y in unsure]) for t in allowed)
    if any(it.verdict is not None for it in a + b):
        if b:
            figures["wrong"] = share([it.verdict in (None, "answer") for it in b])
        refused = [it.verdict != "answer" for it in a]
        figures["wrong_section"] = share([not no and rank > 1 for no, rank in zip(refused, ranks, strict=True)])
        figures["over_refusal"] = share(refused)
        figures["not_found"] = share([it.verdict in (None, "not-found") for it in a])
    figures |= naive_figures_of_nuggets(cases, by_id, share)
    times = sorted(it.milliseconds for it in a + b if it.milliseconds is not None)
    if times and len(times) == len(cases):
        for percent in (50, 95):
            figures[f"p{percent}_ms"] = times[max(0, math.ceil(len(times) * percent / 100) - 1)]
    return {name: round(value, 1 if name.endswith("_ms") else 3) for name, value in figures.items()}


def naive_figures_of_nuggets(
    cases: Sequence[Case], by_id: Mapping[str, Outcome], share: Callable[[list[bool]], float]
) -> dict[str, float]:
    found = [by_id.get(case.id) or Outcome(case.id) for case in cases if case.has_nuggets]
    if all(it.shown is None for it in found):
        return {}
    first = [set((it.shown or "").split()[:180]) for it in found]
    cards = [set((" ".join(it.cards) or it.shown or "").split()) for it in found]
    full = [words >= {"x", "y"} for words in first]
    figures = {
        "n_nuggets": len(found),
        "shown": share(full),
        "shown_recall": sum(len(words & {"x", "y"}) / 2 for words in first) / len(found),
        "shown_cards": share([words >= {"x", "y"} for words in cards]),
        "none_shown": share([not words & {"x", "y"} for words in first]),
        "misleads": share(["z" in words and not words >= {"x", "y"} for words in first]),
    }
    outcomes = [by_id.get(case.id) or Outcome(case.id) for case in cases]
    if any(it.verdict is not None for it in outcomes):
        figures["answer"] = share([ok and it.verdict == "answer" for ok, it in zip(full, found, strict=True)])
    if any(it.confidence is not None for it in outcomes):
        sure = [-math.inf if it.confidence is None else it.confidence for it in found]
        risks = [share([not ok for ok, it in zip(full, sure, strict=True) if it >= least]) for least in sure]
        figures["aurc"] = sum(risks) / len(risks)
    return figures


@given(evaluations())
def test_figures_are_those_of_a_naive_computation(evaluation: tuple[list[Case], list[Outcome]]) -> None:
    assert rate(*evaluation) == pytest.approx(naive_figures(*evaluation), abs=1e-12)


@given(evaluations(), st.randoms(use_true_random=False))
def test_figures_do_not_depend_on_the_order(
    evaluation: tuple[list[Case], list[Outcome]], chance: random.Random
) -> None:
    cases, outcomes = evaluation
    expected = rate(cases, outcomes)
    cases, outcomes = chance.sample(cases, len(cases)), chance.sample(outcomes, len(outcomes))
    assert rate(cases, outcomes) == pytest.approx(expected, abs=0.0011)


@given(evaluations())
def test_figures_are_shares_that_rise_and_fall_as_they_must(evaluation: tuple[list[Case], list[Outcome]]) -> None:
    figures = rate(*evaluation)
    assert all(0 <= value <= 1 for name, value in figures.items() if name in FIGURES and not name.endswith("_ms"))
    for place in ("page", "section"):
        rising = [figures[f"{place}@{k}"] for k in CUTOFFS]
        assert rising == sorted(rising)
    assert all(figures[f"section@{k}"] <= figures[f"page@{k}"] for k in CUTOFFS)
    assert figures["section@1"] <= figures["mrr@10"] <= figures["section@10"]
    assert figures.get("shown", 0) <= figures.get("shown_recall", 0)
    # Both are rounded to three places, each for itself: .333 and .667 are more than 1 in binary.
    assert figures.get("shown_recall", 0) + figures.get("none_shown", 0) <= 1.0011
    assert figures.get("answer", 0) <= figures.get("shown", 0)
    assert figures.get("not_found", 0) <= figures.get("over_refusal", 0)
    falling = [figures.get(f"wrong@{percent}%", 0) for percent in REFUSALS]
    assert falling == sorted(falling, reverse=True)


@pytest.mark.shared
def test_figures_are_those_of_the_scorer(shared: Path, tmp_path: Path) -> None:
    """Random results for real cases, some without a confidence and some missing, scored by both."""
    path = shared / "uv.jsonl"
    cases = read_cases([path])
    chance = random.Random(7)
    gold = [place for case in cases for place in case.gold]
    outcomes = [
        Outcome(
            case.id,
            tuple(chance.sample(gold, 6) + chance.sample(case.gold, min(len(case.gold), chance.randint(0, 1)))),
            round(chance.random(), 1) if chance.random() < 0.9 else None,
        )
        for case in cases
        if chance.random() < 0.95
    ]
    write_outcomes(tmp_path / "results.jsonl", outcomes)
    command = [sys.executable, str(shared / "score.py"), str(path), str(tmp_path / "results.jsonl")]
    scored = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert len(scored) == 11
    ours = rate(cases, outcomes)
    assert {name: ours[name] for name in scored} == scored
