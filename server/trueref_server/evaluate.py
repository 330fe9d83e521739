"""How well questions find their sections: cases in, rates out.

A case is one line of JSON: `{"id", "question", "gold": [{"page", "anchor"}], "answerable"}`. Any gold place counts.
`page@k` and `section@k` are the shares of answerable cases with a gold page, or a gold page and anchor, among the first
k results. `mrr@10` is the mean reciprocal rank of the first gold section. `abstain_auroc` is the chance that an
answerable case has a higher confidence than one that is not.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from trueref_core.errors import OptionError
from trueref_server.records import Question
from trueref_server.service import Service

CUTOFFS = (1, 3, 5, 10)
DEPTH = 10


class Place(msgspec.Struct, frozen=True):
    """A section by page and anchor."""

    page: str
    anchor: str = ""

    @property
    def key(self) -> tuple[str, str]:
        """The same for all spellings of a page: `a/`, `a/index.html` and `a.html`."""
        page = self.page.strip("/")
        for tail in ("index.html", ".html"):
            page = page.removesuffix(tail)
        return page.strip("/"), self.anchor


class Case(msgspec.Struct, frozen=True):
    """A question and where its answer stands; unanswerable ones test that the confidence is low."""

    id: str
    question: str
    gold: list[Place]
    answerable: bool


class Outcome(msgspec.Struct, frozen=True):
    """What a case came to. `milliseconds` is the time of its search."""

    id: str
    results: list[Place]
    confidence: float
    milliseconds: float


def read_cases(path: Path) -> list[Case]:
    """Read the cases of a file.

    Raises:
        OptionError: The file cannot be read, or lines are not cases; each is named by its number.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise OptionError(f"Cannot read {path}: {error.strerror}.") from error
    cases: list[Case] = []
    problems: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            cases.append(msgspec.json.decode(line, type=Case))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            problems.append(f"line {number}: {error}")
    if problems or not cases:
        raise OptionError(f"{path} is not a file of cases: {'; '.join(problems) or 'it is empty'}.")
    return cases


async def run_cases(
    service: Service, cases: Iterable[Case], *, done: Callable[[Outcome], None] | None = None
) -> list[Outcome]:
    """Search for every case, one after the other, so that the times are those of one reader."""
    await service.warm()
    outcomes: list[Outcome] = []
    for case in cases:
        found = await service.look_up(Question(case.question), limit=DEPTH)
        places = [Place(hit.page, hit.anchor) for hit in found.hits]
        outcomes.append(Outcome(case.id, places, found.evidence.confidence, found.milliseconds))
        if done is not None:
            done(outcomes[-1])
    return outcomes


def write_outcomes(path: Path, outcomes: Iterable[Outcome]) -> None:
    """Write what was found, one line of JSON for each case.

    Raises:
        OptionError: The file cannot be written.
    """
    try:
        path.write_bytes(b"".join(msgspec.json.encode(outcome) + b"\n" for outcome in outcomes))
    except OSError as error:
        raise OptionError(f"Cannot write {path}: {error.strerror}.") from error


def rate(cases: Sequence[Case], outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The figures: rates rounded to three digits, times in milliseconds."""
    by_id = {outcome.id: outcome for outcome in outcomes}
    pairs = [(case, by_id[case.id]) for case in cases]
    answerable = [pair for pair in pairs if pair[0].answerable]
    figures: dict[str, float] = {"n": len(answerable)}
    for cutoff in CUTOFFS:
        figures[f"page@{cutoff}"] = _mean([_has_page(*pair, cutoff) for pair in answerable])
        figures[f"section@{cutoff}"] = _mean([_section_rank(*pair) <= cutoff for pair in answerable])
    figures["mrr@10"] = _mean([1 / _section_rank(*pair) for pair in answerable])
    sure = [outcome.confidence for _, outcome in answerable]
    unsure = [outcome.confidence for case, outcome in pairs if not case.answerable]
    if sure and unsure:
        figures["abstain_auroc"] = _mean([(a > b) + 0.5 * (a == b) for a in sure for b in unsure])
    times = sorted(outcome.milliseconds for outcome in outcomes)
    return figures | {"p50_ms": _percentile(times, 50), "p95_ms": _percentile(times, 95)}


def _has_page(case: Case, outcome: Outcome, cutoff: int) -> bool:
    pages = {place.key[0] for place in case.gold}
    return any(place.key[0] in pages for place in outcome.results[:cutoff])


def _section_rank(case: Case, outcome: Outcome) -> float:
    """The rank of the first gold section among ten, counted from 1; infinite where there is none."""
    gold = {place.key for place in case.gold}
    ranks = (rank for rank, place in enumerate(outcome.results[:DEPTH], 1) if place.key in gold)
    return next(ranks, math.inf)


def _mean(values: Sequence[float]) -> float:
    return round(sum(values) / max(1, len(values)), 3)


def _percentile(ordered: Sequence[float], percent: int) -> float:
    """By nearest rank."""
    return round(ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)], 1) if ordered else 0.0
