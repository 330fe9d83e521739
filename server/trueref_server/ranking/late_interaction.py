"""How well one text meets each telling word of a question, both read in context: late interaction.

The vector of a whole question hides a word that the docs lack: `dark mode in PDF exports` is near every text about
exports. Source: Khattab and Zaharia, ColBERT: Efficient and Effective Passage Search, 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Final

from cachetools import LRUCache

from trueref_core.embedding.bundled_model import BUNDLED_NAME
from trueref_core.text.word_forms import ENGLISH, language_of
from trueref_server.corpus.words import has_spaces, stem, words
from trueref_server.ranking.signals import WeightedQuestion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.embedding.embedder import Embedder, Wordpieces

TEXTS_KEPT: Final = 300
"""Texts whose wordpieces are kept in memory, 20 to 60 MB: reading five texts takes some 25 ms."""

FITTED: Final = (BUNDLED_NAME,)
"""Embedders to whose wordpieces confidence was fitted, for English, which they were trained on. The similarities of
other embedders are different."""


class LateInteraction:
    """Compares questions with texts word by word. May be asked from several threads.

    Args:
        embedder: The embedder of the questions and of the index.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        # In memory alone: storing them in the index was tried. With one bit for each of 128 random directions they need
        # half as much room as its vectors, which was not worth a change of every index.
        self._recent_vectors: LRUCache[str, NDArray[np.float16]] = LRUCache(TEXTS_KEPT)
        self._lock = Lock()

    def met(self, question: WeightedQuestion, texts: Sequence[str]) -> list[float] | None:
        """How well each of some texts meets a question; None if its words, or theirs, cannot be compared.

        It is the mean over the telling words of the cosine of each to its nearest word in the text. Rare words count
        for more, and what a conversation adds for less.
        """
        plan = question.plan
        # English alone: of other languages the bundled embedder knows few words (`docs/decisions/confidence.md`).
        if not texts or language_of(plan.language) not in ("", ENGLISH) or not has_spaces(plan.query):
            return None
        pieces = next(self.embedder.embed_words([plan.query]), None)
        if pieces is None or not (telling := _telling_words(question, pieces)):
            return None
        import numpy as np

        read = self._read(texts)
        texts_of_all = np.concatenate([vectors.reshape(-1, pieces.vectors.shape[1]) for vectors in read])
        # Not `@`: BLAS wakes its threads for it, which on two busy cores took 42 ms, while `einsum` took 0.6.
        cosines = np.einsum("ij,kj->ik", pieces.vectors, texts_of_all)
        each = np.split(cosines, np.cumsum([len(vectors) for vectors in read])[:-1], axis=1)
        return [_met(of_text, telling) for of_text in each]

    def _read(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """The vectors of the wordpieces of some texts. Those of texts that were read lately come from memory."""
        import numpy as np

        with self._lock:
            vectors_by_text = {text: self._recent_vectors[text] for text in texts if text in self._recent_vectors}
        new = [text for text in dict.fromkeys(texts) if text not in vectors_by_text]
        # Outside of the lock: a passage takes some 5 ms, for which other questions would wait.
        for text, read in zip(new, self.embedder.embed_words(new), strict=True):
            vectors_by_text[text] = read.vectors.astype(np.float16)
        with self._lock:
            self._recent_vectors.update(vectors_by_text)
        return [vectors_by_text[text].astype(np.float32) for text in texts]


def _met(cosines: NDArray[np.float32], telling: Sequence[tuple[list[int], float]]) -> float:
    """How well a text meets the telling words.

    Args:
        cosines: A row for each wordpiece of the question, a column for each of the text.
        telling: See `_telling_words`.
    """
    if not cosines.size:
        return 0.0
    nearest = cosines.max(axis=1)
    met = sum(float(nearest[positions].mean()) * weight for positions, weight in telling)
    return met / sum(weight for _, weight in telling)


def _telling_words(question: WeightedQuestion, pieces: Wordpieces) -> list[tuple[list[int], float]]:
    """For each telling word of a question: the positions of its wordpieces, and its weight."""
    text, language = question.plan.query, language_of(question.plan.language)
    terms = question.terms(language)
    telling: list[tuple[list[int], float]] = []
    for _, group in groupby(range(len(pieces.words)), pieces.words.__getitem__):
        positions = list(group)
        written = text[pieces.spans[positions[0]][0] : pieces.spans[positions[-1]][1]]
        matched = {stem(word, language) for word in words(written)} & terms.keys()
        if weight := sum(terms[term] for term in matched):
            telling.append((positions, weight))
    return telling
