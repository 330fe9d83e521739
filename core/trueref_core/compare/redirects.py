"""Redirects for pages that moved, in the form that the generator of the site can use."""

from __future__ import annotations

from posixpath import dirname, relpath
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from trueref_core.addresses import href_of
from trueref_core.compare.redirect_maps import redirect_maps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trueref_core.compare.changes import Change, Difference
    from trueref_core.manifest.lookup import Manifest

_MKDOCS: Final = ("mkdocs", "properdocs")


def redirects(difference: Difference, old: Manifest, new: Manifest) -> str:
    """Redirects for all pages that moved and are not redirected yet, as lines.

    For a site of Sphinx it is the option of sphinx-reredirects, for one of MkDocs that of mkdocs-redirects, and so for
    one that does not say what made it: the names of sources are then looked over anyway. For all others it is a file
    `_redirects`, as several hosts read it.
    """
    generators = [site.generator.lower() for site in new.sites]
    if generators and all("sphinx" in generator for generator in generators):
        return _sphinx(difference)
    if all(not generator or any(name in generator for name in _MKDOCS) for generator in generators):
        return redirect_maps(difference, old, new)
    return "".join(sorted(f"{_path(new, change)} 301\n" for change in _moved(difference)))


def _sphinx(difference: Difference) -> str:
    """The option `redirects` of sphinx-reredirects, as Python.

    A target counts from the old page. It has no anchor, since the redirect puts the one of the old link behind it.
    """
    lines = sorted(
        f"    {_quoted(_document(change.page))}: {_quoted(_relative(change.page, change.successor.page))},\n"
        for change in _moved(difference)
        if change.successor and change.page
    )
    return "redirects = {" + ("\n" + "".join(lines) if lines else "") + "}\n"


def _moved(difference: Difference) -> Iterator[Change]:
    """The pages that moved."""
    return (change for change in difference.changes if change.change == "moved" and not change.anchor)


def _document(page: str) -> str:
    """A page as Sphinx names its document: without suffix, or without the slash of the builder `dirhtml`."""
    return page.removesuffix(".html").rstrip("/")


def _relative(page: str, target: str) -> str:
    """The address of a page, relative to another one."""
    path = relpath(target or ".", dirname(page) or ".")
    return href_of(f"{path}/" if target.endswith("/") or not target else path)


def _path(new: Manifest, change: Change) -> str:
    """The old and the new path of a page on its host."""
    assert change.successor is not None
    site = new.site(change.site)
    root = urlsplit((site.base_url if site is not None else None) or "/").path
    successor = change.successor
    return f"{root}{href_of(change.page)} {root}{href_of(successor.page, successor.anchor)}"


def _quoted(text: str) -> str:
    """A text as Python."""
    # Every string of JSON is one of Python.
    return msgspec.json.encode(text).decode()
