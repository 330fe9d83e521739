"""Decides by rules whether a question asks for an option. The first rule that fits counts.

Among all that a question may want, only an option changes the order of sections: such a question is after a reference
page, which has every word of the site and is ranked lower for every other question. Other rules stand before: a
question that names an option often wants something else.
"""

from __future__ import annotations

import re
from typing import Final

_ERROR: Final = re.compile(
    r"\b(?:errors?|exception|traceback|fatal|failed|fails?|failing|crash(?:es|ed|ing)?|panic|not found|cannot|can't|"
    r"unable|invalid|denied|refused|warnings?|broken)\b|\b[A-Za-z]\w{0,60}(?:Error|Exception|Warning)\b|"
    r"\b(?:doesn't|does not|don't|do not|not|isn't|aren't|no longer|stopped|won't|nothing) "
    r"(?:work|render|show|load|appear|display|start|build|found)",
    re.IGNORECASE,
)
_COMPARISON: Final = re.compile(
    r"\b(?:differences?|differs?|differ from|versus|vs|compared? (?:to|with)|or should|better than|"
    r"which (?:one )?is better|pros and cons|"
    r"when (?:to|should i|do i) use .{1,60} (?:or|over|instead of|rather than))\b",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(
    r"\b(?:options?|settings?|flags?|parameters?|arguments?|variables?|defaults?|config(?:ure|uration)? (?:key|value)|"
    r"environment variables?|configurable)\b",
    re.IGNORECASE,
)
_NO_WAY: Final = r"(?!.{0,60}\b(?:way|workaround|steps)\b)"
"""`What is the best way to` asks for steps."""

_VALUE: Final = re.compile(
    rf"^\W*(?:what(?:'s| is| are)|which) {_NO_WAY}.{{0,80}}"
    r"\b(?:defaults?|options?|settings?|flags?|parameters?|arguments?|"
    r"(?:config(?:uration)?|environment) (?:key|value|variable)s?|(?:allowed|possible|valid) values?)\b",
    re.IGNORECASE,
)
_DEFINITION: Final = re.compile(
    rf"^\W*(?:what(?:'s| is| are| does) {_NO_WAY}|"
    r"what do (?!i\b|we\b).{1,80} (?:do|mean|stand for)\b|define |meaning of |explain |"
    r"how (?:do|does) (?!(?:i|we|you|one|someone|people) ).{1,80} (?:works?|behave|interact)\b)",
    re.IGNORECASE,
)
_HOW_TO: Final = re.compile(
    r"\bhow (?:to|do|does|can|could|should|would|is|are|one)\b|"
    r"\b(?:is there (?:a|any) way|way (?:to|of)|what (?:do|should|must) (?:i|we)|(?:workaround|steps) (?:for|to)|"
    r"i (?:want|need|would like)|i'd like|example of|possible to)\b",
    re.IGNORECASE,
)
_FAULT: Final = re.compile(
    r"^\W*(?:why\b.{0,200}(?:\bnot\b|n't\b|\bfail|\berror|\bbreak|\bcrash|\bwrong\b|\bmissing\b)|"
    r"what(?:'s| is) (?:wrong|causing)\b)",
    re.IGNORECASE,
)
_NEGATED: Final = re.compile(
    r"^\W*(?:can't|couldn't|isn't|aren't|doesn't|don't|shouldn't|wouldn't) (?:i|we|it|there|the|this|that|they|you)\b",
    re.IGNORECASE,
)
_RULES: Final = (
    # `What is the difference between these settings?`
    (_COMPARISON, False),
    # `Can't I set this by a flag?`
    (_NEGATED, False),
    (_FAULT, False),
    (_VALUE, True),
    (_DEFINITION, False),
    (_HOW_TO, False),
    (_ERROR, False),
    (_OPTION, True),
)
"""Rules in the order in which they are tried, and whether a question that fits asks for an option."""


def asks_for_option(text: str, *, has_error: bool, is_identifier: bool) -> bool:
    """Whether a question asks for an option, a setting or a value of one.

    Args:
        text: The question without greetings.
        has_error: Whether an error message was found in it: that says more than its other words.
        is_identifier: Whether it is hardly more than an identifier: then its option, or its definition, is wanted.
    """
    if has_error or is_identifier:
        return not has_error
    return next((is_option for rule, is_option in _RULES if rule.search(text)), False)
