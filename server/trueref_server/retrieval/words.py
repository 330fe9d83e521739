"""Words of questions and texts, compared without their endings."""

from __future__ import annotations

import re
from collections.abc import Iterator
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

LONGEST: Final = 20_000
"""Characters of a text that are compared: a block of code may be as long as a page."""

_WORD = re.compile(r"[^\W_]+", re.UNICODE)
# Thai, Lao, Burmese, Khmer, kana and Han: no spaces between words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+"
)


def words(text: str) -> list[str]:
    """The words of a text in lower case, in order; pairs of characters where a script has no spaces between words."""
    found = _WORD.findall(text.lower())
    return found if text.isascii() else [part for word in found for part in _parts(word)]


def _parts(word: str) -> Iterator[str]:
    """A word as it is, with each run of an unspaced script as its overlapping pairs. Two characters tell most words."""
    at = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > at:
            yield word[at : run.start()]
        characters = run[0]
        yield from (characters[i : i + 2] for i in range(max(len(characters) - 1, 1)))
        at = run.end()
    if at < len(word):
        yield word[at:]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its ending, so that install, installs and installing are one. Only for comparing.

    Source: the Snowball stemmer for English. Words of other scripts come back as they are.
    """
    return _stemmer().stem_word(word)


@lru_cache(maxsize=2_000)
def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text, up to `LONGEST` characters of it.

    Cached: the chunks of a popular page are compared with every question.
    """
    return frozenset(map(stem, words(text[:LONGEST])))


def telling_stems(text: str) -> tuple[str, ...]:
    """The stems of the words of a text that tell its topic, each once, in order."""
    return tuple(dict.fromkeys(stem(word) for word in words(text) if word not in STOP_WORDS and len(word) > 1))


@cache
def _stemmer() -> SnowballStemmer:
    from py_rust_stemmers import SnowballStemmer

    return SnowballStemmer("english")
