"""What earlier builds had at an address that this one has not, for `resolve`.

The history may be ahead of the manifest, when a build was killed before its generation was served: an entry counts only
where the manifest has what it leads to, and has not the place itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import unquote

from trueref_core.manifest.history import Entry
from trueref_core.manifest.lookup import Manifest


def page_then(manifest: Manifest, site: str, path: str) -> Entry | None:
    """What became of the page that an earlier build had at a path, in any form that static hosts know."""
    history = manifest.history
    entries = (history.find(site, form) for form in _forms(path))
    return next((entry for entry in entries if entry is not None and _counts(manifest, entry)), None)


def anchor_then(manifest: Manifest, site: str, paths: Iterable[str], fragment: str) -> Entry | None:
    """What became of an anchor that an earlier build had.

    Args:
        manifest: The manifest, with its history.
        site: Name of the site.
        paths: The address of the page that a link leads to, or the path as written, which the page may have had then.
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
    """Whether the manifest has what an entry of the history leads to, or the entry leads nowhere."""
    if entry.to_page is None:
        return True
    to = manifest.page(entry.to_page, entry.site)
    return to is not None and (not entry.to_anchor or manifest.anchor(to.page, entry.to_anchor, to.site) is not None)
