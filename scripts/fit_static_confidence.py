"""Fits the curve of confidence of sites without a server (`widget/src/static/confidence.ts`).

    python -m scripts.fit_static_confidence SITE CASES NUGGETS [SITE CASES NUGGETS ...]

SITE has the files of a site without a server (`trueref index SITE --exports search`). A question counts as right if its
first card shows all nuggets. All others count as wrong: questions whose card shows less, questions that the docs do not
answer, and some questions about other sites. All sites have the same weight, and so have the groups of questions as in
`scripts.fit_confidence`. For each site, the curve is fitted to the other sites and tried on this site, beside the curve
of the widget and the share of words alone. Behind it stand the risk at some coverages, and the verdicts. The printed
curve is fitted to all sites. NUGGETS is CASES again if the cases have nuggets themselves. Cases of one name are those
of one site, which may be given in several editions, such as with the vectors of the embedder and without any.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from scripts.arguments import existing, parser_of
from scripts.fit_confidence import (
    OTHERS_A_SITE,
    READ,
    SEED,
    AskedQuestion,
    CurveKind,
    by_tenths,
    confidences,
    figures,
    fit_curve,
)

from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.ranking.confidence import ANSWER_FROM

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

FEATURES: Final = Path(__file__).with_name("static_features.mjs")

COLUMNS: Final = ("own", "others", "shown")
"""The AUROC of answered questions against those that the site does not answer, those of other sites, and those whose
card shows less than all."""


@dataclass(frozen=True, slots=True)
class WidgetCurve:
    """The curve of the widget, and the least confidences of an answer and of the closest passage."""

    weights: Mapping[str, float]
    bounds: tuple[float, float]


@dataclass(frozen=True, slots=True)
class WidgetQuestion:
    """A question with its features, the confidence of the widget, and whether the cards together show all nuggets."""

    asked: AskedQuestion
    confidence: float
    is_in_cards: bool

    @property
    def is_withheld(self) -> bool:
        """Whether the passage has so few words of the question that the widget shows none."""
        return self.confidence == 0


GROUPS: Final[Mapping[str, Callable[[WidgetQuestion], bool]]] = {
    "shown": lambda question: question.asked.is_shown,
    "shown in one of three cards": lambda question: question.is_in_cards,
    "answered, and not shown": lambda question: question.asked.is_answered and not question.asked.is_shown,
    "not answered": lambda question: question.asked.is_own and not question.asked.is_answered,
    "of other sites": lambda question: not question.asked.is_own,
}
"""The groups of questions of which the verdicts are counted."""


def ask_all(site: Path, cases: Sequence[Case], others: Sequence[Case]) -> tuple[WidgetCurve, list[WidgetQuestion]]:
    """The curve of the widget, and the questions of a site and some about other sites with their features."""
    node = shutil.which("node")
    if node is None:
        raise SystemExit("There is no Node: the widget is asked in it.")
    all_cases = [*cases, *others]
    asked = "\n".join(" ".join(case.question.split()) for case in all_cases)
    ran = subprocess.run([node, FEATURES, site], input=asked, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(ran.stderr)
    head, *lines = map(json.loads, ran.stdout.splitlines())
    questions: list[WidgetQuestion] = []
    for number, (case, line) in enumerate(zip(all_cases, lines, strict=True)):
        is_own = number < len(cases)
        cards = tuple(line["cards"]) or ("",)
        seen = see(case, Outcome(case.id, shown=cards[0], cards=cards)) if is_own and case.has_nuggets else None
        is_shown = seen is not None and seen.is_full
        asked_question = AskedQuestion(line["features"], is_own and case.answerable, is_own, is_shown)
        questions.append(WidgetQuestion(asked_question, line["confidence"], seen is not None and seen.in_cards))
    return WidgetCurve(head["curve"], tuple(head["bounds"])), questions


def read_sites(paths: Sequence[Path]) -> dict[str, dict[Path, list[Case]]]:
    """By name of the cases, and by folder of each edition of the site: its cases."""
    sites: defaultdict[str, dict[Path, list[Case]]] = defaultdict(dict)
    for site, cases, nuggets in zip(paths[0::3], paths[1::3], paths[2::3], strict=True):
        read = read_cases([cases])
        sites[cases.stem].setdefault(site, []).extend(read if nuggets == cases else add_nuggets(read, [nuggets])[0])
    return sites


def verdicts(questions: Sequence[WidgetQuestion], values: Floats, bounds: tuple[float, float]) -> Iterator[str]:
    """The rows of a table: for each group, its size and the shares of the three verdicts."""
    answer_from, closest_from = bounds
    yield "| | questions | answer | closest | not found |\n|---|---|---|---|---|"
    for group, is_in in GROUPS.items():
        these = values[[*map(is_in, questions)]]
        if these.size:
            answer, shown = (these >= answer_from).mean(), (these >= closest_from).mean()
            yield f"| {group} | {these.size} | {answer:.2f} | {shown - answer:.2f} | {1 - shown:.2f} |"


def risks(questions: Sequence[WidgetQuestion], values: Floats) -> str:
    """Of the site's own questions, the share that is not shown everything among those with the highest values."""
    own = np.array([question.asked.is_own for question in questions])
    wrong = np.array([not question.asked.is_shown for question in questions])[own][np.argsort(-values[own])]
    return ", ".join(
        f"{share:.0%}: {wrong[: round(share * wrong.size)].mean():.2f}" for share in (0.1, 0.2, 0.3, 0.5, 1)
    )


