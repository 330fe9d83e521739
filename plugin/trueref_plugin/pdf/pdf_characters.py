"""Cleans the characters of a PDF: ligatures, spaces, and words that are hyphenated at the end of a line."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

HYPHEN: Final = "\ufffe"
"""Stands for a hyphen at the end of a line, as long as it is not known whether the word is written with it."""

_LIGATURES: Final = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st", "Ĳ": "IJ", "ĳ": "ij"}
)
# Noncharacters, control characters, marks of direction, and characters without width.
_NOTHING: Final = re.compile(
    "[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u200b-\u200f\u2060-\u2064\ufdd0-\ufdef\ufeff\ufffd\uffff]"
)
_WORD: Final = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*")
_PARTED: Final = re.compile(f"([^\\W\\d_]*)\\s?{HYPHEN}\\s?([^\\W\\d_]*)")
_HYPHENS: Final = str.maketrans("\u2010\u2011", "--")


def clean(text: str) -> str:
    """Text with plain letters and single spaces. Marks of hyphens at line ends stay, for `mend`."""
    return " ".join(_NOTHING.sub("", text.translate(_LIGATURES)).split())


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """The words of a document that are not divided by a line end, in small letters."""
    return frozenset(
        word.lower().translate(_HYPHENS)
        for text in texts
        for piece in text.split()
        if HYPHEN not in piece
        for word in _WORD.findall(piece)
    )


def mend(text: str, words: frozenset[str]) -> str:
    """Text with its hyphenated words joined. The hyphen stays if the document writes the word with it elsewhere."""
    return _PARTED.sub(lambda match: _mended(match[1], match[2], words), text) if HYPHEN in text else text


def _mended(beginning: str, ending: str, words: frozenset[str]) -> str:
    """Joins the two halves of a word."""
    whole, hyphened = f"{beginning}{ending}", f"{beginning}-{ending}"
    if not beginning or not ending or not ending[0].islower():
        # The hyphen of `Anglo-Saxon` and `RFC-2119`: what follows is no small letter, so it is not the rest of a word.
        return hyphened
    has_hyphen = hyphened.lower() in words and whole.lower() not in words
    return hyphened if has_hyphen else whole
