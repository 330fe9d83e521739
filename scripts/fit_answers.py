"""Fits the weights by which passages are chosen, on questions whose nuggets are known.

    python -m scripts.fit_answers INDEX CASES NUGGETS [INDEX CASES NUGGETS ...]

The weights maximise the likelihood of a passage that shows all nuggets, among the passages of the sections that compete
(a softmax over the passages of a question). For each site, weights are fitted to all other sites and tried on this
site: the column `left out` shows what to expect on sites that were not fitted to. Weights that are fitted to the site
alone (`own`) show how much of a gain is special to the site. The printed weights are fitted to all sites. NUGGETS is
CASES again if the cases have nuggets themselves.
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
from trueref_server.answering.answered_parts import SECTIONS_READ
from trueref_server.answering.candidates import PassageCandidate, SectionPassages
from trueref_server.answering.choice import (
    COMPETING,
    WEIGHTS_AFTER_COMPARISON,
    WEIGHTS_BEFORE_COMPARISON,
    candidates_of,
)
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.passage_comparison import PassageComparison
from trueref_server.answering.passage_signals import PassageSignal
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.case_runs import fenced
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.pipeline import passage_comparison
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Question
from trueref_server.search.search import SearchIndex, search_plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIGNALS: Final[tuple[PassageSignal, ...]] = tuple(WEIGHTS_AFTER_COMPARISON)
STEPS: Final = 3_000
RATE: Final = 0.05
"""The number of steps of gradient descent, and its learning rate, which falls to half during them."""
RIDGE: Final = 0.1
"""The ridge penalty on a weight, per question. It keeps weights general, since the questions are few:
with 0.01, weights that are fitted to another site show all nuggets of 7 questions of 100 less than those fitted to the
site itself, and with 0.1 of 2 less."""


@dataclass(frozen=True, slots=True)
class QuestionCandidates:
    """The candidates of a question: `values` has a row of signals for each, `rights` whether it shows all nuggets.

    `begins` is the number of the candidate at the beginning of the first section, as a baseline.
    """

    values: Floats
    rights: NDArray[np.bool_]
    begins: int = 0

    def only(self, columns: Sequence[int]) -> QuestionCandidates:
        """The same candidates with some of the signals."""
        return replace(self, values=self.values[:, columns])


async def ask_all(index_folder: Path, cases: Sequence[Case]) -> list[QuestionCandidates]:
    """The candidates of every question of a site for which something is found."""
    index = await open_index(index_folder)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    late = LateInteraction(embedder) if embedder is not None else None
    search_index = SearchIndex(index, await Corpus.of(index), Scopes(index.manifest), embedder, late)
    questions: list[QuestionCandidates] = []
    for case in cases:
        plan = make_plan(Question(case.question), "en", search_index.corpus.statistics)
        hits = await search_plan(search_index, plan)
        if hits.hits:
            read_sections = [SectionPassages(hit, passages(hit.in_page_order)) for hit in hits.hits[:SECTIONS_READ]]
            comparison = await passage_comparison(search_index, [hits])
            questions.append(_candidates_with_signals(case, hits.question, read_sections, comparison))
    await index.close()
    return questions


def _candidates_with_signals(
    case: Case,
    question: WeightedQuestion,
    sections: Sequence[SectionPassages],
    comparison: PassageComparison | None,
) -> QuestionCandidates:
    sections_with_text = [section for section in sections if section.passages]
    candidates = [
        candidate
        for section in sections_with_text[:COMPETING]
        for candidate in candidates_of(question, section, sections_with_text[0])
    ]
    similarities = (
        comparison.similarities(question, list(map(comparison.comparable, candidates))) if comparison else None
    )
    if similarities is not None:
        candidates = [
            replace(candidate, max_sim=similarity)
            for candidate, similarity in zip(candidates, similarities, strict=True)
        ]
    return QuestionCandidates(
        np.array([[signal(question, candidate) for signal in SIGNALS] for candidate in candidates]),
        np.array([_shows(case, question, candidate) for candidate in candidates], dtype=bool),
    )


def _shows(case: Case, question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    """Whether the excerpt for a candidate shows all nuggets."""
    blocks = excerpt(candidate.section.passages, candidate.number, Relevance.of(question))
    return see(case, Outcome(case.id, shown=fenced(blocks))).is_full


def fit_choice(questions: Sequence[QuestionCandidates]) -> Floats:
    """The weights of the signals, for signals as the program has them, which are not standardised."""
    usable = [question for question in questions if question.rights.any()]
    stacked = np.vstack([question.values for question in usable])
    mean, spread = stacked.mean(axis=0), stacked.std(axis=0) + 1e-9
    weights = np.zeros(stacked.shape[1])
    for step in range(STEPS):
        gradient = RIDGE * len(usable) * weights
        for question in usable:
            values = (question.values - mean) / spread
            scores = values @ weights
            probabilities = np.exp(scores - scores.max())
            probabilities /= probabilities.sum()
            right = probabilities * question.rights / max(1e-12, (probabilities * question.rights).sum())
            gradient -= values.T @ (right - probabilities)
        weights -= RATE * gradient / len(usable) / (1 + step / STEPS)
    return np.asarray(weights / spread)


def shown(questions: Sequence[QuestionCandidates], weights: Floats) -> float:
    """The share of questions whose first card shows all nuggets."""
    return float(np.mean([question.rights[int(np.argmax(question.values @ weights))] for question in questions]))


def main() -> None:
    """Fits the weights, and prints how well they choose."""
    sites: dict[str, list[QuestionCandidates]] = {}
    for index, cases, nuggets in groups_of(__doc__, "INDEX", "CASES", "NUGGETS", at_least=2):
        site_cases = read_cases([cases])
        if nuggets != cases:
            site_cases, _ = add_nuggets(site_cases, [nuggets])
        sites[cases.stem] = asyncio.run(ask_all(index, [case for case in site_cases if case.has_nuggets]))
    current_weights = np.array(list(WEIGHTS_AFTER_COMPARISON.values()))
    print(f"{'':20} {'n':>4}beginning  program left out      own possible")
    for name, questions in sites.items():
        from_others = fit_choice(
            [
                question
                for other_site, other_questions in sites.items()
                if other_site != name
                for question in other_questions
            ]
        )
        begins = float(np.mean([question.rights[question.begins] for question in questions]))
        possible = float(np.mean([question.rights.any() for question in questions]))
        figures = (
            begins,
            shown(questions, current_weights),
            shown(questions, from_others),
            shown(questions, fit_choice(questions)),
            possible,
        )
        print(f"{name:20} {len(questions):4}" + "".join(f"{figure:9.3f}" for figure in figures))
    everything = [question for questions in sites.values() for question in questions]
    for name, table in (
        ("WEIGHTS_BEFORE_COMPARISON", WEIGHTS_BEFORE_COMPARISON),
        ("WEIGHTS_AFTER_COMPARISON", WEIGHTS_AFTER_COMPARISON),
    ):
        columns = [SIGNALS.index(signal) for signal in table]
        print(name)
        for signal, weight in zip(table, fit_choice([question.only(columns) for question in everything]), strict=True):
            print(f"    {signal.__name__}: {weight:.1f},")


if __name__ == "__main__":
    main()
