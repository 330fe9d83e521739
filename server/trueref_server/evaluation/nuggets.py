"""Reads nuggets from files of their own, and finds which of them a reader sees (nugget recall, as in TREC)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from trueref_server.evaluation.cases import Case, Nuggets, NuggetsOfCase, problem_with_spans, read_rows
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.spans import SpanFinder, beginning

FORM: Final = (
    'A line of nuggets is {"id", "nuggets": [["span", "other span that says the same"]], "misleading": ["span"], '
    '"form"}, with the id of its case.'
)


@dataclass(frozen=True, slots=True)
class Seen:
    """How much a reader sees of the nuggets of a case, in the beginning of the text unless a field says otherwise.

    `missing` are the nuggets that are not shown, `misleading` the spans that are. `recall` is the share of the nuggets
    that is shown, and `in_cards` says whether all of them stand in the cards together.
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
    """The cases with the nuggets that some files have for them, and what to say of lines that are for no case.

    Raises:
        OptionError: As in `read_cases`.
    """
    by_id = {case.id: case for case in cases}
    rows = {row.id: row for row in read_rows(paths, NuggetsOfCase, FORM, lambda row: _problem(row, by_id.get(row.id)))}
    others = len(rows.keys() - by_id.keys())
    notes = [f"Lines of nuggets that are for no case, and do not count: {others}."] if others else []
    return [_joined(case, rows.get(case.id)) for case in cases], notes


def see(case: Case, outcome: Outcome) -> Seen:
    """How much a reader sees of the nuggets of a case."""
    text = outcome.shown or ""
    # The beginning: a nugget counts if a reader sees it without scrolling.
    first, cards = SpanFinder(beginning(text)), SpanFinder("\n".join(outcome.cards) or text)
    missing = _missing(case.nuggets, first)
    return Seen(
        missing=missing,
        misleading=tuple(span for span in case.misleading if first.holds(span)),
        recall=(len(case.nuggets) - len(missing)) / len(case.nuggets),
        in_cards=not _missing(case.nuggets, cards),
    )


def _missing(nuggets: Iterable[Sequence[str]], text: SpanFinder) -> Nuggets:
    """The nuggets of which a text has no span."""
    return tuple(tuple(nugget) for nugget in nuggets if not any(map(text.holds, nugget)))


def _joined(case: Case, row: NuggetsOfCase | None) -> Case:
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
    # Two lists of nuggets for one case: which of them counts would be a guess.
    if case is not None and case.nuggets:
        return "The case has `nuggets` of its own. Keep one of the two."
    if case is not None and not case.answerable:
        return "The case is not answerable. Take this line away, or set `answerable` to true."
    if row.excerpt and not row.nuggets:
        return "There are no `nuggets`. Write one, or set `excerpt` to false if no passage of the site answers."
    return problem_with_spans(row.nuggets, row.misleading)