def report(program: WidgetCurve, sites: Mapping[str, Sequence[WidgetQuestion]]) -> None:
    """Prints how well the widget's curve, one fitted to other sites, and the share of words alone do."""
    kind = CurveKind(program.weights, READ.weights, READ.factor, ANSWER_FROM, is_of_card=True)
    asked = {name: [question.asked for question in questions] for name, questions in sites.items()}
    columns: defaultdict[str, list[Floats]] = defaultdict(list)
    print(f"{'':18}" + "".join(f"{head:>8}" for head in COLUMNS))
    for name, questions in sites.items():
        curve = fit_curve(kind, (theirs for other, theirs in asked.items() if other != name))
        withheld = np.array([question.is_withheld for question in questions])
        tried = {
            "share of words": np.array([question.features["share"] for question in asked[name]]),
            "widget": np.array([question.confidence for question in questions]),
            "left out": np.where(withheld, 0, confidences(kind, asked[name], curve)),
        }
        for way, values in tried.items():
            print(f"{name if way == 'share of words' else '':18}{figures(kind, asked[name], values)[:24]}  {way}")
            columns[way].append(values)
    questions = [*chain.from_iterable(sites.values())]
    for way, parts in columns.items():
        values = np.concatenate(parts)
        print(f"\n{way}: risk at coverage {risks(questions, values)}")
        if way != "share of words":
            print(*verdicts(questions, values, program.bounds), sep="\n")
    answered = np.array([question.asked.is_answered for question in questions])
    shown = np.array([question.asked.is_shown for question in questions])
    print("", *by_tenths(np.concatenate(columns["left out"])[answered], shown[answered]), sep="\n")
    fitted = fit_curve(kind, asked.values())
    print({name: round(float(weight), 2) for name, weight in zip(kind.program, fitted, strict=True)})


def main() -> None:
    """Fits the curve, and prints how well it works on sites that it was not fitted to."""
    parser = parser_of(__doc__)
    parser.add_argument("paths", nargs="+", type=existing, metavar="SITE CASES NUGGETS")
    paths: list[Path] = parser.parse_args().paths
    if len(paths) % 3:
        parser.error(f"there are {len(paths)} paths, and SITE CASES NUGGETS come together")
    cases_of = read_sites(paths)
    if len(cases_of) < 2:
        parser.error("the curve is tried on a site that it was not fitted to: name at least two")
    rng = random.Random(SEED)  # noqa: S311
    sites: defaultdict[str, list[WidgetQuestion]] = defaultdict(list)
    program = WidgetCurve({}, (1, 1))
    for name, editions in cases_of.items():
        others = [case for other, its in cases_of.items() if other != name for case in next(iter(its.values()))]
        foreign = rng.sample(others, min(OTHERS_A_SITE, len(others)))
        for site, cases in editions.items():
            program, questions = ask_all(site, cases, foreign)
            sites[name] += questions
    print(f"seed {SEED}")
    report(program, sites)


if __name__ == "__main__":
    main()
