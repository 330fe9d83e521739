"""Makes the vectors of words by which a site without a server is searched, and by which parts of cards are marked.

    python training/make_word_vectors.py OUT [--dimensions 48] [--steps 400] [--seed 1]

OUT is the file that is shipped as `word_vectors.npz.gz` beside the embedder. The command prints the digest that belongs
into `bundled_model.py` and the README beside the file. For each wordpiece of the embedder's vocabulary the file has a
vector. The sum of the vectors of a question's wordpieces points where the embedder's own vector of the question
points, as far as that can be told without the order of the words. So a browser needs no model. The file also lists the
words that several questions have.

Training begins with the embedder's vectors of the single wordpieces, and lowers one minus the cosine between the sum
and the embedder's vector, over the questions to the sites that are not left out (see `examples.py`). Then the vectors
are projected on the main directions of what the embedder makes of the questions and of the spans that answer them. The
browser leaves stop words out of the sum. They are trained all the same, so that the other words need not make up for
them. Runs in the environment of `make setup`, in some ten minutes of two cores, most of them to embed the texts.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import io
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec
import numpy as np

from examples import LEFT_OUT, QUESTIONS
from trueref_core.embedding.bundled_model import read_tokenizer
from trueref_core.embedding.embedder import load_embedder
from trueref_server.corpus.words import STOP_WORDS, words

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    Matrix = NDArray[np.float32]

BATCH: Final = 512
HELD_OUT: Final = 600
"""How many questions are only measured on."""

SHARED: Final = 2
"""How many questions a word is to have that is listed: names of single projects are left out."""

LONGEST: Final = 32
"""Wordpieces of a question that are read."""

RATE: Final = 0.005
BEGINNING: Final = 0.3
"""The factor of the embedder's vectors of single wordpieces at the beginning: short rows turn faster."""

DECAY: Final = (0.9, 0.999)
"""The decay rates of Adam. Source: Kingma and Ba, Adam, 2015."""

REPORTED_EVERY: Final = 100


def questions_and_answers() -> tuple[list[str], list[str]]:
    """The questions to the sites that are trained on, and the spans that answer them."""
    questions: dict[str, None] = {}
    spans: dict[str, None] = {}
    for file in sorted(QUESTIONS.rglob("*.jsonl")):
        if file.stem in LEFT_OUT:
            continue
        for line in file.read_bytes().splitlines():
            case: dict[str, Any] = msgspec.json.decode(line)
            questions.setdefault(case["question"])
            spans.update((alternatives[0], None) for alternatives in case.get("nuggets", ()) if alternatives)
    return list(questions), list(spans)


def words_of(questions: Iterable[str]) -> list[str]:
    """The words that at least `SHARED` questions have, in the order of the alphabet, without stop words."""
    counts = Counter(word for question in questions for word in set(words(question)))
    telling = (word for word, count in counts.items() if count >= SHARED and word not in STOP_WORDS)
    return sorted(word for word in telling if word.isascii() and word.isalpha())


def embed(texts: Iterable[str]) -> Matrix:
    """The embedder's vectors of texts, a row each."""
    embedder = load_embedder("bundled", for_questions=True)
    if embedder is None:
        raise SystemExit("The bundled embedder is needed.")
    return np.array(list(embedder.embed(texts)), dtype=np.float32)


def main_directions(vectors: Matrix, dimensions: int) -> Matrix:
    """The directions in which vectors lie most, the first the most, a row each."""
    directions, _, _ = np.linalg.svd(vectors.T @ vectors)
    return np.ascontiguousarray(directions[:, :dimensions].T)


def wordpieces_of(tokenizer: Tokenizer, questions: Sequence[str]) -> NDArray[np.int32]:
    """The ids of the wordpieces of each question, filled up with 0."""
    encodings = tokenizer.encode_batch(questions, add_special_tokens=False)
    rows = [encoding.ids[:LONGEST] for encoding in encodings]
    return np.array([ids + [0] * (LONGEST - len(ids)) for ids in rows], dtype=np.int32)


def cosines(table: Matrix, ids: NDArray[np.int32], targets: Matrix) -> Matrix:
    """The cosine between each question's sum and its target."""
    sums = (table[ids] * (ids > 0)[..., None]).sum(axis=1)
    shared: Matrix = (sums * targets).sum(axis=1) / (np.linalg.norm(sums, axis=1) + 1e-6)
    return shared


