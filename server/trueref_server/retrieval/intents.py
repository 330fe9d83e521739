"""What kind of answer a question wants, told by rules in the order in which they stand."""

from __future__ import annotations

import re
from typing import Final

from trueref_server.records import Intent

_ERROR: Final = re.compile(
    r"\b(?:error|exception|traceback|fatal|failed|fails?|failing|crash(?:es|ed)?|panic|not found|cannot|can't|unable|"
    r"invalid|denied|refused|warning)\b|\b[A-Za-z]\w{0,60}(?:Error|Exception|Warning)\b|"
    r"\b(?:doesn't|does not|don't|not|isn't|no longer|stopped) (?:work|render|show|load|appear|display)",
    re.IGNORECASE,
)
_COMPARISON: Final = re.compile(
    r"\b(?:differences?|differs?|versus|vs\.?|compared? (?:to|with)|instead of|rather than|or should|better than)\b",
    re.IGNORECASE,
)
_OPTION: Final = re.compile(
    r"\b(?:options?|settings?|flags?|parameters?|arguments?|variables?|defaults?|config(?:ure|uration)? (?:key|value)|"
    r"environment variables?|configurable)\b",
    re.IGNORECASE,
)
_DEFINITION: Final = re.compile(r"^\W*(?:what(?:'s| is| are| does| do)|define|meaning of|explain)\b", re.IGNORECASE)
_HOW_TO: Final = re.compile(
    r"\bhow (?:to|do|does|can|could|should|would|is|are|one)\b|"
    r"\b(?:is there (?:a|any) way|way to|i (?:want|need|would like)|i'd like|steps to|example of|possible to)\b",
    re.IGNORECASE,
)
_YES_NO: Final = re.compile(
    r"^\W*(?:is|are|does|do|can|could|will|would|should|has|have|did|was|were)\b", re.IGNORECASE
)

_RULES: Final[tuple[tuple[Intent, re.Pattern[str]], ...]] = (
    ("comparison", _COMPARISON),
    ("definition", _DEFINITION),
    ("how-to", _HOW_TO),
    ("error", _ERROR),
    ("option", _OPTION),
    ("yes-no", _YES_NO),
)


def intent_of(text: str, *, has_error: bool, is_identifier: bool) -> Intent:
    """The intent of a question.

    Args:
        text: The question without greetings.
        has_error: Whether an error message was found in it: that tells more than its other words.
        is_identifier: Whether it is hardly more than an identifier: then its option, or its definition, is wanted.
    """
    if has_error:
        return "error"
    if is_identifier:
        return "option"
    for intent, rule in _RULES:
        if rule.search(text):
            return intent
    return "other"
