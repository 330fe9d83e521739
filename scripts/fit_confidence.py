"""Fits the curve that says how likely the first card shows the answer: `trueref_server.ranking.confidence`.

    python -m scripts.fit_confidence INDEX CASES NUGGETS [INDEX CASES NUGGETS ...]

Right is a question whose first card shows all nuggets. Wrong are the others that the docs answer, those that they do
not answer, and some of other sites. Every site weighs the same, and in it each of these groups: see `WEIGHTS`. The
curve is fitted to all sites but one and tried on that one, site by site, beside the curve of the program, and then
fitted to all of them. NUGGETS is CASES again if these hold their own. Cases of the same INDEX are those of one site,
named after its first file. Name sites that the embedder was not trained on: its vectors are nearer to the others.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from scripts.arguments import groups_of

from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.served_generation import open_index
from trueref_server.answering.choice import nearest
from trueref_server.answering.excerpt import excerpt
from trueref_server.answering.extractive import AnsweredPart
from trueref_server.answering.relevance import Relevance
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.case_runs import fenced
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.confidence import ANSWER_FROM, CLOSEST_FROM, SHOWN, features, shown_features
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.records import Question
from trueref_server.search.search import SearchIndex, search_plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SEED: Final = 13
OTHERS_A_SITE: Final = 60
"""Questions of other sites that each is asked."""

Group = tuple[bool, bool]
"""Whether a question is one of the site's own, and whether the site answers it."""

WEIGHTS: Final[Mapping[Group, float]] = {(True, True): 1.0, (True, False): 0.25, (False, False): 0.15}
"""What the questions of a group weigh together: readers ask seldom for what the docs do not answer."""

STEPS: Final = 4_000
RATE: Final = 0.3
RIDGE: Final = 0.003
"""What a weight of a standardised feature costs, squared, in logarithms of likelihood a question."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A question with its features; whether the site answers it, and whether the first card shows everything."""

    features: Mapping[str, float]
    is_answered: bool
    is_own: bool
    is_shown: bool = False


async def ask_all(index_folder: Path, cases: Sequence[Case], others: Sequence[Case]) -> list[Asking]:
    """Every question of a site, and some of other sites, with their features; without those that find nothing."""
    index = await open_index(index_folder)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    ready = SearchIndex(index, await Corpus.of(index), Scopes(index.manifest), embedder)
    late = LateInteraction(embedder) if embedder is not None else None
    askings: list[Asking] = []
    for case in [*cases, *others]:
        plan = make_plan(Question(case.question), "en", ready.corpus.statistics)
        hits = await search_plan(ready, plan)
        read = AnsweredPart.of(hits.question, hits.hits, late)
        if not hits.hits or not read.cards:
            continue
        is_own = case not in others
        card = read.cards[0].candidate
        blocks = excerpt(card.section.passages, card.number, Relevance.of(hits.question))
        is_shown = is_own and case.has_nuggets and see(case, Outcome(case.id, shown=fenced(blocks))).is_full
        if card.max_sim is None:
            continue
        values = shown_features(features(hits.question, hits.hits, card.max_sim), nearest(hits.question, card))
        askings.append(Asking(values, is_own and case.answerable, is_own, is_shown))
    await index.close()
    return askings


def fit(values: Floats, rights: NDArray[np.bool_], weights: Floats) -> Floats:
    """The weights of a logistic curve, of features as they are in the program, and last what is added to them."""
    middle, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    inputs = np.column_stack([(values - middle) / spread, np.ones(len(values))])
    shares = weights / weights.sum()
    costs = np.array([*[RIDGE] * values.shape[1], 0.0])
    curve = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        curve -= RATE * (inputs.T @ (shares * (chances(inputs, curve) - rights)) + costs * curve)
    plain = curve[:-1] / spread
    return np.array([*plain, curve[-1] - middle @ plain])


def chances(inputs: Floats, curve: Floats) -> Floats:
    """What a curve says of each row: how likely it is."""
    return np.asarray(1 / (1 + np.exp(-inputs @ curve)))


