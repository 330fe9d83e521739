"""How the vectors of words are trained, and that the command writes the file in the form of the one that is shipped."""

from __future__ import annotations

import gzip
import hashlib
import io
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))

from make_word_vectors import cosines, gradient_of, main_directions, npz_of, quantized, train, words_of, write_packed
from trueref_core.embedding.bundled_model import WORD_VECTORS_SHA256, read_word_vectors

if TYPE_CHECKING:
    from numpy.typing import NDArray

TRAINING = Path(__file__).parents[2] / "training"
WORDS, DIMENSIONS = 12, 6


def toy(questions: int = 700) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """A table of vectors, questions of up to five wordpieces, and targets that are sums of other vectors of length 1."""
    rng = np.random.default_rng(1)
    table = rng.normal(size=(WORDS, DIMENSIONS)).astype(np.float32)
    ids = rng.integers(1, WORDS, (questions, 5)).astype(np.int32)
    ids[:, 3:] *= rng.integers(0, 2, (questions, 2)).astype(np.int32)
    targets = (rng.normal(size=(WORDS, DIMENSIONS))[ids] * (ids > 0)[..., None]).sum(axis=1)
    return table, ids, (targets / np.linalg.norm(targets, axis=1, keepdims=True)).astype(np.float32)


def test_the_gradient_is_that_of_the_mean_of_one_minus_the_cosine() -> None:
    table, ids, targets = toy(20)
    table, targets = table.astype(np.float64), targets.astype(np.float64)
    gradient = gradient_of(table, ids, targets)
    for at in [(1, 0), (5, 3), (WORDS - 1, DIMENSIONS - 1)]:
        moved = [table.copy(), table.copy()]
        moved[0][at] += 1e-5
        moved[1][at] -= 1e-5
        higher, lower = (1 - cosines(values, ids, targets).mean() for values in moved)
        assert (higher - lower) / 2e-5 == pytest.approx(gradient[at], rel=1e-3, abs=1e-7)
    assert not gradient[0].any(), "what fills up a question is not trained"


def test_training_turns_the_sums_towards_their_targets() -> None:
    table, ids, targets = toy()
    before = cosines(table, ids, targets).mean()
    after = cosines(train(table.copy(), ids, targets, steps=300, seed=1), ids, targets).mean()
    assert after > before + 0.3


def test_the_main_directions_are_orthogonal_and_the_first_has_the_most() -> None:
    vectors = np.random.default_rng(1).normal(size=(200, 5)).astype(np.float32) * [9, 1, 4, 1, 1]
    directions = main_directions(vectors.astype(np.float32), 2)
    assert np.allclose(directions @ directions.T, np.eye(2), atol=1e-5)
    assert list(abs(directions).argmax(axis=1)) == [0, 2]


def test_common_words_are_those_of_several_questions() -> None:
    assert words_of(["Remove the 颜色 of v2", "remove 3 files", "rename the 颜色 of v2"]) == ["remove"]


def test_rounded_numbers_are_within_half_a_step() -> None:
    table = np.random.default_rng(1).normal(size=(50, 48)).astype(np.float32)
    table[7] = 0
    rows, scales = quantized(table)
    assert abs(rows * scales.astype(np.float32)[:, None] - table).max() < abs(table).max() / 127
    assert not rows[7].any()


def test_the_file_has_the_form_of_the_one_that_is_shipped(tmp_path: Path) -> None:
    """The same arrays give the same bytes, which the digest in the program is that of."""
    with np.load(io.BytesIO(read_word_vectors())) as file:
        data = npz_of(file["rows"], file["scales"], file["projection"], list(file["words"]))
    out = tmp_path / "word_vectors.npz.gz"
    assert write_packed(out, data) == WORD_VECTORS_SHA256
    assert hashlib.sha256(gzip.decompress(out.read_bytes())).hexdigest() == WORD_VECTORS_SHA256
    write_packed(tmp_path / "again", data)
    assert (tmp_path / "again").read_bytes() == out.read_bytes()


def test_dimensions_that_cannot_be_packed_are_refused() -> None:
    command = [sys.executable, str(TRAINING / "make_word_vectors.py"), "out", "--dimensions", "50"]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "50 is not a multiple of 4" in done.stderr
