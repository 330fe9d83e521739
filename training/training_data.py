"""The training data of the embedder: questions with texts that answer them and texts that do not, and pairs."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

BATCH = 12
"""How many questions a step has."""

VECTOR_WEIGHT: Final = 0.44
"""What a cosine adds to a section's score: the weights of `vector`, `nearest_two` and `parts` in `ranking.rank`."""

FOUND_WRONG: Final = 5
"""How many sections that do not answer are read for each question, in training on the order of sections."""
RIGHT_SECTIONS: Final = 3
WRONG_SECTIONS: Final = 40
"""How many of the best sections that answer, and of those that do not, are drawn from."""


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


@dataclass(frozen=True)
class RankedText:
    """The nearest chunk of a section that was found, or one that answers.

    `score` is what ranking gives the section, less what its signals of vectors add.
    """

    text: str
    score: float


@dataclass(frozen=True)
class RankedQuestion:
    """A question with sections that were found for it, those that are marked as answering and others, best first."""

    site: str
    question: str
    right: list[RankedText]
    wrong: list[RankedText]


Drawn = TypeVar("Drawn", Trained, RankedQuestion)


def read_examples(folder: Path, left_out: frozenset[str], share: float, seed: int) -> list[Trained]:
    """The examples of all sites except those left out. Questions without an answering or a wrong text are left out too.

    A share of the questions of every site is drawn. With the same seed, a smaller share is part of a larger one.
    """
    examples: list[Trained] = []
    for path, lines in _site_files(folder, left_out):
        read = [_trained(path.stem, line) for line in lines]
        examples += _share_of([trained for trained in read if trained.right and trained.wrong], path, share, seed)
    return examples


def read_ranked(folder: Path, left_out: frozenset[str], share: float, seed: int) -> list[RankedQuestion]:
    """The questions of all sites except those left out, with the sections that were found for them.

    Questions for which no section that answers was found, or too few that do not, are left out too.
    """
    questions: list[RankedQuestion] = []
    for path, lines in _site_files(folder, left_out):
        read = [_ranked(path.stem, line) for line in lines]
        usable = [ranked for ranked in read if ranked.right and len(ranked.wrong) >= FOUND_WRONG]
        questions += _share_of(usable, path, share, seed)
    return questions


def _site_files(folder: Path, left_out: frozenset[str]) -> Iterator[tuple[Path, Iterator[dict[str, Any]]]]:
    """Each file of examples with its lines. The name of a file is that of its site."""
    for path in sorted(folder.rglob("*.jsonl")):
        if path.stem not in left_out:
            with path.open(encoding="utf-8") as lines:
                yield path, map(json.loads, lines)


def _share_of(usable: list[Drawn], path: Path, share: float, seed: int) -> list[Drawn]:
    if share < 1:
        random.Random(f"{seed} {path.stem}").shuffle(usable)  # noqa: S311 - nothing secret
    return usable[: round(share * len(usable))]


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


def _ranked(site: str, example: dict[str, Any]) -> RankedQuestion:
    """A question with its best sections by what ranking gives them."""
    sections = sorted(example.get("ranked", []), key=lambda section: -section["score"])
    right: list[RankedText] = []
    wrong: list[RankedText] = []
    for section in sections:
        texts = right if section["gold"] else wrong
        texts.append(RankedText(section["text"], section["score_without_vectors"]))
    return RankedQuestion(site, example["question"], right[:RIGHT_SECTIONS], wrong[:WRONG_SECTIONS])


def ranked_texts(question: RankedQuestion, rng: random.Random) -> list[RankedText]:
    """The texts of a question in a step: one of a section that answers, and five of others, the first most often."""
    at = list(range(len(question.wrong)))
    drawn: list[int] = []
    while len(drawn) < FOUND_WRONG:
        left = [number for number in at if number not in drawn]
        drawn += rng.choices(left, [1 / (2 + number) for number in left])
    return [rng.choice(question.right), *(question.wrong[number] for number in drawn)]


def draw(examples: list[Drawn], sites: int, rng: random.Random) -> list[Drawn]:
    """Draws the questions of a step. The probability of a site is in proportion to its questions."""
    if not sites:
        return rng.sample(examples, BATCH)
    drawn: list[Drawn] = []
    per_site = BATCH // sites
    while len(drawn) < BATCH:
        site = rng.choice(examples).site
        others_of_site = [example for example in examples if example.site == site and example not in drawn]
        drawn += rng.sample(others_of_site, min(per_site, len(others_of_site), BATCH - len(drawn)))
    return drawn
