"""Finds the versions in the folder of a finished site: mike lists them in a file, Sphinx names its own in a script."""

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

VERSIONS_FILE: Final = "versions.json"
"""The file in which mike lists the versions of a site."""
CURRENT: Final = "current"
"""The name that Docusaurus gives to the version that is in no folder of a version."""
_OPTIONS_SCRIPT: Final = "_static/documentation_options.js"
_MAX_BYTES: Final = 1_000_000
"""Bytes of these two files at most. A larger file is another one that has the same name."""

_SPHINX_VERSION: Final = re.compile(r"\bVERSION: ?(['\"])([^'\"\n]{0,100})\1")
_COMMIT_COUNT: Final = re.compile(r"\.dev\d++$")


class _ListedVersion(msgspec.Struct):
    """An entry of mike's file. Each version and each alias is the name of a folder."""

    version: str
    aliases: tuple[str, ...] = ()


class PublishedVersions:
    """The versions in the folder of a site.

    Args:
        site: The folder.
        heads: The heads of all pages of the site.
    """

    def __init__(self, site: Path, heads: Iterable[Head]) -> None:
        self._site = site
        self._unversioned = _unversioned(heads)
        self._version_of: dict[str, str] = {}
        self._alias_of: dict[str, str] = {}
        for entry in _listed_versions(site / VERSIONS_FILE):
            self._version_of |= dict.fromkeys((entry.version, *entry.aliases), entry.version)
            self._alias_of |= dict.fromkeys(entry.aliases, entry.version)
        # The cache is made for each instance: a cache on the method of the class would keep all instances alive.
        self._sphinx = lru_cache(maxsize=None)(self._sphinx_at)

    def version_of(self, file: str, head: Head) -> str:
        """The version that a page belongs to, "" if nothing names it.

        Args:
            file: The file of the page.
            head: The head of the page, which may name the version. If the generator is Sphinx, the script is read too.
        """
        if head.version and head.docs not in self._unversioned:
            return head.version
        folder = file.partition("/")[0]
        if folder in self._version_of:
            return self._version_of[folder]
        return self._sphinx(file.rpartition("/")[0]) if "sphinx" in head.generator.lower() else ""

    def root_of(self, file: str) -> str:
        """The folder of the version that a page belongs to, "" if the site has no folders for versions."""
        folder = file.partition("/")[0]
        return folder if folder in self._version_of else ""

    def copies(self, pages: Mapping[str, str]) -> dict[str, str]:
        """A link to the original, by the page that is a copy of it under an alias of a version (mike's `latest/`).

        Args:
            pages: The file of each page of the site.
        """
        by_file = {file: page for page, file in pages.items()}
        originals: dict[str, str] = {}
        for page, file in pages.items():
            folder, _, inner = file.partition("/")
            original = by_file.get(f"{self._alias_of[folder]}/{inner}") if folder in self._alias_of else None
            if original is not None:
                originals[page] = "/" + href_of(original)
        return originals

    def _sphinx_at(self, folder: str) -> str:
        """The version in Sphinx's script of options, in this folder or the nearest one above that has the script."""
        script = self._site / folder / _OPTIONS_SCRIPT
        text = _text(script)
        version = _SPHINX_VERSION.search(text) if text else None
        if version is not None:
            # The count of commits is left out (`.dev12+g3ab` becomes `.dev`): no reader would choose such a version,
            # and all pages would change with each commit.
            return _COMMIT_COUNT.sub(".dev", version[2].partition("+")[0])
        return self._sphinx(folder.rpartition("/")[0]) if folder else ""


def _unversioned(heads: Iterable[Head]) -> frozenset[str]:
    """The ids of the sets of docs that have no versions, although their heads name a version.

    Docusaurus gives the name `current` to the only version of a set of docs, and also to the newest of several
    versions.
    """
    versions_by_docs: dict[str, set[str]] = defaultdict(set)
    for head in heads:
        if head.docs:
            versions_by_docs[head.docs].add(head.version)
    return frozenset(docs for docs, versions in versions_by_docs.items() if versions == {CURRENT})


def _listed_versions(file: Path) -> tuple[_ListedVersion, ...]:
    """The versions in a file that mike wrote."""
    try:
        return msgspec.json.decode(_text(file).encode(), type=tuple[_ListedVersion, ...])
    except msgspec.DecodeError:
        # The file does not exist, or is another file with this name.
        return ()


def _text(file: Path) -> str:
    """The text of a small file, "" if it does not exist or cannot be read."""
    try:
        # `is_file` excludes a link to a device, which has no size and never ends.
        is_small = file.is_file() and file.stat().st_size <= _MAX_BYTES
        return file.read_text(encoding="utf-8") if is_small else ""
    except (OSError, UnicodeError):
        return ""
