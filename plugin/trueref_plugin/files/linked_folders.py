"""Finds the folders of a site that are symbolic links to other folders of it, such as `latest` of mike or of Sphinx.

A host serves the files behind such a link under both addresses. `find_files` does not follow links, so that these files
do not become pages a second time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path


class LinkedFolders:
    """The symbolic links in a site that lead to folders of the same site.

    Args:
        site: The folder of the site.
    """

    def __init__(self, site: Path) -> None:
        root = os.path.realpath(site)
        self._targets: dict[str, str] = {}
        for folder, names, _ in os.walk(site):
            for path in (Path(folder, name) for name in names):
                # A link to a folder outside of the site has no pages of the site behind it.
                if path.is_symlink() and (target := _inside(os.path.realpath(path), root)) is not None:
                    self._targets[path.relative_to(site).as_posix()] = target

    def other_addresses(self, forms: Iterable[str]) -> tuple[str, ...]:
        """The addresses of a page under each link to a folder that the page is in.

        Args:
            forms: The addresses of the page, relative to the site.
        """
        addresses = (
            link + form[len(target) :] if target else f"{link}/{form}"
            for form in forms
            for link, target in self._targets.items()
            if not target or form == target or form.startswith(f"{target}/")
        )
        return tuple(dict.fromkeys(addresses))


def _inside(path: str, root: str) -> str | None:
    """A path relative to the root, with forward slashes; "" for the root itself, None for a path outside of it."""
    if path == root:
        return ""
    inner = os.path.relpath(path, root).replace(os.sep, "/")
    return None if inner == ".." or inner.startswith("../") else inner
