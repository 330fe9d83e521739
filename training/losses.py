"""What the embedder is trained for: the losses of a step on questions, on pairs, and on the order of sections.

Needs torch, see `scripts/make_model.py` for an environment.
"""

from __future__ import annotations

import random
from typing import Final

import torch
from torch.nn import functional

from embedder_model import Read, Reader
from training_data import VECTOR_WEIGHT, RankedQuestion, Trained, ranked_texts

WRONG = 3
"""How many passages that do not answer are read for each question."""

QUESTION_TOKENS = 64
"""How many wordpieces of a question are read."""
TEXT_TOKENS = 128
"""How many wordpieces of a text are read. Nine of ten passages have no more, and the longest text decides the time."""
CHUNK_TOKENS = 160
"""The same where chunks are compared. They are longer than passages, since they have their titles before them."""

PAIR_TOKENS = 96
"""How many wordpieces of a text of a pair are read."""

COSINE_SCALE = 20.0
"""The factor of cosines of whole texts before the softmax, as in the first training of the model."""

SCORE_SCALE: Final = 20.0
"""The factor of the scores of sections before the softmax, as the weights of ranking were fitted with."""


def texts_of(example: Trained, rng: random.Random) -> list[str]:
    """The texts of a question in a step: a passage that answers, passages that do not, and a chunk that answers."""
    near = min(len(example.wrong_near), rng.choice([WRONG // 2, (WRONG + 1) // 2]))
    # Passages of the sections that were found first are the hardest to distinguish from one that answers.
    chances = [1 / (3 + at) for at in range(len(example.wrong))]
    wrong = rng.sample(example.wrong_near, near) + rng.choices(example.wrong, chances, k=WRONG - near)
    return [rng.choice(example.right), *wrong, rng.choice(example.right_chunks)]


def loss_of(reader: Reader, batch: list[Trained], rng: random.Random, scale: torch.Tensor) -> torch.Tensor:
    """The loss of a step. `scale` is the logarithm of the factor for late interaction."""
    groups = [texts_of(example, rng) for example in batch]
    texts = [text for group in groups for text in group]
    width = WRONG + 2
    right_passages = torch.arange(len(batch)) * width
    right_chunks = right_passages + width - 1
    questions = reader.read([example.question for example in batch], QUESTION_TOKENS)
    read = reader.read_sorted(texts, TEXT_TOKENS)
    also_right = torch.tensor([[text in example.also_right for text in texts] for example in batch])
    cosines = questions.whole @ read.whole.T * COSINE_SCALE
    loss = _softmax(cosines, also_right, right_chunks) + 0.5 * _softmax(cosines, also_right, right_passages)
    passages = torch.tensor([at for at in range(len(texts)) if at % width != width - 1])
    late_scores = _late_scores(questions, read.words[passages], read.real[passages])
    return loss + _softmax(late_scores * scale.exp(), also_right[:, passages], torch.arange(len(batch)) * (width - 1))


def ranking_loss_of(
    reader: Reader, batch: list[RankedQuestion], rng: random.Random, scale: torch.Tensor
) -> torch.Tensor:
    """The loss of a step that trains the order of sections.

    The first of three softmax losses is over the sections of a question: the score that the other signals give a
    section, and what its cosine adds. So the model learns what these signals miss. The other two, by cosine and by late
    interaction over all texts of the step, keep what it learned before.
    """
    groups = [ranked_texts(question, rng) for question in batch]
    texts = list(dict.fromkeys(section.text for group in groups for section in group))
    at = torch.tensor([[texts.index(section.text) for section in group] for group in groups])
    others = torch.tensor([[section.score for section in group] for group in groups])
    questions = reader.read([question.question for question in batch], QUESTION_TOKENS)
    read = reader.read_sorted(texts, CHUNK_TOKENS)
    cosines = questions.whole @ read.whole.T
    scores = (others + VECTOR_WEIGHT * cosines.gather(1, at)) * SCORE_SCALE
    loss = functional.cross_entropy(scores, torch.zeros(len(batch), dtype=torch.long))
    right_texts = [{section.text for section in question.right} for question in batch]
    also_right = torch.tensor([[text in right for text in texts] for right in right_texts])
    late_scores = _late_scores(questions, read.words, read.real)
    loss = loss + 0.5 * _softmax(cosines * COSINE_SCALE, also_right, at[:, 0])
    return loss + 0.3 * _softmax(late_scores * scale.exp(), also_right, at[:, 0])


def pairs_loss_of(reader: Reader, batch: list[tuple[str, str]]) -> torch.Tensor:
    """The loss of a step of pairs. A text in two pairs is right for both, so it is not a wrong answer for either."""
    firsts, seconds = [pair[0] for pair in batch], [pair[1] for pair in batch]
    questions = reader.read_sorted(firsts, QUESTION_TOKENS).whole
    answers = reader.read_sorted(seconds, PAIR_TOKENS).whole
    also_right = torch.tensor(
        [[first == question or second == answer for question, answer in batch] for first, second in batch]
    )
    return _softmax(questions @ answers.T * COSINE_SCALE, also_right, torch.arange(len(batch)))


def _late_scores(questions: Read, words: torch.Tensor, real: torch.Tensor) -> torch.Tensor:
    """For each question and text, the mean cosine of a wordpiece of the question to its nearest one in the text.

    Args:
        questions: The questions.
        words: The vectors of the texts' wordpieces: `Read.words`.
        real: Which of them are wordpieces of the text: `Read.real`.
    """
    cosines = torch.einsum("qad,pbd->qpab", questions.words, words)
    nearest = cosines.masked_fill(real[None, :, None, :] == 0, -1.0).amax(-1)
    return (nearest * questions.real[:, None, :]).sum(-1) / questions.real.sum(-1)[:, None]


def _softmax(scores: torch.Tensor, also_right: torch.Tensor, right: torch.Tensor) -> torch.Tensor:
    """The cross entropy in which the text `right` should win. Other texts that are also right do not count."""
    rows = torch.arange(len(right))
    ignored = also_right.clone()
    ignored[rows, right] = False
    return functional.cross_entropy(scores.masked_fill(ignored, -1e4), right)
