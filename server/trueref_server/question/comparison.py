"""Finds the things that an English question compares: `the difference between skip and xfail`.

Docs seldom have a section about the difference of two options. They have one about each, and whoever reads both knows
the difference.
"""

from __future__ import annotations

import re
from typing import Final

from trueref_core.text.identifiers import identifiers
from trueref_server.corpus.words import content_words
from trueref_server.question.pointing import points_to_unnamed

MAX_COMPARED: Final = 3
"""The most things that are compared: an answer has this many cards."""

MAX_WORDS: Final = 4
"""The most words of a thing. What is longer is a clause, such as `adding a page by hand`, which no section is about."""

_TAKE: Final = r"(?:use|choose|pick|take|prefer|go with)"

_CHOOSING: Final = rf"(?:(?:should|do|would|can) (?:i|we|you) (?:{_TAKE}|recommend)|is better|to {_TAKE})"

_RATHER_THAN: Final = r"(?:instead of|rather than)"

_NO_THING: Final = re.compile(
    r"^(?:yes|no|more|less|all|some|any|none|everything|nothing|(?:for|in|on|at|with|by|of|as|to|than) .+|.+ to \w+)$",
    re.IGNORECASE,
)
"""What no section is about: amounts, answers, and `for width` or `sudo to install`, which are parts of sentences."""

_COMPARED: Final = (
    re.compile(
        r"(?:^|[,:;.?!]\s|\b(?:the|an?|any|is|are|what|explain|main|key|real|exact)\s)"
        r"differen(?:ces?|t) (?:between|of) (.+)",
        re.IGNORECASE,
    ),
    re.compile(r"\bhow (?:does|do|is|are) (.+?) (?:differ|different) (?:from|to|than) (.+)", re.IGNORECASE),
    re.compile(r"^(.+?) or (.+?),? (?:what(?:'s|s| is)|is there) (?:an?|the|any) difference\b", re.IGNORECASE),
    re.compile(r"^(.+?) (?:vs\.?|versus) (.+)", re.IGNORECASE),
    re.compile(r"^(?:is|are) (.+?) the same(?: thing)? as (.+)", re.IGNORECASE),
    re.compile(r"^(.+? and .+?) differences?\W*$", re.IGNORECASE),
    # Whoever chooses between two things wants to know what tells them apart.
    re.compile(rf"\bwhich(?: ones?)? {_CHOOSING}\b[^,:;.?!]{{0,40}}[,:;.?!-]+ (.+ or (?!not\b).+)", re.IGNORECASE),
    re.compile(rf"^(.+?) or (.{{1,80}}?)[,:;.?!-]+ which(?: ones?)? {_CHOOSING}\b", re.IGNORECASE),
    re.compile(rf"\bshould (?:i|we) (?:rather )?{_TAKE} (.+ or (?!not\b).+)", re.IGNORECASE),
    re.compile(rf"\bwhen (?:should i|should we|do i|do you|to) {_TAKE} (.+?) {_RATHER_THAN} (.+)", re.IGNORECASE),
)
"""Questions that compare, with what they compare: a list, or the first thing and the others."""

_FINDING: Final = re.compile(
    r"\b(?:how (?:do|can|could|should) (?:i|we|you)|how to|show|see|view|get|list|print|find|compute|calculate)\b"
    r"(?![^?!.]*\b(?:tell|know|understand|explain)\b).*\bdifferen",
    re.IGNORECASE,
)
"""Questions of somebody who wants a program to find a difference: `how do I see the differences between two files?`"""

_BETWEEN: Final = re.compile(r",? (?:and|or|vs\.?|versus) |, ")
"""What stands between two things that are compared. In capital letters `OR` may be a part of one."""

_END: Final = re.compile(r"[?!;]|[.:](?=\s|$)|\s[-\u2013\u2014](?=\s)|\s\(")
"""Where a sentence or a clause ends that is no list."""

_BREAK: Final = re.compile(rf"{_END.pattern}|,(?=\s|$)")
"""Where a sentence or a clause ends."""

_CONTEXT: Final = re.compile(
    r",? (?:and|or|but) (?:when|which|how|what|why|where|if|can|could|do|does|is|are|should|would|will)\b.*|"
    r" (?:in|for|when|if|on|at|while|regarding|as|inside|within|from|here|please|which|what|exactly)\b.*",
    re.IGNORECASE,
)
"""What follows the last thing: another question, or where the difference matters, such as `for a large project`."""

_BEFORE: Final = re.compile(r"^(?:(?:an?|the|using|both)\s+)+", re.IGNORECASE)


def compared_things(query: str) -> tuple[str, ...]:
    """The two or three things that a question compares, as they are written; none if it compares nothing.

    Args:
        query: The question in one line.
    """
    if _FINDING.search(query):
        return ()
    for pattern in _COMPARED:
        if match := pattern.search(query):
            things = [_BEFORE.sub("", thing.strip(" ,")) for thing in _things(*match.groups())]
            if 2 <= len(set(things)) == len(things) <= MAX_COMPARED and all(map(_may_be_title, things)):
                return tuple(things)
    return ()


def _things(*texts: str) -> list[str]:
    """What is compared: the first thing and the others, or one list with all of them."""
    *first, others = texts
    # The first thing is what stands before `vs`, back to the last break: `docker tags: latest vs stable`.
    first_things = [_BREAK.split(text)[-1] for text in first]
    rest = (_BREAK if first else _END).split(others, maxsplit=1)[0]
    return [*first_things, *_BETWEEN.split(_CONTEXT.sub("", rest))]


def _may_be_title(thing: str) -> bool:
    """Whether a section may be about a thing: it has a few words, and points to nothing."""
    # `-o` has no word, and is a name.
    has_name = bool(content_words(thing)) or any(True for _ in identifiers(thing))
    has_few_words = has_name and len(thing.split()) <= MAX_WORDS
    return has_few_words and _NO_THING.match(thing) is None and not points_to_unnamed(thing)
