"""Fits confidence to questions whose nuggets are known: how likely it is that what is shown answers.

    python scripts/fit_confidence.py INDEX CASES NUGGETS [INDEX CASES NUGGETS ...]

A logistic curve over the score of the reader and some features of the search says whether the first card shows all
nuggets; questions that the docs do not answer count as not shown. It is fitted to all sites but one and tried on that
one, site by site, beside the curve of the program, and then fitted to all of them. NUGGETS is CASES again where these
hold their own. Name sites that the reader was not trained on: of the others it knows which passages answer.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.publication import open_index
from trueref_server.answering.answer_markdown import fenced
from trueref_server.answering.excerpt import excerpt
from trueref_server.answering.extractive import Read
from trueref_server.answering.reader import PassageReader
from trueref_server.answering.relevance import Relevance
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.question.plan import make_plan
from trueref_server.ranking.confidence import ANSWER_FROM, CLOSEST_FROM, DEPTH, READ, features
from trueref_server.records import Question
from trueref_server.search.evidence import gather
from trueref_server.search.search_rounds import find

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

STEPS: Final = 4_000
RATE: Final = 0.3
RIDGE: Final = 0.003
"""What a weight of a standardised feature costs, squared, in logarithms of likelihood a question."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with its features; whether the docs answer it, and whether the first card shows everything."""

    features: Mapping[str, float]
    is_answerable: bool
    is_shown: bool


async def ask_all(index_folder: Path, cases: Sequence[Case]) -> list[Asking]:
    """Every question of a site with its features; without those that find nothing to read."""
    index = await open_index(index_folder)
    corpus = await Corpus.of(index)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    reader = PassageReader()
    askings: list[Asking] = []
    for case in cases:
        plan = make_plan(Question(case.question), "en", corpus.statistics)
        hits = await find(index, corpus, embedder, plan, limit=DEPTH)
        read = Read.of(hits.asked, await gather(index, hits.asked, hits.hits), reader)
        card = read.cards[0].candidate if read.cards else None
        if card is None or card.read is None:
            continue
        blocks = excerpt(card.section.passages, card.at, Relevance.of(hits.asked))
        is_shown = case.has_nuggets and see(case, Outcome(case.id, shown=fenced(blocks))).is_full
        told = features(hits.asked, hits.hits) | {"read": card.read}
        askings.append(Asking(told, case.answerable, is_shown))
    await index.close()
    return askings


def fit(askings: Sequence[Asking]) -> Floats:
    """The weights of the curve, of features as they are in the program, and last what is added to them."""
    values = table(askings)
    rights = np.array([asking.is_shown for asking in askings])
    middle, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    inputs = np.column_stack([(values - middle) / spread, np.ones(len(values))])
    costs = np.array([*[RIDGE] * values.shape[1], 0.0])
    curve = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        curve -= RATE * (inputs.T @ (chances(inputs, curve) - rights) / len(rights) + costs * curve)
    plain = curve[:-1] / spread
    return np.array([*plain, curve[-1] - middle @ plain])


def chances(inputs: Floats, curve: Floats) -> Floats:
    """What a curve says of each row: how likely it is."""
    return np.asarray(1 / (1 + np.exp(-inputs @ curve)))


def table(askings: Sequence[Asking]) -> Floats:
    """The features of the curve, one row for each question."""
    return np.array([[asking.features[name] for name in READ if name] for asking in askings])


def confidences(askings: Sequence[Asking], curve: Floats) -> Floats:
    """What a curve says of each question."""
    return chances(np.column_stack([table(askings), np.ones(len(askings))]), curve)


def figures(askings: Sequence[Asking], sure: Floats) -> str:
    """What confidences are worth at the thresholds of the program."""
    own = np.array([asking.is_answerable for asking in askings])
    shown = np.array([asking.is_shown for asking in askings])
    columns = [
        (sure[own][:, None] > sure[~own]).mean() if not own.all() else np.nan,
        (sure[shown][:, None] > sure[~shown]).mean(),
        (sure[own] >= ANSWER_FROM).mean(),
        shown[own & (sure >= ANSWER_FROM)].mean(),
        (sure[~own] >= ANSWER_FROM).mean() if not own.all() else np.nan,
        (sure[own] < CLOSEST_FROM).mean(),
        (sure[~own] < CLOSEST_FROM).mean() if not own.all() else np.nan,
        sure.mean(),
        shown.mean(),
    ]
    return "".join(f"{column:8.2f}" for column in columns)


def deciles(sure: Floats, shown: NDArray[np.bool_]) -> Iterable[str]:
    """For each tenth of the questions by confidence, the mean of it, and how many are shown everything."""
    order = np.argsort(sure)
    for part in np.array_split(order, 10):
        yield f"{sure[part].mean():.2f}:{shown[part].mean():.2f}"


def main(arguments: Sequence[str]) -> None:
    """Fit, and print what came of it."""
    sites: dict[str, list[Asking]] = {}
    for at in range(0, len(arguments) - 2, 3):
        index, cases, nuggets = map(Path, arguments[at : at + 3])
        read = read_cases([cases])
        told = read if nuggets == cases else add_nuggets(read, [nuggets])[0]
        asked = [case for case in told if case.has_nuggets or not case.answerable]
        sites[cases.stem] = asyncio.run(ask_all(index, asked))
    if len(sites) < 2:
        raise SystemExit(__doc__)
    heads = ("auroc", "shown", "answer", "rightly", "wrong", "refused", "rightly", "mean", "shown")
    print(f"{'':18}" + "".join(f"{head:>8}" for head in heads))
    program = np.array([*READ.values()])
    for name, askings in sites.items():
        left_out = fit([asking for other, theirs in sites.items() if other != name for asking in theirs])
        print(f"{name:18}{figures(askings, confidences(askings, program))}  now")
        print(f"{'':18}{figures(askings, confidences(askings, left_out))}  left out")
    everything = [asking for askings in sites.values() for asking in askings]
    shown = np.array([asking.is_shown for asking in everything])
    print("confidence:shown, by tenths:", *deciles(confidences(everything, program), shown))
    print({name: round(float(weight), 3) for name, weight in zip(READ, fit(everything), strict=True)})


if __name__ == "__main__":
    main(sys.argv[1:])
