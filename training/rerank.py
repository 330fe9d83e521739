"""Measures how well weights of the embedder order the passages that were found for questions, without an index.

    python training/rerank.py EXAMPLES NAME[,NAME ...] WEIGHTS [WEIGHTS ...]

EXAMPLES is the folder that `training/collect_examples.py` wrote. For each named site it takes the first 20 questions
with both a passage that answers and one that does not among the first 15 that were found. The model orders these
passages by the cosine of whole texts and by late interaction, in single precision and as far as the trainer reads a
text. The script prints the share of questions for which a passage that answers comes first, and the mean reciprocal
rank of the first one that answers.

This does not replace `trueref eval`: the weights do not change which passages were found, and no other signal counts.
WEIGHTS is a folder of weights, or a packed ONNX file (`model.onnx.gz`), whose 8-bit weights are converted to single
precision. The tokenizer, and weights that the ONNX file does not have, come from the first folder among WEIGHTS.

Neither `make` nor CI runs this script, because it needs torch and transformers: see `scripts/make_model.py` for an
environment.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

import torch

from embedder_model import Reader
from losses import QUESTION_TOKENS, TEXT_TOKENS
from reader_model import weights_in_32_bits

QUESTIONS = 20
PASSAGES = 15
GROUP = 32
"""How many texts are read in one batch."""

QuestionPassages = tuple[str, list[str], list[bool]]
"""A question, the passages that were found for it, and whether each of them answers."""


def read_questions(file: Path) -> list[QuestionPassages]:
    """The first questions of a file, each with its passages and whether they answer."""
    questions: list[QuestionPassages] = []
    for line in file.read_text("utf-8").splitlines():
        example = json.loads(line)
        passages = example["passages"][:PASSAGES]
        answers = [passage["answers"] for passage in passages]
        if any(answers) and not all(answers):
            questions.append((example["question"], [passage["text"] for passage in passages], answers))
    return questions[:QUESTIONS]


def load(weights: Path, base: Path) -> Reader:
    """Loads the weights of a folder, or those of an ONNX file into the model of the folder `base`."""
    reader = Reader(base if weights.is_file() else weights)
    reader.model.float().eval()
    if weights.is_file():
        result = reader.model.load_state_dict(weights_in_32_bits(weights), strict=False)
        if any("pooler" not in name and "position_ids" not in name for name in result.missing_keys):
            raise SystemExit(f"{weights.name} lacks {result.missing_keys}")
    return reader


@torch.no_grad()
def ranks_of(reader: Reader, questions: Sequence[QuestionPassages]) -> tuple[list[int], list[int]]:
    """The rank, from 1, of the first passage that answers each question: by cosine, and by late interaction."""
    texts = sorted({text for _, passages, _ in questions for text in passages}, key=len)
    text_vectors, word_vectors = {}, {}
    for begin in range(0, len(texts), GROUP):
        group = texts[begin : begin + GROUP]
        read = reader.read(group, TEXT_TOKENS)
        for at, text in enumerate(group):
            text_vectors[text], word_vectors[text] = read.whole[at], read.words[at][read.real[at] > 0].half()
    by_cosine, by_late_interaction = [], []
    for question, passages, answers in questions:
        read = reader.read([question], QUESTION_TOKENS)
        question_words = read.words[0][read.real[0] > 0]
        cosines = [float(read.whole[0] @ text_vectors[text]) for text in passages]
        late_scores = [
            float((question_words @ word_vectors[text].float().T).amax(-1).mean()) if len(word_vectors[text]) else -1.0
            for text in passages
        ]
        by_cosine.append(_rank(cosines, answers))
        by_late_interaction.append(_rank(late_scores, answers))
    return by_cosine, by_late_interaction


def _rank(scores: Sequence[float], answers: Sequence[bool]) -> int:
    """The rank, from 1, of the best passage that answers."""
    best = max(score for score, right in zip(scores, answers, strict=True) if right)
    # A passage that does not answer and has the same score counts as being before it.
    return 1 + sum(score >= best for score, right in zip(scores, answers, strict=True) if not right)


def _top_and_reciprocal(ranks: Sequence[int]) -> tuple[float, float]:
    """The share of first ranks, and the mean reciprocal rank."""
    return sum(rank == 1 for rank in ranks) / len(ranks), sum(1 / rank for rank in ranks) / len(ranks)


def main() -> None:
    """Prints a line for each site and each of the weights, and the mean over the sites."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("names", metavar="NAME[,NAME ...]")
    parser.add_argument("weights", type=Path, nargs="+")
    options = parser.parse_args()
    folder, names, files = options.examples, options.names.split(","), options.weights
    folders = [file for file in files if file.is_dir()]
    readers = [load(file, folders[0]) for file in files]
    rows: dict[Path, list[list[float]]] = {file: [] for file in files}
    for name in names:
        questions = read_questions(folder / f"{name}.jsonl")
        for file, reader in zip(files, readers, strict=True):
            cosine, words = ranks_of(reader, questions)
            rows[file].append([*_top_and_reciprocal(cosine), *_top_and_reciprocal(words)])
            print(name, len(cosine), file, *(f"{value:.3f}" for value in rows[file][-1]), flush=True)
    for file, values in rows.items():
        print(
            "mean", len(names), file, *(f"{value:.3f}" for value in torch.tensor(values).mean(0).tolist()), flush=True
        )


if __name__ == "__main__":
    main()
