"""Updates the history after a build: the pages and anchors that the generation before had, and where they are now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.compare.diff import Change, Location, diff, same_sites
from trueref_core.errors import IndexDamaged, IndexFault
from trueref_core.generations.served_generation import read_build_manifest
from trueref_core.links.target_lookup import may_succeed
from trueref_core.manifest.history import MOST_ENTRIES, Entry, History, read_or_reset_history, write_history

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

LocationKey = tuple[str, str, str]

IN_STEPS: Final = "in several steps, and at last "
"""Stands before the proof of the last step. Keeping the proofs of all steps would make entries grow with each build."""


def keep_history(index: Path, old: Path | None, new: Path) -> None:
    """Write the pages and anchors that are lost between two generations to `history.json`. The caller holds the lock.

    This happens before `current.json` names the new generation. A build that is killed in between leaves entries for
    anchors that the old generation still has, which have no effect, and for successors that it lacks, which are not
    followed.

    Args:
        index: The index folder.
        old: Folder of the generation that is served; None if there is none, or it is not known.
        new: Folder of the generation that is to be served.
    """
    history = read_or_reset_history(index)
    before, after = _manifest(old) if old else None, _manifest(new)
    if after is None or (before is None and not history.entries):
        return
    try:
        write_history(index, updated(history, before, after))
    except IndexDamaged:
        # Anchors are read when they are compared. Damage in the old generation must not stop the build, so in this case
        # nothing is added to the history.
        write_history(index, updated(history, None, after))


def updated(history: History, old: Manifest | None, new: Manifest) -> History:
    """A history after one more build.

    Entries for pages and anchors that exist again are dropped. Successors are followed to where they are now, so that
    every one of them exists in `new`. If there are more than `MOST_ENTRIES`, the oldest are dropped.

    Args:
        history: The history until `old`.
        old: The manifest that was served before; None if it is not known: then nothing is added.
        new: The manifest that is served from now on.
    """
    names = same_sites(old, new) if old else {}
    site_names = {site.name for site in new.sites}
    # The history of a site that left the index is dropped with it.
    named = (msgspec.structs.replace(entry, site=names.get(entry.site, entry.site)) for entry in history.entries)
    before = {_key(entry): entry for entry in named if entry.site in site_names}
    changes = _losses(old, new, site_names)
    after = {key: _followed(entry, changes, new) for key, entry in before.items()}
    new_entries = {key: _entry(change) for key, change in changes.items() if change.change != "redirected"}
    for key, entry in new_entries.items():
        if after.get(key) != entry:
            # Moved to the end: the order of entries is their age, and this one is the latest.
            after.pop(key, None)
            after[key] = entry
    for entry in _under_old_addresses(new_entries.values(), [*before.values(), *after.values()]):
        after.setdefault(_key(entry), entry)
    lost = [entry for entry in after.values() if not _exists(new, entry.site, entry.page, entry.anchor)]
    return History(lost[-MOST_ENTRIES:])


def _losses(old: Manifest | None, new: Manifest, site_names: set[str]) -> dict[LocationKey, Change]:
    """The changes of pages and anchors that are no longer at their address, by site, page and anchor."""
    if old is None:
        return {}
    # Sites with equal digests have equal pages and anchors. They need not be compared: most builds change one site of
    # several, and a preview publishes the same content twice, without vectors and with them.
    same = {site.name for site in old.sites if site.digest and site in new.sites}
    if same == {site.name for site in (*old.sites, *new.sites)}:
        return {}
    old, new = (manifest.of_sites({site.name for site in manifest.sites} - same) for manifest in (old, new))
    return {
        (change.site, change.page, change.anchor): change
        for change in diff(old, new).changes
        if change.change != "added" and change.site in site_names
    }


def _under_old_addresses(lost: Iterable[Entry], entries: Iterable[Entry]) -> Iterable[Entry]:
    """Entries for lost anchors under every earlier address of their page.

    A link to `a/#x` is led to `b/`, where page `a/` is now, and then to what became of `x` there. When that page goes
    on to `c/`, nobody passes by `b/` any more.
    """
    leading: dict[tuple[str, str], set[str]] = {}
    for entry in entries:
        if not entry.anchor and entry.to_page is not None:
            leading.setdefault((entry.site, entry.to_page), set()).add(entry.page)
    return (
        msgspec.structs.replace(entry, page=page)
        for entry in lost
        if entry.anchor
        for page in sorted(leading.get((entry.site, entry.page), ()))
    )


def _entry(change: Change) -> Entry:
    to_page, to_anchor = (change.successor.page, change.successor.anchor) if change.successor else (None, "")
    return Entry(change.site, change.page, change.anchor, to_page, to_anchor, change.proof, change.hidden)


def _followed(entry: Entry, changes: Mapping[LocationKey, Change], new: Manifest) -> Entry:
    """An entry with its successor followed to the new build, or without one if it is lost there."""
    if entry.to_page is None or may_succeed(new, entry.site, entry.to_page, entry.to_anchor):
        return entry
    anchor = changes.get((entry.site, entry.to_page, entry.to_anchor))
    page = changes.get((entry.site, entry.to_page, ""))
    successor, proof = (anchor.successor, anchor.proof) if anchor else (None, "")
    # The anchor itself did not change, but its page moved, and took the anchor along.
    if anchor is None and entry.to_anchor and page is not None and page.successor is not None:
        successor, proof = Location(page.successor.page, entry.to_anchor), page.proof
    if successor is None and not entry.anchor and (page_only := _page_of(entry, page, new)):
        # The successor of a page was a section of another page. The section is gone, but its page still exists.
        successor, proof = page_only, page.proof if page is not None else entry.proof.removeprefix(IN_STEPS)
    if successor is None or not may_succeed(new, entry.site, successor.page, successor.anchor):
        return msgspec.structs.replace(entry, to_page=None, to_anchor="", proof="")
    where = {"to_page": successor.page, "to_anchor": successor.anchor}
    return msgspec.structs.replace(entry, **where, proof=f"{IN_STEPS}{proof}")


def _page_of(entry: Entry, page: Change | None, new: Manifest) -> Location | None:
    """The page of a successor that was a section, or the successor of that page."""
    assert entry.to_page is not None
    if may_succeed(new, entry.site, entry.to_page, ""):
        return Location(entry.to_page)
    return Location(page.successor.page) if page is not None and page.successor is not None else None


def _exists(manifest: Manifest, site: str, page: str, anchor: str) -> bool:
    """Whether the manifest leads to the page or anchor itself, so that no history is needed for it."""
    known_page, behind = manifest.page(page, site), manifest.page_by_alias(page, site)
    if not anchor:
        return known_page is not None or behind is not None
    # The page of a redirect leads on to the page that has its address as another one.
    leads_on = behind is not None and (known_page is None or known_page.kind == "redirect")
    places = [page, behind.page] if behind is not None and leads_on else [page]
    return any(manifest.anchor(place, anchor, site) is not None for place in places)


def _key(entry: Entry) -> LocationKey:
    """The key of an entry: site, page and anchor."""
    return entry.site, entry.page, entry.anchor


def _manifest(build: Path) -> Manifest | None:
    """The manifest of a generation; None if it cannot be read: then this build adds nothing to the history."""
    try:
        return read_build_manifest(build)
    except IndexFault:
        return None
