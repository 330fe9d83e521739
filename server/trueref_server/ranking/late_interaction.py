"""How similar a text is to each content word of a question, read in context.

The vector of a whole question hides a word that the docs lack: `dark mode in PDF exports` is near every text about
exports. So each word is compared by itself (late interaction). Source: Khattab and Zaharia, ColBERT: Efficient and
Effective Passage Search, 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Final

from cachetools import LRUCache

from trueref_core.embedding.bundled_model import BUNDLED_NAME
from trueref_core.embedding.packed_wordpieces import estimated_cosines
from trueref_core.text.word_forms import ENGLISH, language_of
from trueref_server.corpus.words import has_spaces, stem, words
from trueref_server.ranking.weighted_question import WeightedQuestion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.embedding.embedder import Embedder
    from trueref_core.embedding.packed_wordpieces import Wordpieces

TEXTS_KEPT: Final = 20
"""How many texts that the embedder read have the vectors of their wordpieces in memory, 4 MB at most. Most passages
need not be read, since the index has their wordpieces; with a hundred texts, a server grew for thousands of questions.
"""

FITTED: Final = (BUNDLED_NAME,)
"""The embedders to whose wordpieces confidence was fitted, for English, which they were trained on. Other embedders
give other similarities."""


class LateInteraction:
    """Compares questions with texts word by word. Safe to use from several threads.

    Args:
        embedder: The embedder of the questions and of the index.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._recent_texts: LRUCache[str, NDArray[np.float16]] = LRUCache(TEXTS_KEPT)
        self._lock = Lock()

    def max_sim(self, question: WeightedQuestion, texts: Sequence[str | NDArray[np.uint8]]) -> list[float] | None:
        """How similar each text is to the words of a question (MaxSim); None if the words cannot be compared.

        The similarity is the mean, over the content words, of the cosine of each to its nearest word in the text, at
        most 1. Rare words count for more, and words from the conversation for less.

        Args:
            question: What is asked.
            texts: Texts that the embedder reads, or the packed wordpieces of texts, as `unpack` gives them.
        """
        plan = question.plan
        if not texts or not can_compare(plan.query, plan.language):
            return None
        wordpieces = next(self.embedder.embed_words([plan.query]), None)
        if wordpieces is None or not (weighted_words := _weighted_positions(question, wordpieces)):
            return None
        import numpy as np

        # Only the wordpieces that count: a pasted error has some two hundred others.
        asked = wordpieces.vectors[[position for word, _ in weighted_words for position in word]]
        weights = np.array([weight / len(word) for word, weight in weighted_words for _ in word], dtype=np.float32)
        vectors_by_text = self._vectors_of([text for text in texts if isinstance(text, str)])
        cosines = (
            _cosines(asked, vectors_by_text[text]) if isinstance(text, str) else estimated_cosines(asked, text)
            for text in texts
        )
        return [_mean_max_sim(of_text, weights / weights.sum()) for of_text in cosines]

    def _vectors_of(self, texts: Sequence[str]) -> dict[str, NDArray[np.float16]]:
        """The vectors of the wordpieces of each text. Those of texts that were read lately come from memory."""
        import numpy as np

        with self._lock:
            by_text = {text: self._recent_texts[text] for text in texts if text in self._recent_texts}
        unread_texts = [text for text in dict.fromkeys(texts) if text not in by_text]
        # Outside of the lock: a passage takes some 5 ms, and other questions would wait for it.
        for text, wordpieces in zip(unread_texts, self.embedder.embed_words(unread_texts), strict=True):
            by_text[text] = wordpieces.vectors.astype(np.float16)
        with self._lock:
            self._recent_texts.update(by_text)
        return by_text


def can_compare(query: str, language: str) -> bool:
    """Whether a question can be compared with texts of a language by what the embedder knows of their words."""
    # English only: the bundled embedder knows few words of other languages (`docs/decisions/confidence.md`).
    return language_of(language) in ("", ENGLISH) and has_spaces(query)


def _cosines(vectors: NDArray[np.float32], vectors_of_text: NDArray[np.float16]) -> NDArray[np.float32]:
    """The cosines of vectors of length 1 to those of a text: a row for each, and a column for each of the text."""
    import numpy as np

    # Not `@`, for which BLAS wakes its threads: on two busy cores that took 42 ms, and `einsum` takes 0.6 ms.
    cosines: NDArray[np.float32] = np.einsum("ij,kj->ik", vectors, vectors_of_text.astype(np.float32))
    return cosines


def _mean_max_sim(cosines: NDArray[np.float32], weights: NDArray[np.float32]) -> float:
    """The weighted mean, over the wordpieces of the content words, of the cosine of each to its nearest in the text.

    Args:
        cosines: A row for each wordpiece of the content words, a column for each of the text.
        weights: The share of each of these wordpieces; those of a word have the weight of the word together.
    """
    return float(cosines.max(axis=1).dot(weights)) if cosines.size else 0.0


def _weighted_positions(question: WeightedQuestion, wordpieces: Wordpieces) -> list[tuple[list[int], float]]:
    """For each content word of a question: the positions of its wordpieces, and its weight."""
    text, language = question.plan.query, language_of(question.plan.language)
    terms = question.terms(language)
    weighted_words: list[tuple[list[int], float]] = []
    for _, group in groupby(range(len(wordpieces.words)), wordpieces.words.__getitem__):
        positions = list(group)
        start, end = wordpieces.spans[positions[0]][0], wordpieces.spans[positions[-1]][1]
        # The signs of `C++` and `C#` are wordpieces of their own.
        word_text = text[start : next((at for at in range(end, len(text)) if text[at] not in "+#"), len(text))]
        matched = {stem(word, language) for word in words(word_text)} & terms.keys()
        if weight := sum(terms[term] for term in matched):
            weighted_words.append((positions, weight))
    return weighted_words