def gradient_of(table: Matrix, ids: NDArray[np.int32], targets: Matrix) -> Matrix:
    """How the mean of one minus the cosine changes with each number of the table."""
    sums = (table[ids] * (ids > 0)[..., None]).sum(axis=1)
    lengths = np.linalg.norm(sums, axis=1, keepdims=True) + 1e-6
    units = sums / lengths
    by_sum = -(targets - (units * targets).sum(axis=1, keepdims=True) * units) / lengths / len(ids)
    gradient = np.zeros_like(table)
    np.add.at(gradient, ids, np.repeat(by_sum[:, None], ids.shape[1], axis=1))
    gradient[0] = 0
    return gradient


def train(table: Matrix, ids: NDArray[np.int32], targets: Matrix, steps: int, seed: int) -> Matrix:
    """Trains the table by Adam, with a rate that falls to nothing along a cosine."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(ids))
    held_out, trained = order[:HELD_OUT], order[HELD_OUT:]
    mean, square = np.zeros_like(table), np.zeros_like(table)
    for step in range(1, steps + 1):
        batch = rng.choice(trained, BATCH)
        gradient = gradient_of(table, ids[batch], targets[batch])
        mean += (1 - DECAY[0]) * (gradient - mean)
        square += (1 - DECAY[1]) * (gradient * gradient - square)
        rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
        table -= rate * (mean / (1 - DECAY[0] ** step)) / (np.sqrt(square / (1 - DECAY[1] ** step)) + 1e-8)
        if step % REPORTED_EVERY == 0:
            cosine = cosines(table, ids[held_out], targets[held_out]).mean()
            print(f"Step {step}: cosine {cosine:.3f} held out", flush=True)
    return table


def quantized(table: Matrix) -> tuple[NDArray[np.int8], NDArray[np.float16]]:
    """The rows of a table as whole numbers from -127 to 127, and for each row the number to multiply it by."""
    scales = np.abs(table).max(axis=1, keepdims=True) / 127 + 1e-9
    return np.round(table / scales).astype(np.int8), scales[:, 0].astype(np.float16)


def npz_of(
    rows: NDArray[np.int8], scales: NDArray[np.float16], projection: NDArray[np.float16], common_words: Sequence[str]
) -> bytes:
    """What `WordVectors` is made of as a file of numpy. It is not compressed, since gzip packs all of it together."""
    file = io.BytesIO()
    np.savez(file, rows=rows, scales=scales, projection=projection, words=np.array(common_words))
    return file.getvalue()


def write_packed(out: Path, data: bytes) -> str:
    """Writes bytes packed with gzip, the same for the same bytes. Returns the SHA-256 of what was packed."""
    out.write_bytes(gzip.compress(data, mtime=0))
    return hashlib.sha256(data).hexdigest()


def _parsed_arguments() -> argparse.Namespace:
    """The arguments of the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the file to write")
    parser.add_argument("--dimensions", type=int, default=48, help="numbers of a vector, a multiple of 4")
    parser.add_argument("--steps", type=int, default=400, help=f"batches of {BATCH} questions to train with")
    parser.add_argument("--seed", type=int, default=1, help="what chance begins with")
    arguments = parser.parse_args()
    # Two numbers are packed into a byte, and large sites have half of the numbers.
    if arguments.dimensions < 4 or arguments.dimensions % 4:
        parser.error(f"{arguments.dimensions} is not a multiple of 4, which --dimensions has to be")
    return arguments


def main() -> None:
    """Runs the command."""
    arguments = _parsed_arguments()
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(read_tokenizer().decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    questions, spans = questions_and_answers()
    print(f"{len(questions)} questions, {len(spans)} spans, seed {arguments.seed}", flush=True)
    vectors = embed(questions)
    projection = main_directions(np.vstack([vectors, embed(spans)]), arguments.dimensions)
    by_id = {i: word.removeprefix("##") for word, i in tokenizer.get_vocab().items() if not word.startswith("[")}
    table = np.zeros((tokenizer.get_vocab_size(), vectors.shape[1]), dtype=np.float32)
    table[list(by_id)] = BEGINNING * embed(by_id.values())
    table = train(table, wordpieces_of(tokenizer, questions), vectors, arguments.steps, arguments.seed) @ projection.T
    data = npz_of(*quantized(table), projection.astype(np.float16), words_of(questions))
    print(f"SHA-256, unpacked: {write_packed(arguments.out, data)}")


if __name__ == "__main__":
    main()
