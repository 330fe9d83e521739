"""How well one text meets each telling word of a question, both read in context: late interaction.

The vector of a whole question hides a word that the docs lack: `dark mode in PDF exports` is near every text about
exports. Source: Khattab and Zaharia, ColBERT: Efficient and Effective Passage Search, 2020.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from threading import Lock
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.bundled_model import BUNDLED_NAME
from trueref_core.text.word_forms import ENGLISH, language_of
from trueref_server.corpus.words import has_spaces, stem, words
from trueref_server.ranking.signals import CARRIED
from trueref_server.ranking.signals import WeightedQuestion as Asked

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from trueref_core.embedding.embedder import Embedder, Wordpieces

TEXTS_HELD: Final = 300
"""Texts whose wordpieces are kept in memory, 20 to 60 MB: reading five texts takes some 25 ms."""

FITTED: Final = (BUNDLED_NAME,)
"""Embedders to whose wordpieces confidence was fitted, for English, which they were trained on. The similarities of
other embedders are different."""


@dataclass(frozen=True, slots=True)
class Met:
    """How well a text meets the telling words of a question.

    `mean` is the mean over the words of the cosine of each to its nearest in the text, `weighed` the same with rare
    words counting for more, and `words` how many there are. What a conversation adds counts less in both.
    """

    mean: float
    weighed: float
    words: int


class LateInteraction:
    """Compares questions with texts word by word. May be asked from several threads.

    Args:
        embedder: The embedder of the questions and of the index.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        # In memory alone: storing them in the index was tried. With one bit for each of 128 random directions they need
        # half as much room as its vectors, which was not worth a change of every index.
        self._held: OrderedDict[str, NDArray[np.float16]] = OrderedDict()
        self._lock = Lock()

    def met(self, asked: Asked, texts: Sequence[str]) -> list[Met] | None:
        """How each of some texts meets a question; None where its words, or theirs, cannot be compared."""
        plan = asked.plan
        # English alone: of other languages the bundled embedder knows few words (`docs/decisions/confidence.md`).
        if not texts or language_of(plan.language) not in ("", ENGLISH) or not has_spaces(plan.query):
            return None
        question = next(self.embedder.embed_words([plan.query]), None)
        telling = _telling(asked, question) if question else []
        if question is None or not telling:
            return None
        import numpy as np

        read = self._read(texts)
        # One product for all texts: for each BLAS wakes its threads, which takes longer than a small product.
        cosines = (
            question.vectors @ np.concatenate([vectors.reshape(-1, question.vectors.shape[1]) for vectors in read]).T
        )
        each = np.split(cosines, np.cumsum([len(vectors) for vectors in read])[:-1], axis=1)
        return [_met(own, telling) for own in each]

    def _read(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        """The vectors of the wordpieces of some texts, of those read lately from memory."""
        import numpy as np

        with self._lock:
            held = {text: self._held[text] for text in texts if text in self._held}
        new = [text for text in dict.fromkeys(texts) if text not in held]
        # Outside of the lock: a passage takes some 5 ms, for which other questions would wait.
        for text, read in zip(new, self.embedder.embed_words(new), strict=True):
            held[text] = read.vectors.astype(np.float16)
        with self._lock:
            for text, vectors in held.items():
                self._held[text] = vectors
                self._held.move_to_end(text)
            while len(self._held) > TEXTS_HELD:
                self._held.popitem(last=False)
        return [held[text].astype(np.float32) for text in texts]


def _met(cosines: NDArray[np.float32], telling: Sequence[tuple[list[int], float, float]]) -> Met:
    """How a text meets the telling words.

    Args:
        cosines: A row for each wordpiece of the question, a column for each of the text.
        telling: See `_telling`.
    """
    if not cosines.size:
        return Met(0.0, 0.0, len(telling))
    nearest = cosines.max(axis=1)
    each = [(float(nearest[places].mean()), count, weight) for places, count, weight in telling]
    mean = sum(value * count for value, count, _ in each) / sum(count for _, count, _ in telling)
    weighed = sum(value * weight for value, _, weight in each) / sum(weight for _, _, weight in telling)
    return Met(mean, weighed, len(each))


def _telling(asked: Asked, question: Wordpieces) -> list[tuple[list[int], float, float]]:
    """The places of the wordpieces of each telling word, what it counts, and the same where rare words count more.

    What a conversation adds counts less: it was found before.
    """
    text, language = asked.plan.query, language_of(asked.plan.language)
    terms = asked.terms(language)
    carried = asked.carried(language)
    found: list[tuple[list[int], float, float]] = []
    for _, group in groupby(range(len(question.words)), question.words.__getitem__):
        places = list(group)
        written = text[question.spans[places[0]][0] : question.spans[places[-1]][1]]
        told = {stem(word, language) for word in words(written)} & terms.keys()
        if weight := sum(terms[term] for term in told):
            found.append((places, CARRIED if told <= carried else 1.0, weight))
    return found
