"""Packs vectors of sections and of words for the widget, which compares a question with sections by them.

The vector of a question is the sum of those of its words. See docs/decisions/static-search.md.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.bundled_model import BUNDLED_NAME
from trueref_core.embedding.word_vectors import load_word_vectors
from trueref_core.text.word_forms import language_of
from trueref_server.corpus.words import STOP_WORDS, words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.records import Chunk

    DirectionVector = NDArray[np.float32] | NDArray[np.float64]
    """A vector with one number for each dimension of the vectors of words, or for the first half of them."""


LEVELS: Final = 7
"""The largest number of a packed vector, which has four bits for each."""

ZERO: Final = 8
"""What stands for 0 in a packed vector, since four bits hold no sign."""

EMBEDDED: Final = 0.6
"""How much the embedder's vector of a section counts beside the sum over its words, where the index has vectors of the
embedder that the words are fitted to: both together find more than either (docs/decisions/static-search.md)."""

HALF_FROM: Final = 6_000
"""The number of sections from which the widget loads half the dimensions of each, so that a first question stays
small."""

NONE_FROM: Final = 12_000
"""The number of sections from which the widget compares by words alone."""

LANGUAGES: Final = ("", "en")
"""The languages that the words were fitted to; "" for pages that name none."""


def has_vectors(sections: Sequence[Sequence[Chunk]]) -> bool:
    """Whether the sections of a site get vectors: not if they are too many, or all in other languages."""
    readable = any(language_of(chunks[0].language) in LANGUAGES for chunks in sections)
    return readable and len(sections) < NONE_FROM


async def read_embedded(index: OpenIndex, sections: Sequence[Sequence[Chunk]]) -> Sequence[NDArray[np.float32]] | None:
    """The embedder's vectors of the chunks of each section, a row for each chunk.

    None if the index has no vectors of the embedder that the words are fitted to, or if the sections get no vectors.
    """
    import numpy as np

    if index.generation.embedder != BUNDLED_NAME or not has_vectors(sections):
        return None
    rows = [index.rows.row_of[chunk.id] for chunks in sections for chunk in chunks]
    return np.split(await index.vectors(rows), np.cumsum([len(chunks) for chunks in sections])[:-1])


class StaticVectors:
    """The vectors of one site. Without any where the site is too large, or in other languages.

    Args:
        sections: The chunks of each section of the site.
        embedded: What `read_embedded` gives for them.

    Raises:
        EmbedderError: The file of the vectors of words is missing or damaged.
    """

    def __init__(self, sections: Sequence[Sequence[Chunk]], embedded: Sequence[NDArray[np.float32]] | None) -> None:
        self._sections = sections
        self._embedded = embedded
        self._words = load_word_vectors() if has_vectors(sections) else None

    def of_sections(self, words_of: Iterable[Iterable[str]]) -> Iterator[str]:
        """The packed vector of each section.

        Args:
            words_of: The words of each section, of all its fields.
        """
        if self._words is None:
            return
        size = self._words.dimensions // (1 if len(self._sections) < HALF_FROM else 2)
        for number, section_words in enumerate(words_of):
            yield pack(self._of_section(number, section_words)[:size])

    def of_text(self, text: str) -> str:
        """The packed vector of a text: that of the sum over its words."""
        return "" if self._words is None else pack(self._sum(words(text)))

    def of_word(self, word: str) -> str:
        """The packed vector of a word, "" if it has none. It begins with a byte that says how much the word counts."""
        if self._words is None or not _is_compared(word):
            return ""
        vector = self._words.of_word(word)
        weight = float(abs(vector).max()) / self._words.largest
        return pack(vector, bytes([min(255, round(weight * 255))]))

    def common_words(self) -> Sequence[str]:
        """Words that questions have, whether the site has them or not."""
        return () if self._words is None else self._words.common_words

    def _sum(self, all_words: Iterable[str]) -> NDArray[np.float32]:
        """The sum of the vectors of the words that are compared."""
        import numpy as np

        assert self._words is not None
        total: NDArray[np.float32] = np.zeros(self._words.dimensions, dtype=np.float32)
        for word in all_words:
            if _is_compared(word):
                total += self._words.of_word(word)
        return total

    def _of_section(self, number: int, section_words: Iterable[str]) -> DirectionVector:
        """The direction of a section: of its words, and of what the embedder made of its chunks."""
        import numpy as np

        assert self._words is not None
        if language_of(self._sections[number][0].language) not in LANGUAGES:
            return np.zeros(self._words.dimensions, dtype=np.float32)
        total = self._sum(section_words)
        if self._embedded is None:
            return total
        # In 64 bits: see `WordVectors.project`.
        embedded = _units(self._words.project(self._embedded[number])).mean(axis=0)
        return EMBEDDED * _units(embedded) + (1 - EMBEDDED) * _units(total.astype(np.float64))


def _is_compared(word: str) -> bool:
    """Whether a word has a vector: no stop word has, and no word in another script.

    Themes call pages English that are in another language. Of a word in Chinese the embedder knows single characters,
    and many sections in Chinese are near each other by these.
    """
    return word.isascii() and word not in STOP_WORDS


def _units(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Vectors at length 1. A vector without a direction stays as it is."""
    import numpy as np

    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    units: NDArray[np.float64] = vectors / np.where(lengths > 0, lengths, 1)
    return units


def pack(vector: DirectionVector, head: bytes = b"") -> str:
    """A vector as the widget reads it: a whole number from -7 to 7 for each of its numbers, two of them in a byte.

    The first number of two is in the upper four bits, and each is stored with `ZERO` added to it. The length of the
    vector is not kept.

    Args:
        vector: An even number of finite numbers.
        head: Bytes that come before those of the numbers.

    Returns:
        The bytes in base64, without the signs `=` at its end.
    """
    import numpy as np

    largest = float(np.abs(vector).max()) or 1.0
    numbers = np.round(vector / largest * LEVELS + ZERO).astype(np.uint8)
    return base64.b64encode(head + (numbers[0::2] * 16 + numbers[1::2]).tobytes()).decode().rstrip("=")
