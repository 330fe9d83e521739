"""Takes the first of several tabs with hardly different texts: the author chose it to be first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.excerpts.tab_panels import asked_panels, is_excluded, names_file

if TYPE_CHECKING:
    from trueref_server.answering.candidates import ScoredPassage
    from trueref_server.ranking.weighted_question import WeightedQuestion

AS_GOOD: Final = 0.35
"""The first of several tabs is shown if its score is at most this far below that of the best tab. If a question means
none of the tabs, the scores differ by less. For `install it on my Mac`, the panel of macOS scores three higher."""


def first_of_variants(
    question: WeightedQuestion, best: ScoredPassage, choices: Sequence[ScoredPassage]
) -> ScoredPassage:
    """The choice, or that of the first panel of its set of tabs if that is hardly worse.

    Readers look at the first panel, and the author chose it to be first. Another panel is shown if the question names
    it, if its score is clearly higher, or if the question excludes the first.

    Args:
        question: What is asked.
        best: The best choice of a section.
        choices: The choices whose scores can be compared with that of `best`.
    """
    passages = best.candidate.section.passages
    question_text = Relevance.of(question).asked
    named = asked_panels(passages, question_text).named
    # A named panel is shown, and so are the panels around it; only tabs inside it are left to choose from.
    inside_named = takewhile(lambda panel: panel.tabs not in named, reversed(best.candidate.passage.panels))
    later = next((panel for panel in reversed([*inside_named]) if panel.number != "1"), None)
    if later is None or names_file(later.label):
        return best
    choices_in_first = (
        (choice, panel)
        for choice in choices
        if choice.candidate.section is best.candidate.section
        for panel in choice.candidate.passage.panels
        if (panel.tabs, panel.number) == (later.tabs, "1")
    )
    first, panel = next(choices_in_first, (None, None))
    if first is None or panel is None or first.score < best.score - AS_GOOD or is_excluded(panel.label, question_text):
        return best
    return first
