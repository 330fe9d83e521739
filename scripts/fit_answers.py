"""Fits the choice of passages, and how sure an answer is, to questions whose nuggets are known.

    python scripts/fit_answers.py INDEX CASES NUGGETS [INDEX CASES NUGGETS ...]

The weights of the choice are those that make it most likely that a passage is taken which shows all nuggets, among
those of the sections that compete (a softmax over the passages of a question). The confidence is a logistic curve over
the features of the answer as chosen with the weights that are in the program. Both are fitted to all sites but one and
tried on that one, site by site, and then to all of them: the figures of the first say what to expect of other sites.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trueref_core.embedder import load_embedder
from trueref_core.generations import open_index
from trueref_server.answering.choice import COMPETING, READ, Candidate, ReadSection, Signal, candidates_of, choose
from trueref_server.answering.excerpt import excerpt
from trueref_server.answering.passages import passages
from trueref_server.answering.relevance import Relevance
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.shown import fenced
from trueref_server.records import Question
from trueref_server.retrieval.confidence import DEPTH, best_met, features
from trueref_server.retrieval.corpus import Corpus
from trueref_server.retrieval.evidence import gather
from trueref_server.retrieval.find import find
from trueref_server.retrieval.late import LateInteraction
from trueref_server.retrieval.plan import make_plan
from trueref_server.retrieval.signals import Asked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIGNALS: Final[tuple[Signal, ...]] = tuple(READ)
STEPS: Final = 3_000
RATE: Final = 0.05
RIDGE: Final = 0.01
"""What a weight costs, in logarithms of likelihood a question: the questions are few."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question: the signals of each candidate, whether it shows all nuggets, the features of the chosen answer.

    `rights` is empty for a question without nuggets. `answers` says whether the answer that the program chooses does.
    """

    values: Floats
    rights: NDArray[np.bool_]
    features: dict[str, float]
    answers: bool


async def ask_all(index_folder: Path, cases: Sequence[Case]) -> list[Asking]:
    """Every question of a site with its candidates."""
    index = await open_index(index_folder)
    corpus = await Corpus.of(index)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    late = LateInteraction(embedder) if embedder is not None else None
    found: list[Asking] = []
    for case in cases:
        plan = make_plan(Question(case.question), "en", corpus.statistics)
        hits = await find(index, corpus, embedder, plan, limit=DEPTH)
        if hits.hits:
            evidence = await gather(index, hits.asked, hits.hits)
            read = [ReadSection(h, passages(c)) for h, c in zip(evidence.hits, evidence.sections, strict=False)]
            found.append(_asking(case, hits.asked, read, late))
    await index.close()
    return found


def _asking(case: Case, asked: Asked, sections: Sequence[ReadSection], late: LateInteraction | None) -> Asking:
    filled = [section for section in sections if section.passages]
    bare = [candidate for section in filled[:COMPETING] for candidate in candidates_of(section, filled[0])]
    met = late.met(asked, [candidate.read_as for candidate in bare]) if late else None
    candidates = [one.with_met(told) for one, told in zip(bare, met or [None] * len(bare), strict=True)]
    chosen = choose(asked, sections, late)
    sure = features(asked, [section.hit for section in sections], best_met(one.candidate.met for one in chosen))
    has_nuggets = case.has_nuggets
    return Asking(
        np.array([[signal(asked, one) for signal in SIGNALS] for one in candidates]),
        np.array([_shows(case, asked, one) for one in candidates] if has_nuggets else [], dtype=bool),
        sure,
        has_nuggets and _shows(case, asked, chosen[0].candidate),
    )


def _shows(case: Case, asked: Asked, candidate: Candidate) -> bool:
    blocks = excerpt(candidate.section.passages, candidate.at, Relevance.of(asked))
    return see(case, Outcome(case.id, shown=fenced(blocks))).is_full


def fit_choice(asked: Sequence[Asking]) -> Floats:
    """The weights of the signals, as they are in the program: not standardised."""
    usable = [one for one in asked if one.rights.any()]
    stacked = np.vstack([one.values for one in usable])
    middle, spread = stacked.mean(axis=0), stacked.std(axis=0) + 1e-9
    weights = np.zeros(len(SIGNALS))
    for step in range(STEPS):
        slope = RIDGE * len(usable) * weights
        for one in usable:
            values = (one.values - middle) / spread
            scores = values @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            right = chances * one.rights / max(1e-12, (chances * one.rights).sum())
            slope -= values.T @ (right - chances)
        weights -= RATE * slope / len(usable) / (1 + step / STEPS)
    return np.asarray(weights / spread)


def shown(asked: Sequence[Asking], weights: Floats) -> float:
    """The share of questions with nuggets whose first card shows all of them."""
    own = [one for one in asked if one.rights.size]
    return sum(bool(one.rights[int(np.argmax(one.values @ weights))]) for one in own) / max(1, len(own))


def main(arguments: Sequence[str]) -> None:
    """Fit, and print what came of it."""
    sites: dict[str, list[Asking]] = {}
    for index, cases, nuggets in batched_in_threes(arguments):
        told, _ = add_nuggets(read_cases([Path(cases)]), [Path(nuggets)])
        sites[Path(cases).stem] = asyncio.run(ask_all(Path(index), told))
    everything = [one for own in sites.values() for one in own]
    now = np.array(list(READ.values()))
    for name, own in sites.items():
        others = [one for other, found in sites.items() if other != name for one in found]
        fitted = fit_choice(others)
        first = shown(
            own,
            (np.array([signal.__name__ == "first" for signal in SIGNALS]) * 1.0)
            + -10.0 * np.array([signal.__name__ == "behind" for signal in SIGNALS]),
        )
        print(
            f"{name:20} n {sum(bool(o.rights.size) for o in own):3} first {first:.3f} now {shown(own, now):.3f} left out {shown(own, fitted):.3f} possible {sum(o.rights.any() for o in own) / max(1, sum(bool(o.rights.size) for o in own)):.3f}"
        )
    weights = fit_choice(everything)
    print(f"all {shown(everything, weights):.3f}")
    for signal, weight in zip(SIGNALS, weights, strict=True):
        print(f"    {signal.__name__}: {weight:.2f},")


def batched_in_threes(arguments: Sequence[str]) -> list[tuple[str, str, str]]:
    return [(arguments[at], arguments[at + 1], arguments[at + 2]) for at in range(0, len(arguments), 3)]


if __name__ == "__main__":
    main(sys.argv[1:])
