"""Finds where the anchors are now that their pages lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from trueref_core.compare.anchor_renames import renamed
from trueref_core.compare.changes import ChangeKind, Location
from trueref_core.compare.comparable_site import SiteView, text_of, unique
from trueref_core.compare.page_successors import SHARE_LEAST, PageFate
from trueref_core.matching.name_words import grouped, is_specific
from trueref_core.matching.page_match import are_related
from trueref_core.records import CITED_ANCHORS, Anchor

MERGED_LEAST: Final = 2
"""At least this many sections of a lost page have to be on the same other page to make that its successor."""


@dataclass(frozen=True, slots=True)
class AnchorFate:
    """The successor of an anchor, with its proof."""

    change: ChangeKind
    successor: Location
    proof: str


@dataclass(frozen=True, slots=True)
class AnchorChanges:
    """The changes of a site's anchors. `gone` are the lost ones in order, `added` the new ones."""

    gone: tuple[Anchor, ...]
    added: tuple[Anchor, ...]
    fates: Mapping[tuple[str, str], AnchorFate]

    def fate(self, anchor: Anchor) -> AnchorFate | None:
        """The successor of an anchor of the old site, None if nothing proves one."""
        return self.fates.get((anchor.page, anchor.anchor))


def anchor_changes(old: SiteView, new: SiteView, pages: Mapping[str, PageFate]) -> AnchorChanges:
    """Compares the anchors of all pages of two states of a site.

    Args:
        old: The earlier state.
        new: The later state.
        pages: The fates of pages that are no longer at their address.
    """
    now = {page: page for page in old.pages if page in new.pages}
    now |= {page: fate.successor.page for page, fate in pages.items() if fate.successor and page in old.pages}
    gone: list[Anchor] = []
    fates: dict[tuple[str, str], AnchorFate] = {}
    for page in old.pages:
        if page in now:
            if page == now[page] and old.has_same_anchors(page, new):
                continue
            lost = [item for item in old.anchors(page) if item.anchor not in new.ids(now[page])]
            lost = [item for item in lost if not old.is_of_theme(item)]
            fates |= _renamed(old.anchors(page), new.anchors(now[page]), lost) if lost else {}
        elif page in pages and pages[page].change == "vanished":
            lost = [item for item in old.anchors(page) if not old.is_of_theme(item)]
        else:
            # The page is a draft now, or redirects to another site: whether it still has the anchor is not known.
            continue
        gone += lost
    left = [item for item in gone if (item.page, item.anchor) not in fates]
    fates |= _moved(left, old, new, now) if left else {}
    successors = {(fate.successor.page, fate.successor.anchor) for fate in fates.values()}
    return AnchorChanges(tuple(gone), tuple(_added(old, new, now, successors)), fates)


def merged_page(page: str, old: SiteView, changes: AnchorChanges) -> PageFate | None:
    """The page that has most sections of a lost page now, at the section with the lost page's own title."""
    anchors = [anchor for anchor in old.anchors(page) if anchor.kind == "heading"]
    moved = [fate.successor for anchor in anchors if (fate := changes.fate(anchor))]
    best = Counter(successor.page for successor in moved).most_common(1)
    if not best:
        return None
    (where, count) = best[0]
    top = changes.fate(anchors[0]) if anchors[0].level == 1 else None
    has_top = top is not None and top.successor.page == where
    if count < SHARE_LEAST * len(anchors) or (count < MERGED_LEAST and not has_top):
        return None
    anchor = top.successor.anchor if top is not None and has_top else ""
    return PageFate("moved", Location(where, anchor), "most of its sections are there now")


def _renamed(old: Sequence[Anchor], new: Sequence[Anchor], gone: Sequence[Anchor]) -> dict[tuple[str, str], AnchorFate]:
    """The fates of anchors that have another id on their own page."""
    return {
        (item.page, item.anchor): AnchorFate("renamed", Location(renamed_anchor.page, renamed_anchor.anchor), proof)
        for item, renamed_anchor, proof in renamed(old, new, gone)
    }


