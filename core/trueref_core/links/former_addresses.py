"""Looks up pages and anchors of earlier builds in the history, for `resolve`.

The history may be ahead of the manifest, if a build was killed before its generation was served. So an entry only
counts if the manifest has its successor. Nothing is looked up here that the manifest has itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from trueref_core.manifest.history import Entry
from trueref_core.manifest.lookup import Manifest


def page_then(manifest: Manifest, site: str, path: str) -> Entry | None:
    """The entry for the page that an earlier build had at a path, in any form that static hosts accept."""
    history = manifest.history
    entries = (history.find(site, form) for form in _forms(path))
    return next((entry for entry in entries if entry is not None and _counts(manifest, entry)), None)


def anchor_then(manifest: Manifest, site: str, paths: Iterable[str], fragment: str) -> Entry | None:
    """The entry for an anchor that an earlier build had.

    Args:
        manifest: The manifest, with its history.
        site: Name of the site.
        paths: Addresses to look under: that of the page which the link leads to, and the path as written, which may be
            an earlier address of the page.
        fragment: The anchor as written: a browser tries it like that before it decodes it.
    """
    history = manifest.history
    if not history.entries or not fragment:
        return None
    forms = dict.fromkeys(form for path in paths for form in _forms(path))
    names = dict.fromkeys((fragment, unquote(fragment, errors="replace")))
    entries = (history.find(site, form, name) for form in forms for name in names)
    return next((entry for entry in entries if entry is not None and _counts(manifest, entry)), None)


def _forms(path: str) -> tuple[str, ...]:
    """The addresses under which every static host shows the page of a path."""
    if f"/{path}".endswith("/index.html"):
        return path, path.removesuffix("index.html")
    return path, f"{path}/"


def _counts(manifest: Manifest, entry: Entry) -> bool:
    """Whether the manifest has the successor of an entry, or the entry has none."""
    if entry.to_page is None:
        return True
    to = manifest.page(entry.to_page, entry.site)
    return to is not None and (not entry.to_anchor or manifest.anchor(to.page, entry.to_anchor, to.site) is not None)
