"""Vectors of words, by which a question is compared with texts without a model: in a browser, and for marks of cards.

The embedder's vector of a question is nearly the sum of these vectors over the question's words: see
docs/decisions/static-search.md. They have few dimensions, the main ones of the embedder's vectors.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.bundled_model import read_tokenizer, read_word_vectors
from trueref_core.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer


WORDS_KEPT: Final = 50_000
"""How many words are kept with their vectors, 15 MB at most: servers run for days and meet ever new words."""


class WordVectors:
    """The vectors of the embedder's wordpieces. The vector of a word is the sum over its wordpieces.

    Args:
        rows: The vectors of the wordpieces, in the order of the tokenizer's ids: a matrix with a row for each wordpiece
            and a column for each dimension.
        projection: A matrix with a row for each dimension of these vectors, and a column for each of the embedder's.
        common_words: Words that questions to documentation of software have, whatever the software.
        tokenizer: Divides a word into wordpieces. It is changed: it neither cuts nor fills up texts any more.
    """

    def __init__(
        self,
        rows: NDArray[np.float32],
        projection: NDArray[np.float32],
        common_words: Sequence[str],
        tokenizer: Tokenizer,
    ) -> None:
        self._rows = rows
        self._projection = projection
        self.common_words = tuple(common_words)
        self._tokenizer = tokenizer
        tokenizer.no_truncation()
        tokenizer.no_padding()
        self.of_word = lru_cache(WORDS_KEPT)(self._of_word)
        """Gives the vector of a word, `dimensions` numbers. Its length says how much the word counts in a sum."""
        self.largest = float(abs(rows).max())
        """The largest number of any row."""

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return len(self._projection)

    def _of_word(self, word: str) -> NDArray[np.float32]:
        """The sum of the vectors of a word's wordpieces. The array is read-only."""
        ids = self._tokenizer.encode(word, add_special_tokens=False).ids
        vector: NDArray[np.float32] = self._rows[ids].sum(axis=0)
        vector.flags.writeable = False
        return vector

    def project(self, vectors: NDArray[np.float32]) -> NDArray[np.float64]:
        """Vectors of the bundled embedder in the dimensions of the words: a row for each, a column for each dimension.

        In 64 bits, because the order in which numbers are added up depends on the machine: of 20,000 vectors that were
        added up in two ways in 32 bits, one was packed into other bytes.
        """
        import numpy as np

        # Not `@`: BLAS would start threads for a product of a few rows.
        projected: NDArray[np.float64] = np.einsum(
            "ij,kj->ik", vectors.astype(np.float64), self._projection.astype(np.float64)
        )
        return projected


@cache
def load_word_vectors() -> WordVectors:
    """The vectors that are part of the package, read once.

    Raises:
        EmbedderError: Their file, or that of the tokenizer, is missing or is not the one that was shipped.
    """
    import numpy as np
    from tokenizers import Tokenizer

    try:
        with np.load(io.BytesIO(read_word_vectors()), allow_pickle=False) as file:
            rows = file["rows"].astype(np.float32) * file["scales"].astype(np.float32)[:, None]
            projection = file["projection"].astype(np.float32)
            common_words = [str(word) for word in file["words"]]
    except (KeyError, ValueError) as error:
        raise EmbedderError("The vectors of words cannot be read. Install trueref again.") from error
    return WordVectors(rows, projection, common_words, Tokenizer.from_str(read_tokenizer().decode()))
