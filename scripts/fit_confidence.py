"""Fits the curves of confidence (`trueref_server.ranking.confidence`).

    python -m scripts.fit_confidence INDEX CASES NUGGETS [INDEX CASES NUGGETS ...]

Indexes with vectors fit the curve of passages that are read word by word, and indexes without them the curve by words
alone. For the first, a question counts as right if its first card shows all nuggets, for the second if the docs answer
it. All others count as wrong: questions whose card shows less, questions that the docs do not answer, and some
questions about other sites. All sites have the same weight, and the groups of questions within a site have those of
their kind of curve. For each site, the curve is fitted to the other sites and tried on this site, beside the curve of
the program. Behind it stands, for tenths of these confidences of the questions that the docs answer, how many of them
are shown everything. The printed curve is fitted to all sites. NUGGETS is CASES again if the cases have nuggets
themselves. All cases of one INDEX are those of one site, which is named after its first file. For the first curve name
sites that the embedder was not trained on, since its vectors fit the sites of its training better.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from scripts.arguments import groups_of

from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.served_generation import open_index
from trueref_server.answering.answered_parts import AnsweredPart
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.passage_signals import nearest
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.case_runs import fenced
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.pipeline import passage_comparison
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.confidence import ANSWER_FROM, ANSWER_UNREAD, BY_TEXT, CLOSEST_FROM, SHOWN, SHOWN_MEAN
from trueref_server.ranking.confidence_features import features, shown_features, text_features
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.records import Question
from trueref_server.search.search import SearchIndex, search_plan

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

SEED: Final = 13
OTHERS_A_SITE: Final = 60
"""How many questions about other sites each site is asked."""

Group = tuple[bool, bool]
"""Whether a question is about the site itself, and whether the site answers it."""

COLUMNS: Final = ("own", "others", "shown", *("answer",) * 4, *("none",) * 3, "mean", "shown")
"""The AUROC of answered questions against those that the site does not answer, those of other sites, and those whose
card shows less than all. The shares with an answer: of answered questions, of those shown everything, of unanswered
ones, of those of other sites. The shares with nothing: of answered, of unanswered and of other ones. Of answered
questions the mean confidence, and how many are shown everything."""

STEPS: Final = 4_000
RATE: Final = 0.3
"""The number of steps of gradient descent, and its learning rate."""
RIDGE: Final = 0.003
"""The ridge penalty on the squared weight of a standardised feature, per question."""


@dataclass(frozen=True, slots=True)
class CurveKind:
    """What is fitted, and what the program makes of it.

    Attributes:
        program: The curve of the program: the weight of each feature, and under "" the constant.
        weights: The weight of all questions of a group together. Readers seldom ask what the docs do not answer.
        factor: What the likelihood is multiplied by.
        answer_from: The least confidence of an answer.
        is_of_card: Whether the curve says that the first card answers. If not, it says that the docs do.
    """

    program: Mapping[str, float]
    weights: Mapping[Group, float]
    factor: float
    answer_from: float
    is_of_card: bool


READ: Final = CurveKind(SHOWN, {(True, True): 1.0, (True, False): 0.25, (False, False): 0.15}, 1.0, ANSWER_FROM, True)
# Questions without an answer weigh 3.3 times as much as above, so that about as many of the others are answered as with
# the curve before.
BY_WORDS: Final = CurveKind(
    BY_TEXT, {(True, True): 1.0, (True, False): 0.83, (False, False): 0.5}, SHOWN_MEAN, ANSWER_UNREAD, False
)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question with its features: whether the site answers it, and whether the first card shows all nuggets."""

    features: Mapping[str, float]
    is_answered: bool
    is_own: bool
    is_shown: bool = False


