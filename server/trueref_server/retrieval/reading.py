"""What stands in a question besides its words: greetings, quotations, and error messages pasted into it."""

from __future__ import annotations

import re
from typing import Final

from trueref_core.sentences import split_sentences

QUOTED_MOST: Final = 5
QUOTED_LEAST: Final = 3
"""Quotations that are looked for, and the characters that one has at least."""

ERROR_MOST: Final = 300
"""Characters of an error message that are kept: what follows is paths and values of the reader's machine."""

PASTED_LEAST: Final = 3
"""Lines from which a text with a traceback or a log is cut to its telling lines."""

_GREETING: Final = re.compile(
    r"^(?:(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening))"
    r"(?: (?:there|all|everyone|everybody|team|folks|guys))?[\s,.!:;-]{1,5})+",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(
    r"(?:[\s,.!;-]{0,5}\b(?:thanks(?: (?:in advance|a lot|so much))?|thank you(?: (?:in advance|very much|so much))?|"
    r"many thanks|cheers|please help(?: me)?|any help (?:is|would be) appreciated|tia)\b[\s,.!]{0,5})+$",
    re.IGNORECASE,
)
_OPENING: Final = re.compile(
    r"^(?:(?:i (?:was|am) (?:just )?wondering (?:if|whether|how)|i have (?:a|one) (?:quick )?question[:,.]?|"
    r"quick question[:,.]?|(?:can|could) (?:you|someone|anyone) (?:please )?(?:tell|explain to|show) me)\s+)",
    re.IGNORECASE,
)
_QUOTED: Final = re.compile(r"`([^`\n]{1,200})`|\"([^\"\n]{1,200})\"|“([^”\n]{1,200})”")
_ERROR_LINE: Final = re.compile(
    r"(?:\b[A-Za-z_][\w.]{0,80}(?:Error|Exception|Warning)\b:|\b(?:error|fatal|panic|warning)\b ?(?:\[[\w-]{1,20}\])?"
    r"(?: -)?:? ?)(?P<message>.{0,400})",
    re.IGNORECASE,
)
_FRAME: Final = re.compile(
    r"^\s*(?:File \"|at [\w.$<>/]+|\d{1,5}[:|]|\^|~|Traceback|\.{3}|-{3,}|={3,}|\[\d)", re.IGNORECASE
)
"""How a line of a traceback or a log begins that names a place and no problem."""


def without_courtesy(text: str) -> str:
    """A question without greetings, thanks and openings that say nothing; as it was where nothing else is in it."""
    bare = _THANKS.sub("", _OPENING.sub("", _GREETING.sub("", text.strip()))).strip()
    return bare or text.strip()


def telling_part(text: str) -> str:
    """A question with a pasted log cut to its prose and to the line that names the error."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < PASTED_LEAST or not any(_FRAME.match(line) for line in lines):
        return text
    kept = [line for line in lines if not _FRAME.match(line) and not line.startswith((" ", "\t"))]
    return "\n".join(kept) or lines[-1]


def quotations(text: str) -> tuple[str, ...]:
    """What a question quotes, in backticks or quotation marks."""
    found = (next(filter(None, match.groups())).strip() for match in _QUOTED.finditer(text))
    return tuple(dict.fromkeys(quote for quote in found if len(quote) >= QUOTED_LEAST))[:QUOTED_MOST]


def error_message(text: str) -> str:
    """The message of an error that a question has, "" where it has none: what follows `error:` or `ValueError:`."""
    match = next((found for found in _ERROR_LINE.finditer(text) if ":" in found[0]), None)
    if match is None:
        return ""
    message = match["message"].strip() or match[0].strip(" :")
    ends = [end for _, end in split_sentences(message)]
    return message[: ends[0] if ends else None][:ERROR_MOST].strip(" .,;")
