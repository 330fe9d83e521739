"""Looks up pages and anchors of earlier builds in the history, for `resolve`.

The history may be ahead of the manifest, if a build was killed before its generation was served. So an entry only
counts if the manifest has its successor. Nothing is looked up here that the manifest has itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from trueref_core.links.target_lookup import folder_of, may_succeed
from trueref_core.manifest.history import Entry
from trueref_core.manifest.lookup import Manifest


def page_then(manifest: Manifest, site: str, path: str) -> Entry | None:
    """The entry for the page that an earlier build had at a path, in any form that static hosts accept."""
    return _first_entry(manifest, site, [path], [""])


def anchor_then(manifest: Manifest, site: str, paths: Iterable[str], fragment: str) -> Entry | None:
    """The entry for an anchor that an earlier build had.

    Args:
        manifest: The manifest, with its history.
        site: Name of the site.
        paths: Addresses to look under: that of the page which the link leads to, and the path as written, which may be
            an earlier address of the page.
        fragment: The anchor as written: a browser tries it like that before it decodes it.
    """
    return _first_entry(manifest, site, paths, [fragment, unquote(fragment, errors="replace")]) if fragment else None


def _first_entry(manifest: Manifest, site: str, paths: Iterable[str], anchors: Iterable[str]) -> Entry | None:
    """The first entry that counts, under the addresses at which every static host shows the pages of these paths."""
    forms = (form for path in paths for form in (path, folder_of(path)))
    entries = (manifest.history.find(site, form, anchor) for form in forms for anchor in anchors)
    return next((entry for entry in entries if entry is not None and _counts(manifest, entry)), None)


def _counts(manifest: Manifest, entry: Entry) -> bool:
    """Whether the manifest has the successor of an entry, or the entry has none."""
    return entry.to_page is None or may_succeed(manifest, entry.site, entry.to_page, entry.to_anchor)
