"""Cleans the characters of a PDF: ligatures, spaces, and words that are hyphenated at the end of a line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

HYPHEN: Final = "\ufffe"
"""Stands for a hyphen at the end of a line until `dehyphenate` decides whether the word has this hyphen."""

_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "Ĳ": "IJ", "ĳ": "ij"}
)
# Noncharacters, control characters, marks of the direction of writing, and characters without width.
_INVISIBLE: Final = re.compile(
    "[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2060-\u2064\ufdd0-\ufdef\ufeff\ufffd\uffff]"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")
_HYPHENATED: Final = re.compile(f"([^\\W\\d_]*)\\s?{HYPHEN}\\s?([^\\W\\d_]*)")
_HYPHENS: Final = str.maketrans("\u2010\u2011", "--")


def clean(text: str) -> str:
    """Text without ligatures and invisible characters, with single spaces. `HYPHEN` stays in it, for `dehyphenate`."""
    return " ".join(_INVISIBLE.sub("", text.translate(_LIGATURES)).split())


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """The words of a document that are not hyphenated at the end of a line, in lower case."""
    return frozenset(
        word.lower().translate(_HYPHENS)
        for text in texts
        for piece in text.split()
        if HYPHEN not in piece
        for word in _WORD.findall(piece)
    )


def dehyphenate(text: str, words: frozenset[str]) -> str:
    """Text with its hyphenated words joined. A hyphen stays if the document has the word with a hyphen elsewhere.

    Args:
        text: A text with `HYPHEN` at each former end of a line with a hyphen.
        words: The words of the document, from `vocabulary`.
    """
    return _HYPHENATED.sub(lambda match: _joined_word(match[1], match[2], words), text) if HYPHEN in text else text


def _joined_word(beginning: str, ending: str, words: frozenset[str]) -> str:
    """Joins the two halves of a word."""
    whole, hyphened = f"{beginning}{ending}", f"{beginning}-{ending}"
    if not beginning or not ending or not ending[0].islower():
        # As in `Anglo-Saxon` and `RFC-2119`: the rest of a divided word would begin with a lower-case letter.
        return hyphened
    has_hyphen = hyphened.lower() in words and whole.lower() not in words
    return hyphened if has_hyphen else whole
