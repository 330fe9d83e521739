"""Finds what an English question compares the docs' subject with: `tox` in `how is nox different from tox?`.

Many docs have a section about this, and it is called `Alternatives` or `Comparison`, or they say it where they say what
the subject is.
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import Final

from trueref_server.corpus.words import content_words, words

MAX_WORDS: Final = 3
"""The most words of a rival. What is longer is a clause."""

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
_NOT_ANOTHER: Final = re.compile(rf"^why not (?:just |simply )?{_USE}{_RIVAL}", re.IGNORECASE)

_SUBJECT: Final = frozenset({"it", "this", "that"})
"""Words that stand for the docs' subject."""


def rival_of_subject(query: str, subject: AbstractSet[str]) -> str:
    """What a question compares the docs' subject with, in small letters; "" if it compares nothing, or other things.

    Args:
        query: The question in one line.
        subject: The words by which the docs call their subject, such as `uv`.
    """
    named = subject | _SUBJECT
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
