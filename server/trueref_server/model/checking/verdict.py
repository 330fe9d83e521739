"""Tells when a model's text is not shown, and passages of the docs are shown instead."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from trueref_server.model.checking.facts import CITATION, CODE_SPAN
from trueref_server.model.checking.negation import any_sentence_tells_lack
from trueref_server.records import Fallback

FALLBACK_SENTENCES: Final[dict[Fallback, str]] = {
    "error": "model_error",
    "budget": "model_budget",
    "loop": "model_unusable",
    "prompt": "model_unusable",
    "uncited": "model_uncited",
    "refusal": "model_refusal",
    "unsupported": "model_unsupported",
}
"""The name of the sentence that tells the reader the reason."""

MAX_UNSUPPORTED: Final = 1 / 3
"""At most this share of a text's sentences may be marked: if more are, the reader sees the passages instead."""

TAIL: Final = 600
MAX_PERIOD: Final = 200
"""A text is a loop if its last `TAIL` characters repeat themselves after `MAX_PERIOD` characters or fewer."""

LINE_TIMES: Final = 4
MIN_LINE: Final = 20
"""A text is also a loop if a line of at least `MIN_LINE` characters is in it `LINE_TIMES` times."""

MIN_LEAK: Final = 60
"""A text leaks the rules of the prompt if it has this many characters of them in a row: no answer does so by chance."""

SUBJECT: Final = (
    r"(?:sources?|documentation|docs|context|passages?|excerpts?"
    r"|(?:provided|given)\s+(?:texts?|pages?|sections?|information|materials?))"
)
NOT: Final = r"(?:do(?:es)?\s+not|don['’]t|doesn['’]t|did\s+not|didn['’]t)"
CANNOT: Final = r"(?:cannot|can\s+not|can['’]t|could\s+not|couldn['’]t|unable\s+to|not\s+able\s+to)"
VERB: Final = r"(?:answer|find|help|determine|provide|assist|tell|say)"
INFORMATION: Final = r"(?:information|mention|answers?|details?|description|explanation|instructions?)"
# A refusal names the sources, the docs or the writer as its subject: a good answer may say that the software does not
# provide a thing. The gaps are bounded, so that each match looks a fixed number of characters ahead.
REFUSAL = re.compile(
    # The sources do not mention it, or have no information.
    rf"\b{SUBJECT}\b[^.\n]{{0,40}}?\b(?:{NOT}\s+(?:\w{{1,20}}\s+)?(?:mention|cover|contain|say|state|specif|provide|describ|explain"
    rf"|include|tell|address|answer|discuss|document|give|have)|(?:has|have|contains?|provides?|gives?)\s+no\b)"
    # No information in the sources; it is not mentioned there.
    rf"|\b(?:no\s+(?:\w{{1,20}}\s+)?{INFORMATION}|nothing"
    r"|not\s+(?:\w{1,20}\s+)?(?:mentioned|covered|described|explained|documented|specified|stated|provided|contained|included"
    rf"|found|addressed|discussed))\b[^.\n]{{0,60}}?\b(?:in|by|from)\s+(?:\w{{1,20}}\s+){{0,2}}{SUBJECT}\b"
    rf"|\bthere\s+(?:is|are)\s+no\s+(?:\w{{1,20}}\s+)?{INFORMATION}\b"
    rf"|\bno\s+{INFORMATION}\s+(?:is|are)\s+(?:available|given|provided)\b"
    rf"|\bnone\s+of\s+the\s+(?:\w{{1,20}}\s+)?{SUBJECT}\s+(?:mention|cover|contain|say|state|describe|explain)s?\b"
    # It is not specified whether: the question is given back.
    r"|\bnot\s+(?:mentioned|specified|stated|documented|described)\s+(?:whether|if|how|which)\b"
    r"|\A\W{0,8}whether\b[^.\n]{1,120}?\bis\s+not\s+(?:mentioned|specified|stated|documented|described)\b"
    # The writer cannot, or does not know.
    rf"|\b(?:I|we)\b[^.\n]{{0,20}}?\b{CANNOT}\s+(?:\w{{1,20}}\s+)?{VERB}\b"
    rf"|\b(?:I|we)\s+{NOT}\s+(?:know\b|have\s+(?:\w{{1,20}}\s+)?(?:{INFORMATION}|access)\b)|\bI\s+have\s+no\s+{INFORMATION}\b"
    rf"|\A\W{{0,8}}{CANNOT}\s+(?:\w{{1,20}}\s+)?{VERB}\b|\bquestion\s+{CANNOT}\s+be\s+answered\b",
    re.IGNORECASE,
)
REFUSAL_WITHIN: Final = 200
"""A refusal stands within this many characters from the beginning; further down a text says what its answer lacks."""


def is_loop(text: str) -> bool:
    """Whether a text repeats its end over and over, or one of its lines too often."""
    tail = text[-TAIL:]
    if len(tail) == TAIL:
        period = (tail + tail).find(tail[:MAX_PERIOD], 1)
        if 0 < period <= MAX_PERIOD and tail[period:] == tail[:-period]:
            return True
    lines = [line.strip() for line in text.split("\n")]
    long_lines = [line for line in lines if len(line) >= MIN_LINE]
    return (
        len(long_lines) - len(set(long_lines)) >= LINE_TIMES - 1
        and max(map(long_lines.count, set(long_lines))) >= LINE_TIMES
    )


def announces_only(text: str) -> bool:
    """Whether a text has only citations and lines that announce something, such as `The answer is: [1]`."""
    bare = (CITATION.sub("", line).strip(" *_#>-\t\r") for line in text.split("\n"))
    return all(line.endswith(":") for line in bare if line)


def is_refusal(text: str, languages: Collection[str] = ()) -> bool:
    """Whether a text says at its beginning that it has no answer, in English or in one of the languages."""
    # Names in code do not count: `--no-sync` denies nothing.
    prose = CODE_SPAN.sub(lambda code: " " * len(code[0]), text[:REFUSAL_WITHIN])
    return REFUSAL.search(prose) is not None or any_sentence_tells_lack(prose, languages)


def leaks(text: str, rules: str) -> bool:
    """Whether a text repeats a part of the rules of the prompt."""
    # White space and case are ignored: a model wraps lines as it likes, and may be asked to write in capitals.
    squeezed, rule_text = (" ".join(written.split()).casefold() for written in (text, rules))
    return any(
        rule_text[at : at + MIN_LEAK] in squeezed for at in range(0, max(1, len(rule_text) - MIN_LEAK), MIN_LEAK // 2)
    )