async def ask_all(
    index_folder: Path, cases: Sequence[Case], others: Sequence[Case]
) -> tuple[CurveKind, list[AskedQuestion]]:
    """The questions of a site and some about other sites, with their features, except those that find nothing."""
    index = await open_index(index_folder)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    late = LateInteraction(embedder) if embedder is not None else None
    search_index = SearchIndex(index, await Corpus.of(index), Scopes(index.manifest), embedder, late)
    questions: list[AskedQuestion] = []
    for case in [*cases, *others]:
        plan = make_plan(Question(case.question), "en", search_index.corpus.statistics)
        hits = await search_plan(search_index, plan)
        answered_part = AnsweredPart.of(hits.question, hits.hits, await passage_comparison(search_index, [hits]))
        if not hits.hits or not answered_part.cards:
            continue
        is_own = case not in others
        card = answered_part.cards[0].candidate
        blocks = excerpt(card.section.passages, card.number, Relevance.of(hits.question))
        is_shown = is_own and case.has_nuggets and see(case, Outcome(case.id, shown=fenced(blocks))).is_full
        values = features(hits.question, hits.hits, card.max_sim)
        if late is None:
            values = text_features(values)
        elif card.max_sim is None:
            continue
        else:
            values = shown_features(values, nearest(hits.question, card))
        questions.append(AskedQuestion(values, is_own and case.answerable, is_own, is_shown))
    await index.close()
    return (BY_WORDS if late is None else READ), questions


def fit(values: Floats, rights: NDArray[np.bool_], weights: Floats) -> Floats:
    """The weights of a logistic curve, for features as the program has them, and last the constant term."""
    mean, spread = values.mean(axis=0), values.std(axis=0) + 1e-9
    inputs = np.column_stack([(values - mean) / spread, np.ones(len(values))])
    shares = weights / weights.sum()
    costs = np.array([*[RIDGE] * values.shape[1], 0.0])
    curve = np.zeros(inputs.shape[1])
    for _ in range(STEPS):
        curve -= RATE * (inputs.T @ (shares * (probabilities(inputs, curve) - rights)) + costs * curve)
    plain_weights = curve[:-1] / spread
    return np.array([*plain_weights, curve[-1] - mean @ plain_weights])


def probabilities(inputs: Floats, curve: Floats) -> Floats:
    """The probability that a curve gives to each row of inputs."""
    return np.asarray(1 / (1 + np.exp(-inputs @ curve)))


def fit_curve(kind: CurveKind, sites: Iterable[Sequence[AskedQuestion]]) -> Floats:
    """The weights of the curve, in the order of the program's."""
    rows: list[tuple[AskedQuestion, float]] = []
    for questions in sites:
        groups = Counter(map(_group, questions))
        rows += [(question, kind.weights[_group(question)] / groups[_group(question)]) for question in questions]
    questions = [question for question, _ in rows]
    rights = np.array([question.is_shown if kind.is_of_card else question.is_answered for question in questions])
    return fit(table(kind, questions), rights, np.array([weight for _, weight in rows]))


def _group(question: AskedQuestion) -> Group:
    """The group by which a question is weighted."""
    return question.is_own, question.is_answered


def table(kind: CurveKind, questions: Sequence[AskedQuestion]) -> Floats:
    """The features of the curve, one row for each question."""
    return np.array([[question.features[name] for name in kind.program if name] for question in questions])


def confidences(kind: CurveKind, questions: Sequence[AskedQuestion], curve: Floats) -> Floats:
    """The confidence that the curve gives to each question."""
    return kind.factor * probabilities(np.column_stack([table(kind, questions), np.ones(len(questions))]), curve)