def fit_curve(sites: Iterable[Sequence[Asking]]) -> Floats:
    """The weights of the curve, in the order of `SHOWN`."""
    rows: list[tuple[Asking, float]] = []
    for askings in sites:
        groups = Counter(map(_group, askings))
        rows += [(asking, WEIGHTS[_group(asking)] / groups[_group(asking)]) for asking in askings]
    askings = [asking for asking, _ in rows]
    rights = np.array([asking.is_shown for asking in askings])
    return fit(table(askings), rights, np.array([weight for _, weight in rows]))


def _group(asking: Asking) -> Group:
    return asking.is_own, asking.is_answered


def table(askings: Sequence[Asking]) -> Floats:
    """The features of the curve, one row for each question."""
    return np.array([[asking.features[name] for name in SHOWN if name] for asking in askings])


def confidences(askings: Sequence[Asking], curve: Floats) -> Floats:
    """What the curve says of each question."""
    return chances(np.column_stack([table(askings), np.ones(len(askings))]), curve)


def figures(askings: Sequence[Asking], sure: Floats) -> str:
    """What confidences are worth at the thresholds of the program."""
    answered = np.array([asking.is_answered for asking in askings])
    close = np.array([asking.is_own and not asking.is_answered for asking in askings])
    shown = np.array([asking.is_shown for asking in askings])
    ahead = (sure[answered][:, None] > sure[close]).mean() if close.any() else np.nan
    columns = [
        ahead,
        (sure[answered][:, None] > sure[~answered & ~close]).mean(),
        (sure[shown][:, None] > sure[answered & ~shown]).mean(),
        (sure[answered] >= ANSWER_FROM).mean(),
        (sure[close] >= ANSWER_FROM).mean() if close.any() else np.nan,
        (sure[answered] < CLOSEST_FROM).mean(),
        (sure[close] < CLOSEST_FROM).mean() if close.any() else np.nan,
        sure[answered].mean(),
        shown[answered].mean(),
    ]
    return "".join(f"{column:8.2f}" for column in columns)


def read_sites(groups: Iterable[tuple[Path, ...]]) -> dict[Path, tuple[str, list[Case]]]:
    """By index, the name of a site and its cases."""
    sites: dict[Path, tuple[str, list[Case]]] = {}
    for index, cases, nuggets in groups:
        read = read_cases([cases])
        _, cases_of_site = sites.setdefault(index, (cases.stem, []))
        cases_of_site += read if nuggets == cases else add_nuggets(read, [nuggets])[0]
    names = [name for name, _ in sites.values()]
    if len(set(names)) < len(names):
        raise SystemExit(f"Two sites have cases of the same name: {', '.join(names)}. Rename the files of one.")
    return sites


def main() -> None:
    """Fit, and print what came of it."""
    cases_of = read_sites(groups_of(__doc__, "INDEX", "CASES", "NUGGETS"))
    if len(cases_of) < 2:
        raise SystemExit("The curve is tried on a site that it was not fitted to: name at least two.")
    print(f"seed {SEED}")
    chance = random.Random(SEED)  # noqa: S311
    sites: dict[str, list[Asking]] = {}
    for folder, (name, cases_of_site) in cases_of.items():
        strangers = [case for other, (_, theirs) in cases_of.items() if other != folder for case in theirs]
        others = chance.sample(strangers, min(OTHERS_A_SITE, len(strangers)))
        sites[name] = asyncio.run(ask_all(folder, cases_of_site, others))
    heads = ("auroc", "others", "shown", "answer", "wrong", "refused", "rightly", "mean", "shown")
    print(f"{'':18}" + "".join(f"{head:>8}" for head in heads))
    program = np.array([*SHOWN.values()])
    for name, askings in sites.items():
        left_out = fit_curve(theirs for other, theirs in sites.items() if other != name)
        print(f"{name:18}{figures(askings, confidences(askings, program))}  program")
        print(f"{'':18}{figures(askings, confidences(askings, left_out))}  left out")
    curve = fit_curve(sites.values())
    print({name: round(float(weight), 2) for name, weight in zip(SHOWN, curve, strict=True)})


if __name__ == "__main__":
    main()
