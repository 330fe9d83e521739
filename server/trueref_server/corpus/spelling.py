"""Repairs words of a question that no page has, where one word of the pages is plainly meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

LETTERS_LEAST: Final = 5
"""Shorter words have too many neighbours."""

TWO_ERRORS_FROM: Final = 9
"""Letters from which a word may have two errors."""

LETTERS_MOST: Final = 40
"""Longer ones are no words."""

KNOWN_LEAST: Final = 2
"""Sections in which a word stands at least before another is taken for it: a rarer one may be an error itself."""

PLAINER: Final = 3
"""How many times as common the first candidate is than the second, where both are as near."""

ENDINGS: Final = frozenset("d ed en er es ly n r s y".split())
"""What makes another form of a word, or another word: who writes `chooser` does not mean `choose`."""

SPELLINGS: Final = (("our", "or"), ("is", "iz"), ("ys", "yz"), ("ogue", "og"), ("tre", "ter"), ("ll", "l"))
"""British and American spelling, which both are right: only here is a common word taken for another."""

Shape = tuple[str, int]
"""The first letter of a word, and its length."""


class Vocabulary:
    """The words of the pages that another may be taken for, by their shape: few are like any one word.

    Args:
        word_counts: The words of the pages with the number of sections that have them.

    Attributes:
        compared: How many words were compared with another so far: what the repairs cost.
    """

    def __init__(self, word_counts: Mapping[str, int]) -> None:
        self.compared = 0
        self._word_counts = word_counts
        # Looking at every word of a site of 50,000 took 10 ms for each unknown word of a question; by shape a question
        # of 222 of them is read in 0.05 s.
        self._by_shape: dict[Shape, list[str]] = defaultdict(list)
        for word, count in word_counts.items():
            if count >= KNOWN_LEAST and word.isalpha():
                self._by_shape[word[0], len(word)].append(word)

    def repair(self, word: str) -> str:
        """The word of the pages that is meant by a word that they do not have; "" where none is, or two may be.

        A common English word is no mistake and is left as it is; so is another form of a word of the pages.

        Args:
            word: In small letters.
        """
        if not LETTERS_LEAST <= len(word) <= LETTERS_MOST or word in self._word_counts or not word.isalpha():
            return ""
        nearest = self._nearest(word)
        if not nearest or any(word == other + ending for other in nearest for ending in ENDINGS):
            return ""
        best = sorted(nearest, key=lambda other: (-self._word_counts[other], other))
        # By distance alone `whole` was taken for `while` and `seems` for `seeds`: one word has to be plainly meant.
        if len(best) > 1 and self._word_counts[best[0]] < PLAINER * self._word_counts[best[1]]:
            return ""
        return best[0] if not _is_common(word) or _spelling(word) == _spelling(best[0]) else ""

    def _nearest(self, word: str) -> list[str]:
        """The words with the fewest errors, of those with few enough."""
        # Imported here: only questions with a word that no page has need it.
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        errors_allowed = 2 if len(word) >= TWO_ERRORS_FROM else 1
        # The first letter is the one that is hardly ever wrong.
        lengths = range(len(word) - errors_allowed, len(word) + errors_allowed + 1)
        near = [other for length in lengths for other in self._by_shape.get((word[0], length), ())]
        self.compared += len(near)
        matches = extract(word, near, scorer=OSA.distance, score_cutoff=errors_allowed, limit=None)
        fewest_errors = min((distance for _, distance, _ in matches), default=0)
        return [other for other, distance, _ in matches if distance == fewest_errors]


def repairs(words: Iterable[str], vocabulary: Vocabulary, limit: int) -> tuple[tuple[str, str], ...]:
    """Words each with the word that is meant, where at least half of the unknown words can be repaired.

    Where fewer can, the question is of another topic, or in another language: German `installiere` is not `installer`.

    Args:
        words: Those of a question that no page has.
        vocabulary: The words of the pages.
        limit: How many are repaired at most; where it would be more, none is.
    """
    repaired: list[tuple[str, str]] = []
    strange = 0
    for word in dict.fromkeys(words):
        if meant := vocabulary.repair(word):
            repaired.append((word, meant))
        elif not _is_common(word):
            strange += 1
        # The rest of a question in another language need not be looked at: nothing of it would be repaired.
        if max(len(repaired), strange) > limit:
            return ()
    return tuple(repaired) if strange <= len(repaired) else ()


def _is_common(word: str) -> bool:
    """Whether a word is English, and no mistake."""
    # The vocabulary of the bundled model says it: there is no list of English words to keep.
    from trueref_core.embedding.vocabulary import common_words

    return word in common_words()


def _spelling(word: str) -> str:
    """A word in American spelling: two words with the same are one word."""
    for british, american in SPELLINGS:
        word = word.replace(british, american)
    return word
