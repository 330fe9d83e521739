"""The training data of the embedder: questions with texts that answer them and texts that do not, and pairs."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BATCH = 12
"""How many questions a step has."""


@dataclass(frozen=True)
class Trained:
    """A question with its texts for training.

    Attributes:
        site: The site of the question.
        question: The question as it is embedded.
        right: The passages that answer; if there are none, the chunks that do.
        right_chunks: The chunks that answer; if there are none, the passages that do.
        wrong_near: The passages of sections that answer, which do not answer themselves.
        wrong: The passages of other sections, which do not answer.
        also_right: All texts that must not count as wrong.
    """

    site: str
    question: str
    right: list[str]
    right_chunks: list[str]
    wrong_near: list[str]
    wrong: list[str]
    also_right: frozenset[str]


def read_examples(folder: Path, left_out: frozenset[str], share: float, seed: int) -> list[Trained]:
    """The examples of all sites except those left out. Questions without an answering or a wrong text are left out too.

    A share of the questions of every site is drawn. With the same seed, a smaller share is part of a larger one.
    """
    examples = []
    for path in sorted(folder.rglob("*.jsonl")):
        if path.stem in left_out:
            continue
        read = [_trained(path.stem, json.loads(line)) for line in path.read_text("utf-8").splitlines()]
        usable = [trained for trained in read if trained.right and trained.wrong]
        if share < 1:
            random.Random(f"{seed} {path.stem}").shuffle(usable)  # noqa: S311 - nothing secret
        examples += usable[: round(share * len(usable))]
    return examples


def read_pairs(file: Path) -> list[tuple[str, str]]:
    """The pairs of a file: a text in the role of a question, and a text in the role of its answer."""
    rows = map(json.loads, file.read_text("utf-8").splitlines())
    return [(row["question"], row["answer"]) for row in rows]


def _trained(site: str, example: dict[str, Any]) -> Trained:
    """The texts of an example, sorted by what a model should learn from them."""
    passages, chunks = example["passages"], example["chunks"]
    right_chunks = [text["text"] for text in chunks if text["answers"]]
    right = [text["text"] for text in passages if text["answers"]] or right_chunks
    of_gold = [text["text"] for text in chunks if text["gold"]]
    return Trained(
        site,
        example["question"],
        right,
        right_chunks or right,
        [text["text"] for text in passages if text["gold"] and not text["answers"]],
        [text["text"] for text in passages if not text["gold"] and not text["answers"]][:40],
        frozenset([*right, *right_chunks, *of_gold]),
    )


def draw(examples: list[Trained], sites: int, rng: random.Random) -> list[Trained]:
    """Draws the questions of a step. The probability of a site is in proportion to its questions."""
    if not sites:
        return rng.sample(examples, BATCH)
    drawn: list[Trained] = []
    per_site = BATCH // sites
    while len(drawn) < BATCH:
        site = rng.choice(examples).site
        others_of_site = [example for example in examples if example.site == site and example not in drawn]
        drawn += rng.sample(others_of_site, min(per_site, len(others_of_site), BATCH - len(drawn)))
    return drawn
