"""Finds the files in which a question says that something is written: they are the place, and not what is asked."""

from __future__ import annotations

import re
from typing import Final

_IN_FILE: Final = re.compile(
    r"\b(?:in|inside|into|within|to|from|via|using|through) (?:the |my |a |our )?((?:file )?`?)"
    r"((?<![\w./-])[\w./-]{0,80}\w\."
    r"(?:js|jsx|ts|tsx|mjs|cjs|py|rb|rs|go|toml|json|ya?ml|html?|css|md|rst|txt|cfg|ini|conf|lock|sh|xml))"
    r"(?![\w/-]|\.\w)",
    re.IGNORECASE,
)
"""The name of a file behind a preposition, as group 2: `in mkdocs.yml`, `to my settings.py`. Group 1 marks it as a
file."""

_MAY_BE_PRODUCT: Final = (".js", ".rs")
_PLAINLY_FILE: Final = re.compile(r"/|\.config\.", re.IGNORECASE)
"""The endings of names of products and sites too, `node.js` and `docs.rs`, and what only files have in their names."""


def files_as_places(query: str) -> tuple[str, ...]:
    """The names of files behind a preposition, as in `How do I set a variable in pyproject.toml?`.

    `In node.js` names no file: of such a name backticks, the word `file`, or a folder has to say that it is one.

    Args:
        query: The question in one line.
    """
    return tuple(
        name
        for mark, name in _IN_FILE.findall(query)
        if mark or not name.lower().endswith(_MAY_BE_PRODUCT) or _PLAINLY_FILE.search(name)
    )
