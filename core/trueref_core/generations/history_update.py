"""Updates the history after a build: adds the pages and anchors that the build lost, and follows known successors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.compare.diff import Change, Location, diff, same_sites
from trueref_core.errors import IndexDamaged, IndexFault
from trueref_core.generations.served_generation import read_build_manifest
from trueref_core.links.target_lookup import can_be_successor
from trueref_core.manifest.history import MAX_ENTRIES, Entry, History, read_or_reset_history, write_history

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

LocationKey = tuple[str, str, str]

IN_STEPS: Final = "in several steps, and at last "
"""Stands before the last proof if a page or anchor moved more than once. Only this proof is kept: with all proofs,
entries would grow with each build."""


def keep_history(index: Path, old: Path | None, new: Path) -> None:
    """Add the pages and anchors that are lost between two generations to `history.json`. The caller holds the lock.

    This happens before `current.json` names the new generation. If the build is killed in between, the old generation
    stays served with a newer history. Entries for anchors that it still has then have no effect, and entries whose
    successor it lacks are not used.

    Args:
        index: The index folder.
        old: Folder of the generation that is served; None if there is none, or it is not known.
        new: Folder of the generation that will be served.
    """
    history = read_or_reset_history(index)
    before, after = _readable_manifest(old) if old else None, _readable_manifest(new)
    if after is None or (before is None and not history.entries):
        return
    try:
        write_history(index, update_history(history, before, after))
    except IndexDamaged:
        # The old anchors are first read when they are compared. If they are damaged, the build must not stop, so
        # nothing is added to the history.
        write_history(index, update_history(history, None, after))


def update_history(history: History, old: Manifest | None, new: Manifest) -> History:
    """The history after one more build.

    Entries for pages and anchors that exist again are dropped. A successor that moved is replaced by its own successor,
    so that every successor exists in `new`. If there are more than `MAX_ENTRIES` entries, the oldest are dropped.

    Args:
        history: The history until `old`.
        old: The manifest that was served before; None if it is not known, and then nothing is added.
        new: The manifest that is served from now on.
    """
    names = same_sites(old, new) if old else {}
    site_names = {site.name for site in new.sites}
    # The history of a site that left the index is dropped with it.
    named = (msgspec.structs.replace(entry, site=names.get(entry.site, entry.site)) for entry in history.entries)
    before = {_key(entry): entry for entry in named if entry.site in site_names}
    changes = _lost_places(old, new, site_names)
    after = {key: _with_present_successor(entry, changes, new) for key, entry in before.items()}
    new_entries = {key: _entry_of(change) for key, change in changes.items() if change.change != "redirected"}
    for key, entry in new_entries.items():
        if after.get(key) != entry:
            # Moved to the end: entries are ordered by age, and this entry is the latest.
            after.pop(key, None)
            after[key] = entry
    for entry in _at_earlier_addresses(new_entries.values(), [*before.values(), *after.values()]):
        after.setdefault(_key(entry), entry)
    lost = [entry for entry in after.values() if not _exists(new, entry.site, entry.page, entry.anchor)]
    return History(lost[-MAX_ENTRIES:])


def _lost_places(old: Manifest | None, new: Manifest, site_names: set[str]) -> dict[LocationKey, Change]:
    """The changes of pages and anchors that are no longer at their address, by site, page and anchor."""
    if old is None:
        return {}
    # Sites with equal digests have equal pages and anchors and need not be compared. Most builds change one of several
    # sites, and a preview publishes the same content twice, without vectors and with them.
    unchanged = {site.name for site in old.sites if site.digest and site in new.sites}
    if unchanged == {site.name for site in (*old.sites, *new.sites)}:
        return {}
    old, new = (manifest.of_sites({site.name for site in manifest.sites} - unchanged) for manifest in (old, new))
    return {
        (change.site, change.page, change.anchor): change
        for change in diff(old, new).changes
        if change.change != "added" and change.site in site_names
    }


def _at_earlier_addresses(lost: Iterable[Entry], entries: Iterable[Entry]) -> Iterable[Entry]:
    """Entries for lost anchors under every earlier address of their page.

    While page `a/` is at `b/`, a link to `a/#x` finds the entry for `b/#x`. Once the page has moved on to `c/`, such a
    link no longer leads to `b/`, so `a/#x` needs an entry of its own.
    """
    earlier_addresses: dict[tuple[str, str], set[str]] = {}
    for entry in entries:
        if not entry.anchor and entry.to_page is not None:
            earlier_addresses.setdefault((entry.site, entry.to_page), set()).add(entry.page)
    return (
        msgspec.structs.replace(entry, page=page)
        for entry in lost
        if entry.anchor
        for page in sorted(earlier_addresses.get((entry.site, entry.page), ()))
    )


def _entry_of(change: Change) -> Entry:
    """The history entry for a lost page or anchor."""
    to_page, to_anchor = (change.successor.page, change.successor.anchor) if change.successor else (None, "")
    return Entry(change.site, change.page, change.anchor, to_page, to_anchor, change.proof, change.hidden)


def _with_present_successor(entry: Entry, changes: Mapping[LocationKey, Change], new: Manifest) -> Entry:
    """An entry with its successor as the new build has it, or without successor if the new build has lost it."""
    if entry.to_page is None or can_be_successor(new, entry.site, entry.to_page, entry.to_anchor):
        return entry
    anchor_change = changes.get((entry.site, entry.to_page, entry.to_anchor))
    page_change = changes.get((entry.site, entry.to_page, ""))
    successor, proof = (anchor_change.successor, anchor_change.proof) if anchor_change else (None, "")
    # The anchor itself did not change, but its page moved together with it.
    if anchor_change is None and entry.to_anchor and page_change is not None and page_change.successor is not None:
        successor, proof = Location(page_change.successor.page, entry.to_anchor), page_change.proof
    if successor is None and not entry.anchor and (page_only := _page_of_successor(entry, page_change, new)):
        # The successor of a page was a section of another page. The section is gone, but its page still exists.
        successor = page_only
        proof = page_change.proof if page_change is not None else entry.proof.removeprefix(IN_STEPS)
    if successor is None or not can_be_successor(new, entry.site, successor.page, successor.anchor):
        return msgspec.structs.replace(entry, to_page=None, to_anchor="", proof="")
    successor_fields = {"to_page": successor.page, "to_anchor": successor.anchor}
    return msgspec.structs.replace(entry, **successor_fields, proof=f"{IN_STEPS}{proof}")


def _page_of_successor(entry: Entry, page_change: Change | None, new: Manifest) -> Location | None:
    """The page of a successor that was a section; if that page is gone, the page of its own successor.

    `page_change` is the change of that page, None if the page did not change.
    """
    assert entry.to_page is not None
    if can_be_successor(new, entry.site, entry.to_page, ""):
        return Location(entry.to_page)
    return Location(page_change.successor.page) if page_change is not None and page_change.successor else None


def _exists(manifest: Manifest, site: str, page: str, anchor: str) -> bool:
    """Whether a link to the page or anchor lands by the manifest alone, so that it needs no history entry."""
    known_page, alias_page = manifest.page(page, site), manifest.page_by_alias(page, site)
    if not anchor:
        return known_page is not None or alias_page is not None
    # A redirect leads on to the page that has the redirect's address among its aliases.
    leads_on = alias_page is not None and (known_page is None or known_page.kind == "redirect")
    pages = [page, alias_page.page] if alias_page is not None and leads_on else [page]
    return any(manifest.anchor(candidate, anchor, site) is not None for candidate in pages)


def _key(entry: Entry) -> LocationKey:
    """The key of an entry: site, page and anchor."""
    return entry.site, entry.page, entry.anchor


def _readable_manifest(build: Path) -> Manifest | None:
    """The manifest of a generation; None if it cannot be read: then this build adds nothing to the history."""
    try:
        return read_build_manifest(build)
    except IndexFault:
        return None
