"""How similar the meaning of parts of a text is to a question, by vectors of words and without running a model.

The sum of the vectors of a question's words points nearly where the embedder's vector of the question does (see
`docs/decisions/static-search.md`), and a sentence is compared as if its sum did so too. So a part that has other words
than the question is found to mean the same, in microseconds (`docs/decisions/marks.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from trueref_core.embedding.word_vectors import load_word_vectors
from trueref_core.text.word_forms import MAX_CHARACTERS
from trueref_server.corpus.words import LONGEST_WORD, words
from trueref_server.ranking.late_interaction import can_compare

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def part_similarities(query: str, language: str, parts: Sequence[str]) -> list[float] | None:
    """How similar each part is to a question as a whole, from -1 to 1; None if they cannot be compared.

    The similarity is the cosine of two sums: that of the vectors of the question's words, and that of the part's. For a
    part with words of other scripts it is lower, by their share of its words: a sentence in Chinese with three English
    words would else be these three. The similarities of a part without words, and of any part to a question
    without words, are 0.

    Args:
        query: The question.
        language: The language of the parts.
        parts: Sentences, items, rows or lines.

    Raises:
        EmbedderError: The file with the vectors of words is missing or is not the one that was shipped.
    """
    if not can_compare(query, language):
        return None
    question = _direction(query)
    return [float(question.dot(_direction(part))) * _latin_share(part) for part in parts]


def _direction(text: str) -> NDArray[np.float32]:
    """The sum of the vectors of a text's words, of length 1; zeros for a text without words.

    Stop words count, unlike in a search without a server: without them as many marks are right.
    """
    import numpy as np

    vectors = load_word_vectors()
    total = np.zeros(vectors.dimensions, dtype=np.float32)
    # A line of code may be very long, and a very long word is data. Words of other scripts are near each other by their
    # single characters.
    for word in words(text[:MAX_CHARACTERS]):
        if word.isascii() and len(word) <= LONGEST_WORD:
            total += vectors.of_word(word)
    return total / max(float(np.linalg.norm(total)), 1e-12)


def _latin_share(text: str) -> float:
    """The share of the words of a text that are in ASCII; 1 for a text without words.

    Each pair of neighbouring signs counts as a word in scripts without spaces.
    """
    all_words = words(text[:MAX_CHARACTERS])
    return sum(map(str.isascii, all_words)) / len(all_words) if all_words else 1.0