def figures(kind: CurveKind, questions: Sequence[AskedQuestion], confidence_values: Floats) -> str:
    """How well confidences separate the groups, as a row of the table; see `COLUMNS`."""
    answered = np.array([question.is_answered for question in questions])
    unanswered = np.array([question.is_own and not question.is_answered for question in questions])
    shown = np.array([question.is_shown for question in questions])
    above_unanswered = (
        (confidence_values[answered][:, None] > confidence_values[unanswered]).mean() if unanswered.any() else np.nan
    )
    others = ~answered & ~unanswered
    columns = [
        above_unanswered,
        (confidence_values[answered][:, None] > confidence_values[others]).mean(),
        (confidence_values[shown][:, None] > confidence_values[answered & ~shown]).mean(),
        (confidence_values[answered] >= kind.answer_from).mean(),
        (confidence_values[shown] >= kind.answer_from).mean(),
        (confidence_values[unanswered] >= kind.answer_from).mean() if unanswered.any() else np.nan,
        (confidence_values[others] >= kind.answer_from).mean(),
        (confidence_values[answered] < CLOSEST_FROM).mean(),
        (confidence_values[unanswered] < CLOSEST_FROM).mean() if unanswered.any() else np.nan,
        (confidence_values[others] < CLOSEST_FROM).mean(),
        confidence_values[answered].mean(),
        shown[answered].mean(),
    ]
    return "".join(f"{column:8.2f}" for column in columns)


def by_tenths(confidence_values: Floats, shown: NDArray[np.bool_]) -> Iterator[str]:
    """The rows of a table: the mean of each tenth of the confidences, how many they are, and how many are right."""
    yield "| confidence | questions | shown |\n|---|---|---|"
    tenths = np.minimum(confidence_values * 10, 9).astype(int)
    for tenth in np.unique(tenths):
        these = tenths == tenth
        yield f"| {confidence_values[these].mean():.2f} | {these.sum()} | {shown[these].mean():.2f} |"


def read_sites(groups: Iterable[tuple[Path, ...]]) -> dict[Path, tuple[str, list[Case]]]:
    """By index: the name of the site and its cases."""
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
    """Fits the curve, and prints how well it works on sites that it was not fitted to."""
    cases_of = read_sites(groups_of(__doc__, "INDEX", "CASES", "NUGGETS"))
    if len(cases_of) < 2:
        raise SystemExit("The curve is tried on a site that it was not fitted to: name at least two.")
    print(f"seed {SEED}")
    rng = random.Random(SEED)  # noqa: S311
    kinds: list[CurveKind] = []
    sites: dict[str, list[AskedQuestion]] = {}
    for folder, (name, cases_of_site) in cases_of.items():
        other_questions = [case for other, (_, theirs) in cases_of.items() if other != folder for case in theirs]
        foreign_questions = rng.sample(other_questions, min(OTHERS_A_SITE, len(other_questions)))
        kind, sites[name] = asyncio.run(ask_all(folder, cases_of_site, foreign_questions))
        kinds.append(kind)
    if kinds.count(kinds[0]) < len(kinds):
        raise SystemExit("Some of these indexes have vectors and some do not. Each kind has a curve: name one kind.")
    report(kinds[0], sites)


def report(kind: CurveKind, sites: Mapping[str, Sequence[AskedQuestion]]) -> None:
    """Prints the figures of each site with the program's curve and with one that is fitted to the others."""
    print(f"{'':18}" + "".join(f"{head:>8}" for head in COLUMNS))
    program = np.array([*kind.program.values()])
    tried: list[tuple[float, bool]] = []
    for name, questions in sites.items():
        curve = fit_curve(kind, (theirs for other, theirs in sites.items() if other != name))
        left_out = confidences(kind, questions, curve)
        print(f"{name:18}{figures(kind, questions, confidences(kind, questions, program))}  program")
        print(f"{'':18}{figures(kind, questions, left_out)}  left out")
        tried += [
            (float(value), one.is_shown) for value, one in zip(left_out, questions, strict=True) if one.is_answered
        ]
    values, shown = zip(*tried, strict=True)
    print(*by_tenths(np.array(values), np.array(shown)), sep="\n")
    weights = fit_curve(kind, sites.values())
    print({name: round(float(weight), 2) for name, weight in zip(kind.program, weights, strict=True)})


if __name__ == "__main__":
    main()
