"""Finds the present place of each anchor that its page lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from trueref_core.compare.anchor_renames import renamed
from trueref_core.compare.changes import ChangeKind, Location
from trueref_core.compare.comparable_site import SiteView, text_of, unique
from trueref_core.compare.page_successors import MIN_SHARE, PageFate
from trueref_core.matching.name_words import grouped, is_specific
from trueref_core.matching.page_match import are_related
from trueref_core.records import CITED_ANCHORS, Anchor

MIN_MERGED: Final = 2
"""At least this many sections of a lost page have to be on the same other page, for that page to be its successor."""


@dataclass(frozen=True, slots=True)
class AnchorFate:
    """The successor of an anchor, with its proof."""

    change: ChangeKind
    successor: Location
    proof: str


@dataclass(frozen=True, slots=True)
class AnchorChanges:
    """The changes of a site's anchors.

    `gone` are the lost anchors and `added` the new ones, both in the order of pages and anchors. `fates` has the
    successors of lost anchors by page and id.
    """

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
    present_pages = {page: page for page in old.pages if page in new.pages}
    present_pages |= {page: fate.successor.page for page, fate in pages.items() if fate.successor and page in old.pages}
    gone: list[Anchor] = []
    fates: dict[tuple[str, str], AnchorFate] = {}
    for page in old.pages:
        if page in present_pages:
            if page == present_pages[page] and old.has_same_anchors(page, new):
                continue
            ids = new.ids(present_pages[page])
            lost = [anchor for anchor in old.anchors(page) if anchor.anchor not in ids and not old.is_of_theme(anchor)]
            fates |= _renamed(old.anchors(page), new.anchors(present_pages[page]), lost) if lost else {}
        elif page in pages and pages[page].change == "vanished":
            lost = [anchor for anchor in old.anchors(page) if not old.is_of_theme(anchor)]
        else:
            # The page is a draft now, or redirects to another site: whether it still has the anchor is not known.
            continue
        gone += lost
    unproved = [anchor for anchor in gone if (anchor.page, anchor.anchor) not in fates]
    fates |= _moved(unproved, old, new, present_pages) if unproved else {}
    successors = {(fate.successor.page, fate.successor.anchor) for fate in fates.values()}
    return AnchorChanges(tuple(gone), tuple(_added(old, new, present_pages, successors)), fates)


def merged_page(page: str, old: SiteView, changes: AnchorChanges) -> PageFate | None:
    """The page that most sections of a lost page moved to, at the section that has the lost page's title; else None."""
    anchors = [anchor for anchor in old.anchors(page) if anchor.kind == "heading"]
    successors = [fate.successor for anchor in anchors if (fate := changes.fate(anchor))]
    most_common = Counter(successor.page for successor in successors).most_common(1)
    if not most_common:
        return None
    (merged_into, count) = most_common[0]
    title_fate = changes.fate(anchors[0]) if anchors[0].level == 1 else None
    has_title = title_fate is not None and title_fate.successor.page == merged_into
    if count < MIN_SHARE * len(anchors) or (count < MIN_MERGED and not has_title):
        return None
    anchor = title_fate.successor.anchor if title_fate is not None and has_title else ""
    return PageFate("moved", Location(merged_into, anchor), "most of its sections are there now")


def _renamed(old: Sequence[Anchor], new: Sequence[Anchor], gone: Sequence[Anchor]) -> dict[tuple[str, str], AnchorFate]:
    """The fates of anchors that have another id on their own page."""
    return {
        (anchor.page, anchor.anchor): AnchorFate("renamed", Location(successor.page, successor.anchor), proof)
        for anchor, successor, proof in renamed(old, new, gone)
    }


