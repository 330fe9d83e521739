"""What a build adds to the history: what the generation before it had, and where that is now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.compare.changes import Change, Location
from trueref_core.compare.diff import diff, same_sites
from trueref_core.errors import IndexDamaged, IndexFault
from trueref_core.manifest.history import MOST_ENTRIES, Entry, History, take_history, write

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

Key = tuple[str, str, str]

IN_STEPS: Final = "in several steps, and at last "
"""What stands before the proof of the last step. The proofs of all of them would grow from build to build."""


def keep_history(index: Path, old: Path | None, new: Path) -> None:
    """Note in `history.json` what is lost between two generations. The lock of the index is held.

    Written before `current.json` names the new one. A build that is killed in between leaves entries for places that
    the old generation still has, which count for nothing, and for successors that it lacks, which are not followed.

    Args:
        index: The index folder.
        old: Folder of the generation that is served; None where there is none, or it is not known.
        new: Folder of the generation that is to be served.
    """
    history = take_history(index)
    before, after = _manifest(old) if old else None, _manifest(new)
    if after is None or (before is None and not history.entries):
        return
    try:
        write(index, updated(history, before, after))
    except IndexDamaged:
        # Anchors are read when they are compared: what cannot be read of the old generation adds nothing.
        write(index, updated(history, None, after))


def updated(history: History, old: Manifest | None, new: Manifest) -> History:
    """A history after one more build.

    Entries whose place exists again are dropped; successors are followed to where they are now, so that every one of
    them exists in `new`. Of more than `MOST_ENTRIES` the oldest are dropped.

    Args:
        history: The history until `old`.
        old: What was served before; None where that is not known: then nothing is added.
        new: What is served from now on.
    """
    names = same_sites(old, new) if old else {}
    known = {site.name for site in new.sites}
    # A site that the index has no longer takes its history with it.
    named = (msgspec.structs.replace(entry, site=names.get(entry.site, entry.site)) for entry in history.entries)
    before = {_key(entry): entry for entry in named if entry.site in known}
    changes = _losses(old, new, known)
    after = {key: _followed(entry, changes, new) for key, entry in before.items()}
    new_entries = {key: _entry(change) for key, change in changes.items() if change.change != "redirected"}
    for key, entry in new_entries.items():
        if after.get(key) != entry:
            # At the end: it is the latest to be gone.
            after.pop(key, None)
            after[key] = entry
    for entry in _under_old_addresses(new_entries.values(), [*before.values(), *after.values()]):
        after.setdefault(_key(entry), entry)
    kept = [entry for entry in after.values() if not _exists(new, entry.site, entry.page, entry.anchor)]
    return History(kept[-MOST_ENTRIES:])


def _losses(old: Manifest | None, new: Manifest, known: set[str]) -> dict[Key, Change]:
    """What was at an address that has nothing of its own now, by site, page and anchor."""
    if old is None:
        return {}
    # Equal digests mean equal pages and anchors: most builds are of one site of several, and the vectors of a preview
    # come as a generation of their own.
    same = {site.name for site in old.sites if site.digest and site in new.sites}
    if same == {site.name for site in (*old.sites, *new.sites)}:
        return {}
    old, new = (manifest.of_sites({site.name for site in manifest.sites} - same) for manifest in (old, new))
    return {
        (change.site, change.page, change.anchor): change
        for change in diff(old, new).changes
        if change.change != "added" and change.site in known
    }


def _under_old_addresses(lost: Iterable[Entry], known: Iterable[Entry]) -> Iterable[Entry]:
    """What became of anchors, under every address that their page had before.

    A link to `a/#x` is led to `b/`, where page `a/` is now, and then to what became of `x` there. When that page goes
    on to `c/`, nobody passes by `b/` any more.
    """
    leading: dict[tuple[str, str], set[str]] = {}
    for entry in known:
        if not entry.anchor and entry.to_page is not None:
            leading.setdefault((entry.site, entry.to_page), set()).add(entry.page)
    return (
        msgspec.structs.replace(entry, page=page)
        for entry in lost
        if entry.anchor
        for page in sorted(leading.get((entry.site, entry.page), ()))
    )


def _entry(change: Change) -> Entry:
    """A change as the history keeps it."""
    to_page, to_anchor = (change.successor.page, change.successor.anchor) if change.successor else (None, "")
    return Entry(change.site, change.page, change.anchor, to_page, to_anchor, change.proof, change.hidden)


def _followed(entry: Entry, changes: Mapping[Key, Change], new: Manifest) -> Entry:
    """An entry whose successor exists in the new build, or that has none."""
    if entry.to_page is None or _has(new, entry.site, entry.to_page, entry.to_anchor):
        return entry
    anchor = changes.get((entry.site, entry.to_page, entry.to_anchor))
    page = changes.get((entry.site, entry.to_page, ""))
    successor, proof = (anchor.successor, anchor.proof) if anchor else (None, "")
    if anchor is None and entry.to_anchor and page is not None and page.successor is not None:
        successor, proof = Location(page.successor.page, entry.to_anchor), page.proof
    if successor is None and not entry.anchor and (page_only := _page_of(entry, page, new)):
        # A page that was followed to a section: the section is gone, the page is not.
        successor, proof = page_only, page.proof if page is not None else entry.proof.removeprefix(IN_STEPS)
    if successor is None or not _has(new, entry.site, successor.page, successor.anchor):
        return msgspec.structs.replace(entry, to_page=None, to_anchor="", proof="")
    where = {"to_page": successor.page, "to_anchor": successor.anchor}
    return msgspec.structs.replace(entry, **where, proof=f"{IN_STEPS}{proof}")


def _page_of(entry: Entry, page: Change | None, new: Manifest) -> Location | None:
    """The page of a successor that was a section, without the section."""
    assert entry.to_page is not None
    if _has(new, entry.site, entry.to_page, ""):
        return Location(entry.to_page)
    return Location(page.successor.page) if page is not None and page.successor is not None else None


def _has(manifest: Manifest, site: str, page: str, anchor: str) -> bool:
    """Whether something can be a successor: a page that shows something itself, or an anchor of one."""
    known_page = manifest.page(page, site)
    return (
        known_page is not None
        and known_page.kind != "redirect"
        and (not anchor or manifest.anchor(page, anchor, site) is not None)
    )


def _exists(manifest: Manifest, site: str, page: str, anchor: str) -> bool:
    """Whether the manifest has an answer of its own for a place."""
    if anchor:
        return manifest.anchor(page, anchor, site) is not None
    return manifest.page(page, site) is not None or manifest.page_by_alias(page, site) is not None


def _key(entry: Entry) -> Key:
    return entry.site, entry.page, entry.anchor


def _manifest(build: Path) -> Manifest | None:
    """The manifest of a generation; None where it cannot be used: then this build adds nothing to the history."""
    from trueref_core.generations.served_generation import read_build_manifest

    try:
        return read_build_manifest(build)
    except IndexFault:
        return None
