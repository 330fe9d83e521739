"""The versions of the docs in a finished folder: mike lists them in a file, Sphinx names its own in a script."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.addresses import href_of

if TYPE_CHECKING:
    from trueref_plugin.reading.parsed import Head

LISTED: Final = "versions.json"
ONLY: Final = "current"
"""What Docusaurus calls the version of docs that lie in no folder of a version."""
_OPTIONS: Final = "_static/documentation_options.js"
_LARGEST: Final = 1_000_000
"""Bytes of such a file at most. A larger one is something else of the same name."""

_SPHINX_VERSION: Final = re.compile(r"\bVERSION: ?(['\"])([^'\"\n]{0,100})\1")
_COUNTED: Final = re.compile(r"\.dev\d++$")


class _Listed(msgspec.Struct):
    version: str
    aliases: tuple[str, ...] = ()


class Versions:
    """The versions in the folder of a site.

    Args:
        site: The folder.
        heads: The heads of its pages.
    """

    def __init__(self, site: Path, heads: Iterable[Head]) -> None:
        self._site = site
        self._unversioned = _unversioned(heads)
        self._version_of: dict[str, str] = {}
        self._alias_of: dict[str, str] = {}
        for entry in _listed(site / LISTED):
            self._version_of |= dict.fromkeys((entry.version, *entry.aliases), entry.version)
            self._alias_of |= dict.fromkeys(entry.aliases, entry.version)
        # Per instance and not on the method: a cache on the method would keep every instance alive.
        self._sphinx = lru_cache(maxsize=None)(self._sphinx_at)

    def version_of(self, file: str, head: Head) -> str:
        """The version that a page belongs to, "" if nothing names it.

        Args:
            file: Its file.
            head: Its head, which names the version and the generator. Only Sphinx has the version in a script.
        """
        if head.version and head.docs not in self._unversioned:
            return head.version
        folder = file.partition("/")[0]
        if folder in self._version_of:
            return self._version_of[folder]
        return self._sphinx(file.rpartition("/")[0]) if "sphinx" in head.generator.lower() else ""

    def root_of(self, file: str) -> str:
        """The folder of a page's version, "" if the site is not divided into such folders."""
        folder = file.partition("/")[0]
        return folder if folder in self._version_of else ""

    def copied(self, pages: Mapping[str, str]) -> dict[str, str]:
        """The pages in folders of aliases that are copies of pages of a version, with the addresses of the originals.

        Args:
            pages: All pages, with their files.
        """
        by_file = {file: page for page, file in pages.items()}
        originals: dict[str, str] = {}
        for page, file in pages.items():
            folder, _, inner = file.partition("/")
            original = by_file.get(f"{self._alias_of[folder]}/{inner}") if folder in self._alias_of else None
            if original is not None:
                originals[page] = "/" + href_of(original)
        return originals

    def linked_forms(self, file: str, forms: Iterable[str]) -> tuple[str, ...]:
        """The addresses of a page under each alias whose folder is a symbolic link to that of the version.

        Such folders are not entered, so no file in them becomes a page.

        Args:
            file: The file of the page.
            forms: Its addresses, relative to the site.
        """
        if not self._alias_of:
            return ()
        folder = file.partition("/")[0]
        versions = self._alias_of.items()
        aliases = [alias for alias, version in versions if version == folder and (self._site / alias).is_symlink()]
        paths = [form.removeprefix(folder) for form in forms if form == folder or form.startswith(f"{folder}/")]
        return tuple(alias + path for alias in aliases for path in paths)

    def _sphinx_at(self, folder: str) -> str:
        """The version in Sphinx's script of options, in the folder or the nearest one above that has it."""
        script = self._site / folder / _OPTIONS
        text = _text(script)
        version = _SPHINX_VERSION.search(text) if text else None
        if version is not None:
            # Without the number of commits (`.dev12+g3ab`): no reader would choose such a version, and it would make
            # all pages new with each commit.
            return _COUNTED.sub(".dev", version[2].partition("+")[0])
        return self._sphinx(folder.rpartition("/")[0]) if folder else ""


def _unversioned(heads: Iterable[Head]) -> frozenset[str]:
    """The ids of the docs that have no versions, so that the version `current` in their heads means nothing.

    Docusaurus calls the only version of docs `current`, as it does the newest of several.
    """
    versions_by_docs: dict[str, set[str]] = defaultdict(set)
    for head in heads:
        if head.docs:
            versions_by_docs[head.docs].add(head.version)
    return frozenset(docs for docs, versions in versions_by_docs.items() if versions == {ONLY})


def _listed(file: Path) -> tuple[_Listed, ...]:
    """The versions that mike lists."""
    try:
        return msgspec.json.decode(_text(file).encode(), type=tuple[_Listed, ...])
    except msgspec.DecodeError:
        # There is none, or it is another file of this name.
        return ()


def _text(file: Path) -> str:
    """The text of a small file, "" if there is none."""
    try:
        # A link to a device has no size, and no end.
        is_small = file.is_file() and file.stat().st_size <= _LARGEST
        return file.read_text(encoding="utf-8") if is_small else ""
    except (OSError, UnicodeError):
        return ""
