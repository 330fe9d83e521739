"""Reads nuggets from files of their own, and finds which of them a reader sees (nugget recall, as in TREC)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from trueref_server.evaluation.cases import Case, Nuggets, NuggetsOfCase, problem_with_spans, read_rows
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.span_finder import SpanFinder, beginning

FORM: Final = (
    'A line of nuggets is {"id", "nuggets": [["span", "other span that says the same"]], "misleading": ["span"], '
    '"form"}, with the id of its case.'
)


@dataclass(frozen=True, slots=True)
class ShownNuggets:
    """What a reader sees of the nuggets of a case, in the beginning of the text except for `in_cards`.

    `missing` are the nuggets that are not shown, and `misleading` the misleading spans that are. `recall` is the share
    of the nuggets that are shown. `in_cards` is true if the cards together show all nuggets.
    """

    missing: Nuggets
    misleading: tuple[str, ...]
    recall: float
    in_cards: bool

    @property
    def is_full(self) -> bool:
        """Whether all nuggets are shown."""
        return not self.missing

    @property
    def misleads(self) -> bool:
        """Whether a misleading span is shown without all nuggets."""
        return bool(self.missing and self.misleading)


def add_nuggets(cases: Sequence[Case], paths: Sequence[Path]) -> tuple[list[Case], list[str]]:
    """The cases with the nuggets that files have for them, and a note on lines that belong to no case.

    Raises:
        OptionError: As in `read_cases`.
    """
    by_id = {case.id: case for case in cases}
    rows = {row.id: row for row in read_rows(paths, NuggetsOfCase, FORM, lambda row: _problem(row, by_id.get(row.id)))}
    without_case = len(rows.keys() - by_id.keys())
    notes = [f"Lines of nuggets that are for no case, and do not count: {without_case}."] if without_case else []
    return [_with_nuggets(case, rows.get(case.id)) for case in cases], notes


def see(case: Case, outcome: Outcome) -> ShownNuggets:
    """Find what a reader sees of the nuggets of a case."""
    text = outcome.shown or ""
    # Only the beginning, since a nugget counts if a reader sees it without scrolling.
    first_text, card_text = SpanFinder(beginning(text)), SpanFinder("\n".join(outcome.cards) or text)
    missing = _missing(case.nuggets, first_text)
    return ShownNuggets(
        missing=missing,
        misleading=tuple(span for span in case.misleading if first_text.holds(span)),
        recall=(len(case.nuggets) - len(missing)) / len(case.nuggets),
        in_cards=not _missing(case.nuggets, card_text),
    )


def _missing(nuggets: Iterable[Sequence[str]], text: SpanFinder) -> Nuggets:
    """The nuggets of which the text has no span."""
    return tuple(tuple(nugget) for nugget in nuggets if not any(map(text.holds, nugget)))


def _with_nuggets(case: Case, row: NuggetsOfCase | None) -> Case:
    """A case with the nuggets of its row."""
    if row is None:
        return case
    return msgspec.structs.replace(
        case,
        nuggets=row.nuggets,
        misleading=row.misleading or case.misleading,
        form=row.form or case.form,
        excerpt=row.excerpt,
    )


def _problem(row: NuggetsOfCase, case: Case | None) -> str:
    """What is wrong with a line of nuggets, and what to do about it; "" for nothing."""
    if not row.id.strip():
        return "The `id` is empty. Write that of the case."
    # With two lists of nuggets for one case it is unclear which one counts.
    if case is not None and case.nuggets:
        return "The case has `nuggets` of its own. Keep one of the two."
    if case is not None and not case.answerable:
        return "The case is not answerable. Take this line away, or set `answerable` to true."
    if row.excerpt and not row.nuggets:
        return "There are no `nuggets`. Write one, or set `excerpt` to false if no passage of the site answers."
    return problem_with_spans(row.nuggets, row.misleading)
