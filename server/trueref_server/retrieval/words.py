"""Words of questions and texts, compared without their endings."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from py_rust_stemmers import SnowballStemmer

STOP_WORDS: Final = frozenset(
    "a about after all also am an and any are as at be been being but by can could did do does doing don for from get "
    "gets getting got had has have having hello hey hi how i if in into is isn it its just know let like ll make me my "
    "need needs of on only or our please re s should so some t than thank thanks that the their them then there these "
    "they this those to too tried try trying under up us use used using ve very want wants was way we were what when "
    "where which while who why will with work working works would you your".split()
)
"""English words that say nothing of a topic. `no` and `not` stay: they are parts of options and of meaning."""

_WORD = re.compile(r"[^\W_]+", re.UNICODE)


def words(text: str) -> list[str]:
    """The words of a text in lower case, in order."""
    return [match[0] for match in _WORD.finditer(text.lower())]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its ending, so that install, installs and installing are one. Only for comparing.

    Source: the Snowball stemmer for English. Words of other scripts come back as they are.
    """
    return _stemmer().stem_word(word)


@lru_cache(maxsize=2_000)
def stems(text: str) -> frozenset[str]:
    """The stems of all words of a text. Cached: the chunks of a popular page are compared with every question."""
    return frozenset(map(stem, words(text)))


def telling_stems(text: str) -> tuple[str, ...]:
    """The stems of the words of a text that tell its topic, each once, in order."""
    return tuple(dict.fromkeys(stem(word) for word in words(text) if word not in STOP_WORDS and len(word) > 1))


@cache
def _stemmer() -> SnowballStemmer:
    from py_rust_stemmers import SnowballStemmer

    return SnowballStemmer("english")
