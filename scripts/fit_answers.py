"""Fits the choice of passages to questions whose nuggets are known.

    python scripts/fit_answers.py INDEX CASES NUGGETS [INDEX CASES NUGGETS ...]

The weights are those that make it most likely that a passage is taken which shows all nuggets, among the passages that
are read (a softmax over the passages of a question). They are fitted to all sites but one and tried on that one, site
by site, then to this one alone, and then to all of them: `left out` says what to expect of other sites, and the figures
of `own` say how much of a gain is of the one site. NUGGETS is CASES again where these hold their own. Name sites that
the reader was not trained on: of the others it knows which passages answer.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.publication import open_index
from trueref_server.answering.answer_markdown import fenced
from trueref_server.answering.choice import (
    COMPETING,
    READ,
    READ_MOST,
    UNREAD,
    Candidate,
    ReadSection,
    Signal,
    candidates_of,
)
from trueref_server.answering.excerpt import excerpt
from trueref_server.answering.passages import passages
from trueref_server.answering.reader import PassageReader
from trueref_server.answering.relevance import Relevance
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.question.plan import make_plan
from trueref_server.ranking.confidence import DEPTH
from trueref_server.ranking.signals import Asked
from trueref_server.records import Question
from trueref_server.search.evidence import gather
from trueref_server.search.search_rounds import find

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SIGNALS: Final[tuple[Signal, ...]] = tuple(READ)
STEPS: Final = 3_000
RATE: Final = 0.05
RIDGE: Final = 0.1
"""What a weight costs, in logarithms of likelihood a question. With .01 the weights of one site show 7 questions of 100
less on another than that one's own do, with .1 they show 2 less; the questions are few."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with its candidates: the signals of each, and whether it shows all nuggets.

    `begins` says whether the beginning of the first section does, `first` whether the passage does that is the best one
    unread, and `possible` whether any passage of the sections does.
    """

    values: Floats
    rights: NDArray[np.bool_]
    begins: bool
    first: bool
    possible: bool


async def ask_all(index_folder: Path, cases: Sequence[Case]) -> list[Asking]:
    """Every question of a site with its candidates."""
    index = await open_index(index_folder)
    corpus = await Corpus.of(index)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    reader = PassageReader()
    found: list[Asking] = []
    for case in cases:
        plan = make_plan(Question(case.question), "en", corpus.statistics)
        hits = await find(index, corpus, embedder, plan, limit=DEPTH)
        if hits.hits:
            evidence = await gather(index, hits.asked, hits.hits)
            read = [ReadSection(h, passages(c)) for h, c in zip(evidence.hits, evidence.sections, strict=False)]
            found.append(_asking(case, hits.asked, read, reader))
    await index.close()
    return found


def _asking(case: Case, asked: Asked, sections: Sequence[ReadSection], reader: PassageReader) -> Asking:
    filled = [section for section in sections if section.passages][:COMPETING]
    candidates = [candidate for section in filled for candidate in candidates_of(asked, section, filled[0])]
    rights = [_shows(case, asked, one) for one in candidates]
    unread = [sum(weight * signal(asked, one) for signal, weight in UNREAD.items()) for one in candidates]
    order = sorted(range(len(candidates)), key=lambda at: -unread[at])[:READ_MOST]
    texts = [candidates[at].read_as(asked) for at in order]
    scores = reader.scores(asked, texts) or [0.0] * len(texts)
    read = [candidates[at].with_read(score) for at, score in zip(order, scores, strict=True)]
    return Asking(
        np.array([[signal(asked, one) for signal in SIGNALS] for one in read]),
        np.array([rights[at] for at in order], dtype=bool),
        rights[0],
        rights[order[0]],
        any(rights),
    )


def _shows(case: Case, asked: Asked, candidate: Candidate) -> bool:
    blocks = excerpt(candidate.section.passages, candidate.at, Relevance.of(asked))
    return see(case, Outcome(case.id, shown=fenced(blocks))).is_full


def fit_choice(asked: Sequence[Asking]) -> Floats:
    """The weights of the signals, as they are in the program: not standardised."""
    usable = [one for one in asked if one.rights.any()]
    stacked = np.vstack([one.values for one in usable])
    middle, spread = stacked.mean(axis=0), stacked.std(axis=0) + 1e-9
    weights = np.zeros(stacked.shape[1])
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
    """The share of questions whose first card shows all nuggets."""
    return float(np.mean([one.rights[int(np.argmax(one.values @ weights))] for one in asked]))


def main(arguments: Sequence[str]) -> None:
    """Fit, and print what came of it."""
    sites: dict[str, list[Asking]] = {}
    for at in range(0, len(arguments) - 2, 3):
        index, cases, nuggets = map(Path, arguments[at : at + 3])
        told = read_cases([cases])
        if nuggets != cases:
            told, _ = add_nuggets(told, [nuggets])
        sites[cases.stem] = asyncio.run(ask_all(index, [case for case in told if case.has_nuggets]))
    if not sites:
        raise SystemExit(__doc__)
    now = np.array(list(READ.values()))
    heads = ("beginning", "unread", "program", "left out", "own", "read", "possible")
    print(f"{'':22}{'n':>4}" + "".join(f"{head:>10}" for head in heads))
    for name, own in sites.items():
        fitted = fit_choice([one for other, found in sites.items() if other != name for one in found])
        figures = (
            np.mean([one.begins for one in own]),
            np.mean([one.first for one in own]),
            shown(own, now),
            shown(own, fitted),
            shown(own, fit_choice(own)),
            np.mean([one.rights.any() for one in own]),
            np.mean([one.possible for one in own]),
        )
        print(f"{name:22}{len(own):4}" + "".join(f"{figure:10.3f}" for figure in figures))
    for signal, weight in zip(SIGNALS, fit_choice([one for own in sites.values() for one in own]), strict=True):
        print(f"    {signal.__name__}: {weight:.2f},")


if __name__ == "__main__":
    main(sys.argv[1:])
