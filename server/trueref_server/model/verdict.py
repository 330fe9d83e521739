"""When a model's text is not shown, and the passages of the docs are in its place."""

from __future__ import annotations

import re
from typing import Final, Literal

Fallback = Literal["", "error", "budget", "loop", "prompt", "uncited", "refusal", "unsupported"]
"""Why the text of a model is not the answer; "" where it is."""

SENTENCES: Final[dict[Fallback, str]] = {
    "error": "model_error",
    "budget": "model_budget",
    "loop": "model_unusable",
    "prompt": "model_unusable",
    "uncited": "model_uncited",
    "refusal": "model_refusal",
    "unsupported": "model_unsupported",
}
"""The name of the sentence that tells the reader."""

UNSUPPORTED_MOST: Final = 1 / 3
"""The share of its sentences that may be marked: where more are, the reader sees the excerpt instead."""

TAIL: Final = 600
PERIOD_MOST: Final = 200
"""A text whose last characters repeat themselves at most so far apart, three times or more, goes round in a loop."""

LINE_TIMES: Final = 4
LINE_LEAST: Final = 20

LEAK: Final = 60
"""Characters of the rules in a row that no answer has by chance."""

# Bounded gaps: each match looks a fixed number of characters ahead.
REFUSAL = re.compile(
    r"\b(?:do(?:es)?\s+not|don['’]t|doesn['’]t|did\s+not|is\s+not|are\s+not|isn['’]t|no)\b[^.\n]{0,40}?"
    r"\b(?:mention|cover|contain|say|specif|provide|describ|explain|information|answer)"
    r"|\b(?:cannot|can['’]t|unable\s+to|not\s+able\s+to)\s+(?:\w+\s+)?(?:answer|find|help|determine|provide|assist)",
    re.IGNORECASE,
)
REFUSAL_WITHIN: Final = 200
"""Characters from the beginning in which a refusal stands; further down it says what is missing beside an answer."""


def is_loop(text: str) -> bool:
    """Whether a text repeats itself: its end over and over, or one line of it too often."""
    tail = text[-TAIL:]
    if len(tail) == TAIL:
        period = (tail + tail).find(tail[:PERIOD_MOST], 1)
        if 0 < period <= PERIOD_MOST and tail[period:] == tail[:-period]:
            return True
    lines = [line.strip() for line in text.split("\n")]
    long = [line for line in lines if len(line) >= LINE_LEAST]
    return len(long) - len(set(long)) >= LINE_TIMES - 1 and max(map(long.count, set(long))) >= LINE_TIMES


def is_refusal(text: str) -> bool:
    """Whether a text says at once that it has no answer."""
    return REFUSAL.search(text[:REFUSAL_WITHIN]) is not None


def leaks(text: str, rules: str) -> bool:
    """Whether a text repeats the rules it was written by."""
    # Spaces apart: a model wraps lines as it likes.
    squeezed, rule_text = " ".join(text.split()), " ".join(rules.split())
    return any(rule_text[at : at + LEAK] in squeezed for at in range(0, max(1, len(rule_text) - LEAK), LEAK // 2))
