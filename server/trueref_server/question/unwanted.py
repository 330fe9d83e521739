"""Finds what somebody does not want to happen, in English: `don't overwrite a file that is already there`."""

from __future__ import annotations

import re
from typing import Final

_NOT: Final = r"(?:do not|don['\u2019]?t|never|not|avoid|prevent|stop|without)"

_UNWANTED: Final = re.compile(
    rf"^(?:please )?(?:how (?:to|(?:do|can|could|should) (?:i|we|you)) )?{_NOT} "
    r"(?!want\b)(?:(?:[\w-]{1,30} ){0,4}from )?(\w{3,30})|"
    r"\b(?:i|we) (?:do not|don['\u2019]?t) want (?:(?:[\w-]{1,30} ){0,3}to|any) (\w{3,30})",
    re.IGNORECASE,
)

"""The beginning of what somebody does not want, with its verb as the only group that matched."""

_NEGATED: Final = re.compile(
    r"\b(?:not|never|cannot|no longer|unless|instead|disable[sd]?|skip(?:s|ped)?|avoids?|prevents?|off)\b|--no-|"
    r"n['\u2019]t\b",
    re.IGNORECASE,
)
"""Words of a text that says how something does not happen."""


def unwanted_verb(query: str) -> str:
    """The verb of what a question does not want, in small letters; "" if it says nothing of the kind.

    Args:
        query: The question in one line.
    """
    match = _UNWANTED.search(query)
    return next(filter(None, match.groups()), "").lower() if match else ""


def is_negated(text: str) -> bool:
    """Whether a text says how something does not happen, or is left out."""
    return _NEGATED.search(text) is not None
