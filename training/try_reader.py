"""Tries the reader on sites that it was not trained on, beside the choice without it.

    python training/try_reader.py EXAMPLES TRAINED NAME [NAME ...] --fitted-to NAME [NAME ...] [--read N ...]

EXAMPLES is what `training/collect_examples.py` wrote, and TRAINED the folder that `training/train_reader.py` wrote. The
passages of ten sections that are best by the signals that cost nothing are read with the question. The weight of the
reader's score among these signals is fitted to the sites behind `--fitted-to`, as `scripts/fit_answers.py` fits it, and
so is the same without the score. For each site, for each kind of question of the sites named first, and for all of
these one line: the questions that the docs answer, and the share of these whose first passage shows all that is asked
for, by the signals as they are in the program among three sections (unread), by both fits (fitted, both), by the
reader's score alone (reader), and by the best of the passages that were read (possible); then how often the reader's
best score is higher for a question that the docs answer (auroc). Then come the differences between what both show and
what is shown without the reader, over all questions of the sites named first, with intervals of 95 %. Last stands the
program's own score with the reader's added to it: by one factor, among the passages of three sections and of ten.
All of it is printed for each number of passages behind `--read`.

Not run by `make` or CI: it needs torch, see `scripts/make_model.py` for an environment.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from train_reader import Reader, before_reading, read_as

MAX_READ = 8
"""Passages that are read if `--read` is not given: what an answer has time for."""

SIGNALS = ("near", "nearest", "behind", "shared", "room")
SECTIONS = 3
STEPS, RATE, RIDGE = 1_500, 0.05, 0.1
FACTORS = (0.0, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 2.0)
"""What the reader's score may count beside the program's own."""


@dataclass(frozen=True)
class Asked:
    """A question of a kind, with the passages that were read, a row for each.

    `values` are the reader's score and the signals, `answers` whether it shows all that is asked for. `unread` says
    whether the one does that the program takes without reading. `added` has a row for each passage of three sections,
    and one for each of ten: the program's own score, the reader's, and whether the passage shows all.
    """

    is_answerable: bool
    kind: str
    values: np.ndarray
    answers: np.ndarray
    unread: bool
    added: tuple[np.ndarray, np.ndarray]

    def first(self, most: int) -> Asked:
        """The question as if no more passages had been read than so many."""
        three, ten = (rows[:most] for rows in self.added)
        return replace(self, values=self.values[:most], answers=self.answers[:most], added=(three, ten))


@torch.no_grad()
def read_question(reader: Reader, example: dict[str, Any], most: int) -> Asked:
    """A question with the reader's scores of its passages.

    Args:
        reader: Reads the passages.
        example: The example of the question.
        most: Passages that are read of all ten sections, and as many of the first three, at most.
    """
    ordered = sorted(example["passages"], key=before_reading, reverse=True)
    best = ordered[:most]
    near = [passage for passage in ordered if passage["section"] < SECTIONS][:most]
    texts = list(dict.fromkeys(read_as(passage) for passage in (*best, *near)))
    score_of = dict(zip(texts, reader.scores([example["question"]], [texts])[0].tolist(), strict=True)) if texts else {}
    rows = [[score_of[read_as(passage)], *(passage["signals"][name] for name in SIGNALS)] for passage in best]
    answers = np.array([passage["answers"] for passage in best], dtype=bool)
    values = np.array(rows).reshape(len(rows), 1 + len(SIGNALS))
    added = [
        np.array([[before_reading(it), score_of[read_as(it)], it["answers"]] for it in passages]).reshape(-1, 3)
        for passages in (near, best)
    ]
    unread = bool(near and near[0]["answers"])
    return Asked(example["answerable"], example["kind"], values, answers, unread, (added[0], added[1]))


def fit(questions: list[Asked], columns: list[int]) -> np.ndarray:
    """The weights that make it most likely that a passage is taken which shows everything; 0 for other columns."""
    usable = [(question.values[:, columns], question.answers) for question in questions if question.answers.any()]
    stacked = np.vstack([values for values, _ in usable])
    middle, spread = stacked.mean(axis=0), stacked.std(axis=0) + 1e-9
    weights = np.zeros(len(columns))
    for step in range(STEPS):
        slope = RIDGE * len(usable) * weights
        for values, answers in usable:
            inputs = (values - middle) / spread
            scores = inputs @ weights
            chances = np.exp(scores - scores.max())
            chances /= chances.sum()
            right = chances * answers / (chances * answers).sum()
            slope -= inputs.T @ (right - chances)
        weights -= RATE * slope / len(usable) / (1 + step / STEPS)
    whole = np.zeros(1 + len(SIGNALS))
    whole[columns] = weights / spread
    return whole


def shown(questions: list[Asked], weights: np.ndarray) -> np.ndarray:
    """For each question whether its best passage shows everything."""
    return np.array(
        [
            bool(question.answers.any() and question.answers[np.argmax(question.values @ weights)])
            for question in questions
        ]
    )


def unread(questions: list[Asked]) -> np.ndarray:
    """The same for the passage that the program takes without reading."""
    return np.array([question.unread for question in questions], dtype=bool)


def line(name: str, questions: list[Asked], fits: list[np.ndarray]) -> str:
    """The line of some questions."""
    answerable = [question for question in questions if question.is_answerable]
    best = [max(question.values[:, 0], default=-np.inf) for question in questions]
    above = [score > other for question, score in zip(questions, best, strict=True) if question.is_answerable
             for two, other in zip(questions, best, strict=True) if not two.is_answerable]  # fmt: skip
    alone = np.array([1.0] + [0.0] * len(SIGNALS))
    columns = [
        unread(answerable),
        *(shown(answerable, weights) for weights in [*fits, alone]),
        np.array([question.answers.any() for question in answerable]),
        np.array(above or [np.nan]),
    ]
    return f"{name:22}{len(answerable):10}" + "".join(f"{column.mean():10.3f}" for column in columns)


def difference(name: str, without: np.ndarray, with_reader: np.ndarray) -> str:
    """How many more questions are shown everything with the reader, and the interval of their share."""
    each = with_reader.astype(float) - without
    reach = 1.96 * each.std(ddof=1) / len(each) ** 0.5
    return f"less {name}: {each.mean():+.3f}, from {each.mean() - reach:+.3f} to {each.mean() + reach:+.3f}; \
{int((each > 0).sum())} won, {int((each < 0).sum())} lost of {len(each)}"


def with_score(questions: list[Asked], among: int, factor: float) -> np.ndarray:
    """For each question whether the passage shows everything that is best by the program's score and the reader's.

    Args:
        questions: Those that were read.
        among: 0 for the passages of three sections, 1 for those of ten.
        factor: What the reader's score counts.
    """
    each = [question.added[among] for question in questions]
    return np.array([bool(len(it) and it[np.argmax(it[:, 0] + factor * it[:, 1]), 2]) for it in each])


def print_added(fitted_to: list[Asked], tried: list[Asked]) -> None:
    """Print what the program's own score shows with the reader's beside it, with the factor that fits best."""
    for among, sections in enumerate((SECTIONS, 10)):
        factor = max(FACTORS, key=lambda it: with_score(fitted_to, among, it).mean())
        shares = with_score(tried, among, factor)
        print(f"added among {sections} sections, counting {factor}: {shares.mean():.3f} shown")
        print(difference("unread", unread(tried), shares))


def load(trained: Path) -> Reader:
    """The reader with the weights of a training, not to be trained on."""
    masters = torch.load(trained / "reader.pt", weights_only=False)
    words = len(masters["map.weight"]) if "map.weight" in masters else 0
    layers = sum(name.endswith("query.weight") for name in masters)
    # A cross-encoder has no scales of the two similarities with which the other readers begin.
    reader = Reader(layers, words, is_one_text=not words and "scales" not in masters)
    reader.take_weights(masters)
    reader.together.eval()
    return reader


def main() -> None:
    """Read, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("trained", type=Path)
    parser.add_argument("sites", nargs="+")
    parser.add_argument("--fitted-to", nargs="+", required=True)
    parser.add_argument("--read", nargs="+", type=int, default=[MAX_READ], metavar="N")
    options = parser.parse_args()
    torch.set_num_threads(1)
    reader = load(options.trained)
    read: dict[str, list[Asked]] = {}
    for site in (*options.fitted_to, *options.sites):
        lines = (options.examples / f"{site}.jsonl").open(encoding="utf-8")
        read[site] = [read_question(reader, json.loads(line), max(options.read)) for line in lines]
        print(f"{site}: read", file=sys.stderr, flush=True)
    for most in options.read:
        print(f"of {most} passages")
        first = {site: [question.first(most) for question in questions] for site, questions in read.items()}
        print_tried(first, options.fitted_to, options.sites)