class _NewSiteAnchors:
    """Looks lost anchors up among the cited anchors of all pages of the new site."""

    def __init__(self, old: SiteView, new: SiteView, present_pages: Mapping[str, str]) -> None:
        self._old, self._new = old, new
        self._before = _earlier_pages(present_pages)
        self._anchors = [
            anchor
            for page in new.pages.values()
            if not page.hidden
            for anchor in new.anchors(page.page)
            if anchor.kind in CITED_ANCHORS
        ]
        self._by_id = unique(self._anchors, lambda anchor: anchor.anchor)

    @cached_property
    def _unique_paths(self) -> tuple[Mapping[Hashable, Anchor], Mapping[Hashable, Anchor]]:
        """The anchors of the old site and those of the new site, both by `_path`, without paths that occur twice."""
        everything = (anchor for page in self._old.pages for anchor in self._old.anchors(page))
        return unique(everything, _path), unique(self._anchors, _path)

    def by_id(self, anchor: Anchor) -> Anchor | None:
        """The only anchor of the new site with this id; None if the page of that anchor had the id in the old site too.

        In that case the two anchors name different sections: two pages that always had an anchor `installation-guide`
        are about different things.
        """
        candidate = self._by_id.get(anchor.anchor)
        if candidate is None:
            return None
        was_there = any(candidate.anchor in self._old.ids(page) for page in self._before.get(candidate.page, ()))
        return None if was_there else candidate

    def by_section(self, anchor: Anchor) -> Anchor | None:
        """The only anchor with this text under the same headings, if it was the only one before too."""
        before, after = self._unique_paths
        key = _path(anchor)
        return after.get(key) if key in before else None


def _path(anchor: Anchor) -> Hashable | None:
    """The text of an anchor and the headings above it, by which it is recognised on another page; None without text."""
    return (anchor.kind, text_of(anchor.text), anchor.breadcrumb) if anchor.text else None


def _moved(
    gone: list[Anchor], old: SiteView, new: SiteView, present_pages: Mapping[str, str]
) -> dict[tuple[str, str], AnchorFate]:
    """The fates of lost anchors that are on another page now.

    `present_pages` has the present address of each earlier page.
    """
    new_anchors = _NewSiteAnchors(old, new, present_pages)
    fates: dict[tuple[str, str], AnchorFate] = {}
    of_one_word: list[tuple[Anchor, Anchor]] = []
    for anchor in gone:
        candidate, proof = new_anchors.by_id(anchor), "no other page has this id"
        if candidate is None:
            candidate, proof = new_anchors.by_section(anchor), "its text is the same, under the same headings"
        elif not is_specific(anchor.anchor):
            of_one_word.append((anchor, candidate))
            continue
        if candidate is not None:
            fates[anchor.page, anchor.anchor] = AnchorFate("moved", Location(candidate.page, candidate.anchor), proof)
    # Where some sections of a page moved to, its other sections have probably moved too.
    page_moves = {(page, fate.successor.page) for (page, _), fate in fates.items()}
    for anchor, candidate in of_one_word:
        # An id of one word fits sections about many things. So its new page has to be near the old one, or other
        # sections of the old page must have moved there.
        is_supported = (anchor.page, candidate.page) in page_moves or are_related(anchor.page, candidate.page)
        if is_supported and text_of(anchor.text) == text_of(candidate.text):
            proof = "no other page has this id, and its text is the same"
            fates[anchor.page, anchor.anchor] = AnchorFate("moved", Location(candidate.page, candidate.anchor), proof)
    return fates


def _added(
    old: SiteView, new: SiteView, present_pages: Mapping[str, str], successors: set[tuple[str, str]]
) -> Iterable[Anchor]:
    """The anchors that a page did not have before and that are not the successor of another anchor."""
    for page, sources in _earlier_pages(present_pages).items():
        if sources == [page] and old.has_same_anchors(page, new):
            continue
        earlier_ids = frozenset[str]().union(*(old.ids(source) for source in sources))
        for anchor in new.anchors(page):
            is_known = anchor.anchor in earlier_ids or (page, anchor.anchor) in successors
            if not is_known and not new.is_of_theme(anchor):
                yield anchor


def _earlier_pages(present_pages: Mapping[str, str]) -> Mapping[str, list[str]]:
    """By present page: the earlier pages that became this page."""
    return grouped((present_page, page) for page, present_page in present_pages.items())
