"""Looks for a name in a text, however it is written there: `keep-alive` as `keepAlive`, and `HTTP/3` as `http3`."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

_NO_LETTERS: Final = re.compile(r"[\W_]")
_SIGNS_AT_END: Final = re.compile(r"[+#]{0,2}\Z")

_EDGE: Final = (
    r"(?:(?<![^\W\d_])|(?![^\W\d_])|(?<=[a-z])(?=[A-Z])|(?=[A-Z][a-z]))"
    r"(?:(?<!\d)|(?![^\W_])|(?=[A-Z][a-z]))"
)
"""Where a word or a number begins or ends, or a part of a name such as `keepAliveTimeout`."""


def has_any(names: Collection[str], texts: Collection[str]) -> bool:
    """Whether one of some texts has one of some names, or its plural, as whole words or parts of another name.

    `keepalive` is in `keepAliveTimeout`, and `HTTP/3` not in `HTTP 301`. The signs of `C++` and `C#` count.
    """
    letters = [*map(_letters, texts)]
    # The letters alone tell faster which few texts may have a name.
    return any(
        written.search(text)
        for name, written in ((_letters(name), _written(name)) for name in names)
        for text, letters_of_text in zip(texts, letters, strict=True)
        if name in letters_of_text
    )


def _written(name: str) -> re.Pattern[str]:
    """Matches a name in any spelling: in small letters or capitals, with other signs between its letters, or none."""
    signs = _SIGNS_AT_END.search(name)
    characters = [*_letters(name), *(signs[0] if signs else "")]
    between = r"[\W_]{0,3}"
    return re.compile(rf"{_EDGE}(?i:{between.join(map(re.escape, characters))}s?){_EDGE}")


def _letters(text: str) -> str:
    """The letters and digits of a text, in small letters."""
    return _NO_LETTERS.sub("", text.lower())