def print_tried(read: dict[str, list[Asked]], fitted_sites: list[str], tried_sites: list[str]) -> None:
    """Fit to some sites, and print what came of it on others."""
    fitted_to = [question for site in fitted_sites for question in read[site] if question.is_answerable]
    columns = list(range(1 + len(SIGNALS)))
    fits = [fit(fitted_to, columns[1:]), fit(fitted_to, columns)]
    print("weights:", *(f"{name} {weight:.2f}" for name, weight in zip(("read", *SIGNALS), fits[1], strict=True)))
    tried = [question for site in tried_sites for question in read[site]]
    print_figures(read, tried, fits)
    print_added(fitted_to, [question for question in tried if question.is_answerable])


def print_figures(read: dict[str, list[Asked]], tried: list[Asked], fits: list[np.ndarray]) -> None:
    """Print the lines of sites, of kinds and of all that was tried, and the differences."""
    names = ("questions", "unread", "fitted", "both", "reader", "possible", "auroc")
    print(f"{'':22}" + "".join(f"{name:>10}" for name in names))
    kinds = sorted({question.kind for question in tried if question.is_answerable})
    of_kinds = {kind: [question for question in tried if question.kind == kind] for kind in kinds}
    for name, questions in {**read, **of_kinds, "all that are tried": tried}.items():
        print(line(name, questions, fits))
    answerable = [question for question in tried if question.is_answerable]
    print("both", difference("unread", unread(answerable), shown(answerable, fits[1])))
    print("both", difference("fitted", shown(answerable, fits[0]), shown(answerable, fits[1])))


if __name__ == "__main__":
    main()
