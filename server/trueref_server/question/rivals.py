"""Finds what an English question compares the docs' subject with: `tox` in `how is nox different from tox?`.

Many docs have a section about this, and it is called `Alternatives` or `Comparison`, or they say it where they say what
the subject is.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Final

from trueref_server.corpus.words import content_words, stem, words

if TYPE_CHECKING:
    from trueref_server.corpus.corpus import Statistics

MAX_WORDS: Final = 3
"""The most words of a rival. What is longer is a clause."""

MAX_SHARE: Final = 0.01
MAX_SECTIONS: Final = 3
"""The share of all sections that may name a rival, and how many may in any case. What more sections name is of the
docs: uv's have pip in every fifth, and poetry in seven of 3,000."""

_THING: Final = r"([\w.+#-]{1,40}(?: [\w.+#-]{1,40}){0,3}?)"
_RIVAL: Final = r"([\w.+#-]{1,40}(?: [\w.+#-]{1,40}){0,3}?)(?=[?!.,;]|$| (?:for|when|if|in|at|which|or)\b)"
_USE: Final = r"(?:use |choose |pick |prefer )?"

_COMPARED: Final = (
    re.compile(rf"\bhow (?:is|are|does|do) {_THING} (?:differ|different) (?:from|to|than) {_RIVAL}", re.IGNORECASE),
    re.compile(rf"\bhow (?:does|do) {_THING} compare (?:to|with|against) {_RIVAL}", re.IGNORECASE),
    re.compile(
        rf"\bwhy (?:(?:should|would|do) (?:i|we) )?{_USE}{_THING} (?:instead of|over|rather than|and not|not) {_RIVAL}",
        re.IGNORECASE,
    ),
    re.compile(rf"^{_THING} (?:vs\.?|versus|compared (?:to|with)) {_RIVAL}", re.IGNORECASE),
    re.compile(rf"\bdifferences? between {_THING} and {_RIVAL}", re.IGNORECASE),
    re.compile(rf"\bis {_THING} better than {_RIVAL}", re.IGNORECASE),
    re.compile(rf"\b(?:advantages?|benefits?) of (?:using )?{_THING} over {_RIVAL}", re.IGNORECASE),
)
_NOT_ANOTHER: Final = re.compile(rf"^why not (?:just|simply) use (?!(?:an?|the|my) ){_RIVAL}", re.IGNORECASE)

_SUBJECT: Final = frozenset({"it", "this", "that"})
"""Words that stand for the docs' subject."""


def rival_of_subject(query: str, statistics: Statistics) -> str:
    """What a question compares the docs' subject with, in small letters; "" if it compares nothing, or other things.

    Also "" if no section names it, and if it is not another program, but something that the docs are about.

    Args:
        query: The question in one line.
        statistics: How common words are in the docs, and the words by which these call their subject, such as `uv`.
    """
    rival = _compared_with_subject(query, statistics.subject | _SUBJECT)
    counts = [statistics.section_counts[stem(word)] for word in words(rival)]
    most = max(MAX_SECTIONS, MAX_SHARE * statistics.sections)
    # Of `Toaster Pro` one word is rare.
    return rival if counts and 0 < min(counts) <= most and rival not in statistics.entries else ""


def _compared_with_subject(query: str, named: AbstractSet[str]) -> str:
    """What a question compares with something that is `named`; "" if it compares nothing, or other things."""
    for pattern in _COMPARED:
        if match := pattern.search(query):
            one, other = (words(thing) for thing in match.groups())
            rival = other if named >= set(one) else one if named >= set(other) else []
            return _as_rival(rival, named)
    match = _NOT_ANOTHER.search(query)
    return _as_rival(words(match[1]), named) if match else ""


def _as_rival(rival: list[str], named: AbstractSet[str]) -> str:
    """The words that tell a rival, in a line; "" if there are too many or none, or the subject itself is among them."""
    return " ".join(content_words(" ".join(rival))) if len(rival) <= MAX_WORDS and named.isdisjoint(rival) else ""
