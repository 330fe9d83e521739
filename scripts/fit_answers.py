"""Fits the choice of passages to questions whose nuggets are known.

    python -m scripts.fit_answers INDEX CASES NUGGETS [INDEX CASES NUGGETS ...]

The weights are those that make it most likely that a passage is taken which shows all nuggets, among the passages of
the sections that compete (a softmax over the passages of a question). They are fitted to all sites but one and tried on
that one, site by site, then to this one alone, and then to all of them: `left out` says what to expect of other sites,
and the figures of `own` say how much of a gain is of the one site. NUGGETS is CASES again if these hold their own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from scripts.arguments import groups_of

from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.served_generation import open_index
from trueref_server.answering.choice import (
    COMPETING,
    READ,
    UNREAD,
    PassageCandidate,
    PassageSignal,
    SectionPassages,
    candidates_of,
)
from trueref_server.answering.excerpt import excerpt
from trueref_server.answering.extractive import SECTIONS_READ
from trueref_server.answering.passages import passages
from trueref_server.answering.relevance import Relevance
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.case_runs import fenced
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.ranking.signals import WeightedQuestion
from trueref_server.records import Question
from trueref_server.search.search import SearchIndex, search_plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIGNALS: Final[tuple[PassageSignal, ...]] = tuple(READ)
STEPS: Final = 3_000
RATE: Final = 0.05
RIDGE: Final = 0.1
"""What a weight costs, in logarithms of likelihood a question. With .01 the weights of one site show 7 questions of 100
less on another than that one's own do, with .1 they show 2 less; the questions are few."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with its candidates: the signals of each, and whether it shows all nuggets.

    `begins` is the number of the candidate that is the beginning of the first section, to compare with.
    """

    values: Floats
    rights: NDArray[np.bool_]
    begins: int = 0

    def only(self, columns: Sequence[int]) -> Asking:
        """The same with some of the signals."""
        return replace(self, values=self.values[:, columns])


async def ask_all(index_folder: Path, cases: Sequence[Case]) -> list[Asking]:
    """Every question of a site with its candidates."""
    index = await open_index(index_folder)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    ready = SearchIndex(index, await Corpus.of(index), Scopes(index.manifest), embedder)
    late = LateInteraction(embedder) if embedder is not None else None
    askings: list[Asking] = []
    for case in cases:
        plan = make_plan(Question(case.question), "en", ready.corpus.statistics)
        hits = await search_plan(ready, plan)
        if hits.hits:
            read = [SectionPassages(hit, passages(hit.in_page_order)) for hit in hits.hits[:SECTIONS_READ]]
            askings.append(_asking(case, hits.question, read, late))
    await index.close()
    return askings


def _asking(
    case: Case, question: WeightedQuestion, sections: Sequence[SectionPassages], late: LateInteraction | None
) -> Asking:
    filled = [section for section in sections if section.passages]
    candidates = [
        candidate for section in filled[:COMPETING] for candidate in candidates_of(question, section, filled[0])
    ]
    similarities = late.max_sim(question, [candidate.text_with_headings for candidate in candidates]) if late else None
    if similarities is not None:
        candidates = [
            replace(candidate, max_sim=similarity)
            for candidate, similarity in zip(candidates, similarities, strict=True)
        ]
    return Asking(
        np.array([[signal(question, candidate) for signal in SIGNALS] for candidate in candidates]),
        np.array([_shows(case, question, candidate) for candidate in candidates], dtype=bool),
    )


def _shows(case: Case, question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    blocks = excerpt(candidate.section.passages, candidate.number, Relevance.of(question))
    return see(case, Outcome(case.id, shown=fenced(blocks))).is_full


def fit_choice(askings: Sequence[Asking]) -> Floats:
    """The weights of the signals, as they are in the program: not standardised."""
    usable = [asking for asking in askings if asking.rights.any()]
    stacked = np.vstack([asking.values for asking in usable])
    middle, spread = stacked.mean(axis=0), stacked.std(axis=0) + 1e-9
    weights = np.zeros(stacked.shape[1])
    for step in range(STEPS):
        slope = RIDGE * len(usable) * weights
        for asking in usable:
            values = (asking.values - middle) / spread
            scores = values @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            right = chances * asking.rights / max(1e-12, (chances * asking.rights).sum())
            slope -= values.T @ (right - chances)
        weights -= RATE * slope / len(usable) / (1 + step / STEPS)
    return np.asarray(weights / spread)


def shown(askings: Sequence[Asking], weights: Floats) -> float:
    """The share of questions whose first card shows all nuggets."""
    return float(np.mean([asking.rights[int(np.argmax(asking.values @ weights))] for asking in askings]))


def main() -> None:
    """Fit, and print what came of it."""
    sites: dict[str, list[Asking]] = {}
    for index, cases, nuggets in groups_of(__doc__, "INDEX", "CASES", "NUGGETS", at_least=2):
        read = read_cases([cases])
        if nuggets != cases:
            read, _ = add_nuggets(read, [nuggets])
        sites[cases.stem] = asyncio.run(ask_all(index, [case for case in read if case.has_nuggets]))
    now = np.array(list(READ.values()))
    print(f"{'':20} {'n':>4}beginning  program left out      own possible")
    for name, askings in sites.items():
        fitted = fit_choice([asking for other, others in sites.items() if other != name for asking in others])
        begins = float(np.mean([asking.rights[asking.begins] for asking in askings]))
        possible = float(np.mean([asking.rights.any() for asking in askings]))
        figures = (begins, shown(askings, now), shown(askings, fitted), shown(askings, fit_choice(askings)), possible)
        print(f"{name:20} {len(askings):4}" + "".join(f"{figure:9.3f}" for figure in figures))
    everything = [asking for askings in sites.values() for asking in askings]
    for name, table in (("UNREAD", UNREAD), ("READ", READ)):
        columns = [SIGNALS.index(signal) for signal in table]
        print(name)
        for signal, weight in zip(table, fit_choice([asking.only(columns) for asking in everything]), strict=True):
            print(f"    {signal.__name__}: {weight:.1f},")


if __name__ == "__main__":
    main()
