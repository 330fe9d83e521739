"""What MkDocs does to a page of a source distribution before it is built."""

from __future__ import annotations

import re
from typing import Final

_GENERATED: Final = re.compile(r"^::: .*\n(?:(?: {4}.*)?\n)*", re.MULTILINE)
"""A place where another plugin would write, such as reference read from docstrings, with the options below it."""


def on_page_markdown(markdown: str, **_: object) -> str:
    """Leave out the places where missing plugins would write: their marks would stand in the text as they are."""
    return _GENERATED.sub("", markdown)
