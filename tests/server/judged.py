"""Cases and outcomes for tests of the evaluation."""

from __future__ import annotations

from trueref_server.evaluation.cases import Case, SectionAddress
from trueref_server.evaluation.outcomes import Outcome

DARK = SectionAddress("setup/colors/", "dark-mode")


def answerable(name: str, *gold: SectionAddress) -> Case:
    return Case(name, f"where is {name}", answerable=True, gold=gold or (DARK,))


def with_nuggets(name: str, *nuggets: str, misleading: tuple[str, ...] = (), form: str = "") -> Case:
    """A case whose answer has to show some points, each with one span."""
    spans = tuple((nugget,) for nugget in nuggets)
    return Case(
        name, f"where is {name}", answerable=True, gold=(DARK,), nuggets=spans, misleading=misleading, form=form
    )


def unanswerable(name: str) -> Case:
    return Case(name, f"where is {name}", answerable=False)


def outcome(case: str, *places: tuple[str, str], confidence: float | None = 0.5) -> Outcome:
    return Outcome(case, tuple(SectionAddress(*place) for place in places), confidence)
