"""Repairs words of a question that no page has, if one word of the pages is plainly meant."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

MIN_LETTERS: Final = 5
"""Shorter words are not repaired: too many words are near them. For words with one letter less see `MIN_SWAPPED`."""

MIN_SWAPPED: Final = 5
"""A word of the pages has to be in this many sections to repair a word of four letters, two of which are swapped.

Of 2,513 words of four letters that other manuals have, and uv or Material for MkDocs has not, this changes 7: typing
errors, and `warp`, `bene` and `rset`. If a letter might be missing, it would be 67: `math` is not `match`, nor `lean`
`learn`."""

TWO_ERRORS_FROM: Final = 9
"""Letters from which a word may have two errors."""

MAX_LETTERS: Final = 40
"""Longer strings are no words, and are not repaired."""

MIN_KNOWN: Final = 2
"""A word of the pages has to be in this many sections to repair another word. A rarer word may be an error itself,
unless it is a common English word, or another form of such a word or of a word of the pages."""

PLAINER: Final = 3
"""If two candidates are equally near to the mistyped word, the more common one has to be this many times as common."""

ENDINGS: Final = frozenset("d ed en er es ly n r s y".split())
"""Endings that make another form of a word, or another word: a reader who writes `chooser` does not mean `choose`."""

SPELLINGS: Final = (("our", "or"), ("is", "iz"), ("ys", "yz"), ("ogue", "og"), ("tre", "ter"), ("ll", "l"))
"""British and American spellings. Both are correct, and only between them may a common English word be replaced."""

WordShape = tuple[str, int]
"""The first letter of a word, and its length."""


class Vocabulary:
    """Finds the word of the pages that a mistyped word means.

    The words are grouped by first letter and length: a mistyped word is compared only with words of the same first
    letter and nearly the same length.

    Args:
        word_counts: The words of the pages with the number of sections that have them.

    Attributes:
        compared: How many comparisons of two words were made so far. The time of repairs grows with it.
    """

    def __init__(self, word_counts: Mapping[str, int]) -> None:
        self.compared = 0
        self._word_counts = word_counts
        # Comparing with all 50,000 words of a site took 10 ms for each unknown word of a question. With the words
        # grouped by shape, a question with 222 unknown words is read in 0.05 s.
        self._by_shape: dict[WordShape, list[str]] = defaultdict(list)
        for word, count in word_counts.items():
            if word.isalpha() and (count >= MIN_KNOWN or self._is_form_of_known(word)):
                self._by_shape[word[0], len(word)].append(word)

    def repair(self, word: str) -> str:
        """The word of the pages that a mistyped word means; "" if there is none, or if it may be one of several.

        A common English word or its plural is no mistake and gives "". So does a word of the pages with an ending, or a
        short one with another letter behind it: `installs` is not `install`, and `jsonb` is not `json`.

        Args:
            word: A word that the pages may not have, in small letters.
        """
        if len(word) > MAX_LETTERS or word in self._word_counts or not word.isalpha():
            return ""
        if len(word) < MIN_LETTERS:
            return self._unswapped(word) if len(word) == MIN_LETTERS - 1 else ""
        nearest = self._nearest(word)
        if not nearest or any(_is_another(word, candidate) for candidate in nearest):
            return ""
        best = sorted(nearest, key=lambda candidate: (-self._word_counts[candidate], candidate))
        # By distance alone `whole` was taken for `while` and `seems` for `seeds`: one word has to be plainly meant.
        if len(best) > 1 and self._word_counts[best[0]] < PLAINER * self._word_counts[best[1]]:
            return ""
        is_english = is_common(word) or is_common(word.removesuffix("s"))
        return best[0] if not is_english or _spelling(word) == _spelling(best[0]) else ""

    def _unswapped(self, word: str) -> str:
        """The word of the pages that differs from a short word in two neighbouring letters, which are swapped."""
        # Only with the same first letter, as in longer words.
        swapped = {word[:i] + word[i + 1] + word[i] + word[i + 2 :] for i in range(1, len(word) - 1)}
        known = [candidate for candidate in swapped if candidate in self._word_counts]
        return known[0] if len(known) == 1 and self._word_counts[known[0]] >= MIN_SWAPPED else ""

    def _is_form_of_known(self, word: str) -> bool:
        """Whether a word is known from elsewhere, or another form of a known word: `uninstalling` of `uninstall`."""
        bases = [word, *(word.removesuffix(ending) for ending in (*ENDINGS, "ing") if word.endswith(ending))]
        return len(word) >= MIN_LETTERS and any(
            self._word_counts.get(base, 0) >= MIN_KNOWN or is_common(base) for base in bases
        )

    def _nearest(self, word: str) -> list[str]:
        """The words of the pages at the least edit distance from a word, within the errors allowed for its length."""
        # Imported here: only questions with a word that no page has need it.
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        errors_allowed = 2 if len(word) >= TWO_ERRORS_FROM else 1
        # Only words with the same first letter: it is hardly ever mistyped.
        lengths = range(len(word) - errors_allowed, len(word) + errors_allowed + 1)
        candidates = [candidate for length in lengths for candidate in self._by_shape.get((word[0], length), ())]
        self.compared += len(candidates)
        matches = extract(word, candidates, scorer=OSA.distance, score_cutoff=errors_allowed, limit=None)
        fewest_errors = min((distance for _, distance, _ in matches), default=0)
        return [candidate for candidate, distance, _ in matches if distance == fewest_errors]


def repairs(
    words: Iterable[str], vocabulary: Vocabulary, limit: int, *, is_plainly_english: bool = False
) -> tuple[tuple[str, str], ...]:
    """Pairs of a mistyped word and the word that it means; none unless at least half of the words can be repaired.

    If fewer can, the question is about another topic or in another language: German `installiere` is not
    `installer`. Common English words do not count as words that cannot be repaired.

    Args:
        words: The words of a question that no page has.
        vocabulary: The words of the pages.
        limit: How many are repaired at most. If more words need repair, none is repaired.
        is_plainly_english: Whether the question is in English beyond doubt. Then words that are too short to be
            repaired do not count either: a hurried reader mistypes these too.
    """
    repaired: list[tuple[str, str]] = []
    unrepaired = 0
    for word in dict.fromkeys(words):
        if correction := vocabulary.repair(word):
            repaired.append((word, correction))
        elif not (is_common(word) or (is_plainly_english and len(word) < MIN_LETTERS)):
            unrepaired += 1
        # The rest need not be looked at: the question is in another language or about another topic, and nothing is
        # repaired.
        if max(len(repaired), unrepaired) > limit:
            return ()
    return tuple(repaired) if unrepaired <= len(repaired) else ()


def is_common(word: str) -> bool:
    """Whether a word is common in English, so that it is no typing mistake."""
    # The vocabulary of the bundled model has the common words of English, so no list of them has to be maintained.
    from trueref_core.embedding.vocabulary import common_words

    return word in common_words()


def _is_another(word: str, candidate: str) -> bool:
    """Whether a word is another one than the candidate that it begins with: `jsonb` is not `json`.

    Behind a candidate with few letters, any other letter makes another word. What does something, or who does it, is
    another word than what is done: `docker` is not `docked`.
    """
    if word[:-2] == candidate[:-2] and {word[-2:], candidate[-2:]} == {"er", "ed"}:
        return True
    behind = word.removeprefix(candidate)
    return behind in ENDINGS or (len(candidate) <= MIN_LETTERS and len(behind) == 1 and behind != candidate[-1])


def _spelling(word: str) -> str:
    """A word in American spelling, to compare it with another: `colour` and `color` are one word."""
    for british, american in SPELLINGS:
        word = word.replace(british, american)
    return word
