"""Finds the files in which a question says that something is written: they are the place, and not what is asked."""

from __future__ import annotations

import re
from typing import Final

_IN_FILE: Final = re.compile(
    r"\b(?:in|inside|into|within|to|from|via|using|through) (?:the |my |a |our )?(?:file )?`?"
    r"((?<![\w./-])[\w./-]{0,80}\w\.(?:js|ts|mjs|cjs|py|toml|json|ya?ml|html?|css|md|rst|txt|cfg|ini|conf|lock|sh|xml))"
    r"(?![\w/-]|\.\w)",
    re.IGNORECASE,
)
"""The name of a file behind a preposition: `in mkdocs.yml`, `to my settings.py`."""


def files_as_places(query: str) -> tuple[str, ...]:
    """The names of files behind a preposition, as in `How do I set a variable in pyproject.toml?`.

    Args:
        query: The question in one line.
    """
    return tuple(_IN_FILE.findall(query))
