"""Looks for names letter by letter: options as whole words, and options of one letter with their case."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_OPTION: Final = re.compile(r"-{1,2}[A-Za-z][\w-]{0,80}")
_LETTER_OPTION: Final = re.compile(r"-[A-Za-z0-9]")


def comparable_name(name: str) -> str:
    """A name in small letters, but `-N` as it is: for many programs it is another option than `-n`."""
    return name if keeps_case(name) else name.lower()


def keeps_case(name: str) -> bool:
    """Whether a name is an option of a single letter."""
    return _LETTER_OPTION.fullmatch(name) is not None


def count_names(names: Iterable[str], text: str) -> int:
    """How many of some names, or of other strings, a text has as they are written, except for capital letters.

    `-n` is not in `re-named`, and `--no-cache` is not in `--no-cache-sync`. But `-j` is in `-j4`, `-D` in `-DNAME`, and
    `-v` in `-vv`: a value or a repetition may follow an option with one dash.

    Args:
        names: The names, in any case.
        text: The text as it is written.
    """
    lower_text = text.lower()
    return sum(_has(comparable_name(name), text if keeps_case(name) else lower_text) for name in names)


def _has(name: str, text: str) -> bool:
    if name not in text:
        return False
    return not _OPTION.fullmatch(name) or _whole_word(name).search(text) is not None


@lru_cache(maxsize=100)
def _whole_word(name: str) -> re.Pattern[str]:
    end = r"(?![\w-])" if name.startswith("--") else rf"(?:(?=[0-9A-Z])|{re.escape(name[-1])}*(?![\w-]))"
    return re.compile(rf"(?<![\w-]){re.escape(name)}{end}")
