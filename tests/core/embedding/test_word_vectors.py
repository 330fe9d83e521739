"""The vectors of words point where the embedder's own vectors of questions point."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from trueref_core.embedding import bundled_model
from trueref_core.embedding.embedder import load_embedder
from trueref_core.embedding.word_vectors import WordVectors, load_word_vectors
from trueref_core.errors import EmbedderError

if TYPE_CHECKING:
    from numpy.typing import NDArray

QUESTIONS = (
    "remove a package that was installed earlier",
    "speed up the tests by running them in parallel",
    "password must not stand in the configuration file",
    "colour of the header in dark mode",
)
"""Questions that nothing was trained on, without stop words that would count."""


@pytest.fixture(scope="module")
def vectors() -> WordVectors:
    return load_word_vectors()


def sum_of(vectors: WordVectors, text: str) -> NDArray[np.float32]:
    total: NDArray[np.float32] = np.sum([vectors.of_word(word) for word in text.split()], axis=0)
    return total


def test_the_sum_of_the_words_is_near_the_vector_of_the_question(vectors: WordVectors) -> None:
    """Each sum is nearer to the embedder's vector of its own question than to that of any other."""
    embedder = load_embedder("bundled", for_questions=True)
    assert embedder is not None
    embedded = vectors.project(np.array(list(embedder.embed(QUESTIONS))))
    sums = np.array([sum_of(vectors, question) for question in QUESTIONS])
    cosines = (sums / np.linalg.norm(sums, axis=1)[:, None]) @ (embedded / np.linalg.norm(embedded, axis=1)[:, None]).T
    assert list(cosines.argmax(axis=1)) == [0, 1, 2, 3]
    assert cosines.diagonal().min() > 0.6


def test_a_word_of_several_wordpieces_has_the_sum_of_their_vectors(vectors: WordVectors) -> None:
    """The vocabulary has neither word. `--` is divided into two wordpieces that stand alone, too."""
    assert np.allclose(vectors.of_word("--"), 2 * vectors.of_word("-"), atol=1e-5)
    assert vectors.of_word("mkdocs").any()


@pytest.mark.parametrize("word", ["", "größe", "颜色", "x" * 500, "0"])
def test_any_text_has_a_finite_vector(vectors: WordVectors, word: str) -> None:
    assert np.isfinite(vectors.of_word(word)).all()


def test_common_words_are_words_of_questions(vectors: WordVectors) -> None:
    words = set(vectors.common_words)
    assert {"remove", "delete", "password", "faster"} <= words
    assert 3_000 < len(words) < 10_000
    assert all(word.isascii() and word.isalpha() for word in words)


def test_a_damaged_file_is_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    monkeypatch.setattr(bundled_model, "BUNDLED_FOLDER", folder)
    with pytest.raises(EmbedderError, match=r"lacks word_vectors\.npz\.gz\. Install trueref again\."):
        bundled_model.read_word_vectors()
    whole = (Path(bundled_model.__file__).parents[1] / "models" / "MiniLM-L6-docs" / "word_vectors.npz.gz").read_bytes()
    (folder / "word_vectors.npz.gz").write_bytes(whole[:-100])
    with pytest.raises(EmbedderError, match=r"word_vectors\.npz\.gz is damaged\. Install trueref again\."):
        bundled_model.read_word_vectors()
