"""Decides what a path given to a check is: a built site, Markdown sources, or any other text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from trueref_plugin.checking.markdown.project import (
    CONFIG_NAMES,
    DOCUSAURUS_NAMES,
    DOCUSAURUS_SUFFIXES,
    SOURCE_SUFFIXES,
    find_config,
    is_docusaurus,
)

MARKDOWN: Final = (*SOURCE_SUFFIXES, ".mdx")

RESTRUCTURED_TEXT: Final = (".rst", ".rest")
"""Suffixes of reStructuredText. Only Sphinx knows where its links lead: by the extensions and labels of the project."""

NOT_WALKED: Final = frozenset(("node_modules", "venv", "__pycache__"))
"""Folders of installed programs: their documentation is not that of the project."""


def is_site(folder: Path) -> bool:
    """Whether a folder is a built site. Sources may hold some HTML too, but no `index.html` beside Markdown files."""
    names = [entry.name.lower() for entry in folder.iterdir()]
    if not {*CONFIG_NAMES, *DOCUSAURUS_NAMES}.isdisjoint(names):
        return False
    if "index.html" in names or any(name.endswith(MARKDOWN) for name in names):
        return "index.html" in names
    # Both a site and its sources may have only a folder for each language at their root.
    return next(markdown_below(folder), None) is None or any(folder.rglob("index.html"))


def markdown_below(folder: Path) -> Iterator[Path]:
    """The Markdown files below a folder, in the order of their names."""
    # Hidden files are left out: no generator makes pages from them, although other pages may include them.
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in NOT_WALKED)
        names = (name for name in sorted(files) if name.lower().endswith(MARKDOWN) and not name.startswith("."))
        yield from (Path(root) / name for name in names)


def is_source(path: Path, config: Path | None) -> bool:
    """Whether a file is read as a Markdown source. A file of MDX is only read so if Docusaurus makes pages from it.

    `config` is the configuration that the options name; None looks for one.
    """
    is_mdx = path.suffix.lower() in DOCUSAURUS_SUFFIXES and path.suffix.lower() not in SOURCE_SUFFIXES
    if is_mdx:
        return is_docusaurus(config or find_config(path.parent))
    return path.suffix.lower() in SOURCE_SUFFIXES
