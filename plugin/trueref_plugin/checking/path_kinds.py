"""Decides what a path is: one given to a check is a site, sources or other text, and one in a link a page or a file."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from trueref_core.addresses import HTML_SUFFIXES
from trueref_core.errors import OptionError
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

_PAGE_SUFFIXES: Final = frozenset(("", *HTML_SUFFIXES, *MARKDOWN))
_END_OF_VERSION: Final = re.compile(r"\.(?:\d+(?:(?:a|b|rc)\d+)?|x)")
"""Matches what looks like the suffix of a name, and is the end of a version: `.3` of `v1.3`, `.0rc1`, `.x`."""

NOT_WALKED: Final = frozenset(("node_modules", "venv", "__pycache__"))
"""Folders of installed programs: their documentation is not that of the project."""


def is_site(folder: Path) -> bool:
    """Whether a folder is a built site. Sources may hold some HTML too, but no `index.html` beside Markdown files.

    Raises:
        OptionError: The folder cannot be listed.
    """
    try:
        names = [entry.name.lower() for entry in folder.iterdir()]
    except OSError as error:
        raise OptionError(
            f"The folder {folder} cannot be read ({error.strerror or error}). Let this user read it, or name another."
        ) from error
    if not {*CONFIG_NAMES, *DOCUSAURUS_NAMES}.isdisjoint(names):
        return False
    if "index.html" in names or any(name.endswith(MARKDOWN) for name in names):
        return "index.html" in names
    # Both a site and its sources may have only a folder for each language at their root.
    return next(markdown_below(folder), None) is None or any(folder.rglob("index.html"))


def names_page(path: str) -> bool:
    """Whether a path in a link is that of a page, which may not exist: a folder, or a name without another suffix."""
    suffix = PurePosixPath(path).suffix.lower()
    return path.endswith("/") or suffix in _PAGE_SUFFIXES or _END_OF_VERSION.fullmatch(suffix) is not None


def markdown_below(folder: Path, unlisted: Callable[[OSError], object] | None = None) -> Iterator[Path]:
    """The Markdown files below a folder, in the order of their names.

    `unlisted` receives the error of each folder that cannot be listed, so that its files are left out.
    """
    # Hidden files are left out: no generator makes pages from them, although other pages may include them.
    for root, folders, files in os.walk(folder, onerror=unlisted):
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
