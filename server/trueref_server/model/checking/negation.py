"""Sentences that say what is not so, or what the docs lack: no source has the names of what does not exist."""

from __future__ import annotations

import re

# The end of a word needs no look ahead: `not` is a word of its own everywhere.
NEGATION = re.compile(r"\b(?:no|not|never|none|cannot|without|neither|nor)\b|n['’]t\b", re.IGNORECASE)

# Bounded gaps: each match looks a fixed number of characters ahead.
LACK = re.compile(
    r"\b(?:sources?|documentation|docs)\b[^.\n]{0,40}?\b(?:do(?:es)?\s+not|don['’]t|doesn['’]t)\s+(?:\w{1,20}\s+)?"
    r"(?:mention|cover|contain|say|state|specify|provide|describe|explain|include|tell)\b",
    re.IGNORECASE,
)


def is_negated(sentence: str) -> bool:
    """Whether a sentence says that something is not so."""
    return NEGATION.search(sentence) is not None


def tells_lack(sentence: str) -> bool:
    """Whether a sentence says what the sources do not hold, as the rules ask for: no source can bear that out."""
    return LACK.search(sentence) is not None
