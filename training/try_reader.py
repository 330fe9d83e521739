"""Tries the reader on sites that it was not trained on, beside the choice without it.

    python training/try_reader.py EXAMPLES TRAINED NAME [NAME ...] --fitted-to NAME [NAME ...]

EXAMPLES is what `training/collect_examples.py` wrote, and TRAINED the folder that `training/train_reader.py` wrote. The
passages of ten sections that are best by the signals that cost nothing are read with the question. The weight of the
reader's score among these signals is fitted to the sites behind `--fitted-to`, as `scripts/fit_answers.py` fits it, and
so is the same without the score. For each site one line: the share of the questions whose first passage shows all that
is asked for, by the signals as they are in the program among three sections, by both fits, and by the best of the
passages that were read; then how often the reader's best score is higher for a question that the docs answer.

Not run by `make` or CI: it needs torch, see `scripts/make_model.py` for an environment.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from train_reader import UNREAD, Reader, before_reading, read_as

READ_MOST = 8
"""Passages that are read: what an answer has time for."""

SIGNALS = ("near", "nearest", "behind", "shared", "room")
SECTIONS = 3
STEPS, RATE, RIDGE = 1_500, 0.05, 0.1


@dataclass(frozen=True)
class Asked:
    """A question with the passages that were read, a row for each.

    `values` are the reader's score and the signals, `answers` whether it shows all that is asked for. `unread` says
    whether the one does that the program takes without reading.
    """

    is_answerable: bool
    values: np.ndarray
    answers: np.ndarray
    unread: bool


@torch.no_grad()
def read_question(reader: Reader, example: dict[str, Any]) -> Asked:
    """A question, read."""
    ordered = sorted(example["passages"], key=before_reading, reverse=True)
    near = next((passage["answers"] for passage in ordered if passage["section"] < SECTIONS), False)
    best = ordered[:READ_MOST]
    scores = reader.scores([example["question"]], [[read_as(passage) for passage in best]])[0].tolist() if best else []
    rows = [
        [score, *(passage["signals"][name] for name in SIGNALS)] for score, passage in zip(scores, best, strict=True)
    ]
    answers = np.array([passage["answers"] for passage in best], dtype=bool)
    return Asked(example["answerable"], np.array(rows).reshape(len(rows), 1 + len(SIGNALS)), answers, near)


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


def shown(questions: list[Asked], weights: np.ndarray) -> float:
    """The share of questions whose best passage shows everything."""
    return float(
        np.mean(
            [
                len(question.answers) > 0 and question.answers[np.argmax(question.values @ weights)]
                for question in questions
            ]
        )
    )


def figures(questions: list[Asked], fits: list[np.ndarray]) -> list[float]:
    """What stands in the line of a site."""
    answerable = [question for question in questions if question.is_answerable]
    best = [max(question.values[:, 0], default=-np.inf) for question in questions]
    above = [score > other for question, score in zip(questions, best, strict=True) if question.is_answerable
             for two, other in zip(questions, best, strict=True) if not two.is_answerable]  # fmt: skip
    return [
        float(np.mean([question.unread for question in answerable])),
        *(shown(answerable, weights) for weights in fits),
        float(np.mean([question.answers.any() for question in answerable])),
        float(np.mean(above)) if above else float("nan"),
    ]


def main() -> None:
    """Read, fit, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("trained", type=Path)
    parser.add_argument("sites", nargs="+")
    parser.add_argument("--fitted-to", nargs="+", required=True)
    options = parser.parse_args()
    reader = Reader()
    masters = torch.load(options.trained / "reader.pt", weights_only=False)
    with torch.no_grad():
        for name, weight in reader.masters.items():
            weight.copy_(masters[name])
    reader.take_weights()
    read: dict[str, list[Asked]] = {}
    for site in (*options.fitted_to, *options.sites):
        lines = (options.examples / f"{site}.jsonl").open(encoding="utf-8")
        read[site] = [read_question(reader, json.loads(line)) for line in lines]
        print(f"{site}: read", file=sys.stderr, flush=True)
    fitted_to = [question for site in options.fitted_to for question in read[site] if question.is_answerable]
    columns = list(range(1 + len(SIGNALS)))
    fits = [fit(fitted_to, columns[1:]), fit(fitted_to, columns)]
    print(
        "weights:", ", ".join(f"{name} {weight:.2f}" for name, weight in zip(("read", *SIGNALS), fits[1], strict=True))
    )
    print(f"{'':22}{'unread':>10}{'fitted':>10}{'reader':>10}{'possible':>10}{'auroc':>10}")
    for site, questions in read.items():
        print(f"{site:22}" + "".join(f"{figure:10.3f}" for figure in figures(questions, fits)))
    print(f"signals before reading, as in the program: {UNREAD}")


if __name__ == "__main__":
    main()
