"""Looks up pages and anchors of earlier builds in the history, for `resolve`.

The history may be ahead of the manifest, if a build was killed before its generation was served. So an entry is used
only if the manifest has its successor. `resolve` asks here only for pages and anchors that the manifest lacks.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from trueref_core.links.target_lookup import can_be_successor, folder_of
from trueref_core.manifest.history import Entry
from trueref_core.manifest.lookup import Manifest


def former_page(manifest: Manifest, site: str, path: str) -> Entry | None:
    """The history entry for the page that an earlier build had at a path, in any form that static hosts accept."""
    return _first_entry(manifest, site, [path], [""])


def former_anchor(manifest: Manifest, site: str, paths: Iterable[str], fragment: str) -> Entry | None:
    """The history entry for an anchor that an earlier build had; None for an empty fragment.

    Args:
        manifest: The manifest, with its history.
        site: Name of the site.
        paths: Addresses to look under: that of the page that the link leads to, and the path as written, which may be
            an earlier address of the page.
        fragment: The fragment as written. It is looked up in this form first, as browsers do, and then decoded.
    """
    return _first_entry(manifest, site, paths, [fragment, unquote(fragment, errors="replace")]) if fragment else None


def _first_entry(manifest: Manifest, site: str, paths: Iterable[str], anchors: Iterable[str]) -> Entry | None:
    """The first usable entry for these anchors at any of the paths, each also in the other form that hosts accept."""
    forms = (form for path in paths for form in (path, folder_of(path)))
    entries = (manifest.history.find(site, form, anchor) for form in forms for anchor in anchors)
    return next((entry for entry in entries if entry is not None and _is_usable(manifest, entry)), None)


def _is_usable(manifest: Manifest, entry: Entry) -> bool:
    """Whether an entry has no successor, or one that the manifest has."""
    return entry.to_page is None or can_be_successor(manifest, entry.site, entry.to_page, entry.to_anchor)