class _Elsewhere:
    """Look-ups for lost anchors among all pages of the new site."""

    def __init__(self, old: SiteView, new: SiteView, now: Mapping[str, str]) -> None:
        self._old, self._new = old, new
        self._before = _sources(now)
        self._anchors = [
            anchor
            for page in new.pages.values()
            if not page.hidden
            for anchor in new.anchors(page.page)
            if anchor.kind in CITED_ANCHORS
        ]
        self._by_id = unique(self._anchors, lambda anchor: anchor.anchor)

    @cached_property
    def _sections(self) -> tuple[Mapping[Hashable, Anchor], Mapping[Hashable, Anchor]]:
        """The sections that stood once under their path in the old state, and those that do in the new one, by path."""
        everything = (anchor for page in self._old.pages for anchor in self._old.anchors(page))
        return unique(everything, _path), unique(self._anchors, _path)

    def by_id(self, anchor: Anchor) -> Anchor | None:
        """The only anchor with this id, if its page did not have it before: then it would be another section.

        Two pages that always had an `installation-guide` are about different things.
        """
        candidate = self._by_id.get(anchor.anchor)
        if candidate is None:
            return None
        was_there = any(candidate.anchor in self._old.ids(page) for page in self._before.get(candidate.page, ()))
        return None if was_there else candidate

    def by_section(self, anchor: Anchor) -> Anchor | None:
        """The only anchor with this text under the same headings."""
        before, after = self._sections
        key = _path(anchor)
        return after.get(key) if key in before else None


def _path(anchor: Anchor) -> Hashable | None:
    """The text of an anchor and the headings above it: a key that is the same on any page."""
    return (anchor.kind, text_of(anchor.text), anchor.breadcrumb) if anchor.text else None


def _moved(
    gone: list[Anchor], old: SiteView, new: SiteView, now: Mapping[str, str]
) -> dict[tuple[str, str], AnchorFate]:
    """The anchors that are on another page now."""
    elsewhere = _Elsewhere(old, new, now)
    fates: dict[tuple[str, str], AnchorFate] = {}
    one_word: list[tuple[Anchor, Anchor]] = []
    for anchor in gone:
        candidate, proof = elsewhere.by_id(anchor), "no other page has this id"
        if candidate is None:
            candidate, proof = elsewhere.by_section(anchor), "its text is the same, under the same headings"
        elif not is_specific(anchor.anchor):
            one_word.append((anchor, candidate))
            continue
        if candidate is not None:
            fates[anchor.page, anchor.anchor] = AnchorFate("moved", Location(candidate.page, candidate.anchor), proof)
    # The pages that sections moved to are evidence for the other sections of the same page.
    went = {(page, fate.successor.page) for (page, _), fate in fates.items()}
    for anchor, candidate in one_word:
        # An id of one word fits sections of many subjects. So its new page has to be near, or the new page of other
        # sections too.
        goes_along = (anchor.page, candidate.page) in went or are_related(anchor.page, candidate.page)
        if goes_along and text_of(anchor.text) == text_of(candidate.text):
            proof = "no other page has this id, and its text is the same"
            fates[anchor.page, anchor.anchor] = AnchorFate("moved", Location(candidate.page, candidate.anchor), proof)
    return fates


def _added(old: SiteView, new: SiteView, now: Mapping[str, str], successors: set[tuple[str, str]]) -> Iterable[Anchor]:
    """The anchors that a page did not have before and that are not the successor of another anchor."""
    for page, sources in _sources(now).items():
        if sources == [page] and old.has_same_anchors(page, new):
            continue
        earlier_ids = frozenset[str]().union(*(old.ids(source) for source in sources))
        for anchor in new.anchors(page):
            is_known = anchor.anchor in earlier_ids or (page, anchor.anchor) in successors
            if not is_known and not new.is_of_theme(anchor):
                yield anchor


def _sources(now: Mapping[str, str]) -> Mapping[str, list[str]]:
    """By page: the earlier pages that became this page."""
    return grouped((at, page) for page, at in now.items())
