"""Where an anchor went that its page no longer has."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from trueref_core.compare.anchor_renames import renamed
from trueref_core.compare.changes import ChangeKind, Location
from trueref_core.compare.comparable_site import SiteView, text_of, unique
from trueref_core.compare.page_successors import SHARE_LEAST, PageFate
from trueref_core.matching.name_words import is_telling
from trueref_core.matching.page_match import are_related
from trueref_core.records import CITED_ANCHORS, Anchor

MERGED_LEAST: Final = 2
"""Sections of a lost page that have to be on one other page before that is taken for its successor."""


@dataclass(frozen=True, slots=True)
class AnchorFate:
    """Where an anchor is now."""

    change: ChangeKind
    successor: Location
    proof: str


@dataclass(frozen=True, slots=True)
class AnchorChanges:
    """What became of the anchors of a site. `gone` are those that their page lost, in order; `added` are new ones."""

    gone: tuple[Anchor, ...]
    added: tuple[Anchor, ...]
    fates: Mapping[tuple[str, str], AnchorFate]

    def fate(self, anchor: Anchor) -> AnchorFate | None:
        """Where an anchor of the old site is now, if something proves it."""
        return self.fates.get((anchor.page, anchor.anchor))


def anchor_changes(old: SiteView, new: SiteView, pages: Mapping[str, PageFate]) -> AnchorChanges:
    """Compares the anchors of all pages of two states of a site.

    Args:
        old: The earlier state.
        new: The later state.
        pages: What became of the pages that are no longer at their address.
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
            # A draft now, or a redirect that leaves the site: whether it has the anchor is not known.
            continue
        gone += lost
    left = [item for item in gone if (item.page, item.anchor) not in fates]
    fates |= _moved(left, old, new, now) if left else {}
    successors = {(fate.successor.page, fate.successor.anchor) for fate in fates.values()}
    return AnchorChanges(tuple(gone), tuple(_added(old, new, now, successors)), fates)


def merged_page(page: str, old: SiteView, changes: AnchorChanges) -> PageFate | None:
    """The page that most sections of a lost one are on now: at the section that has the lost page's own title."""
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
    return {
        (item.page, item.anchor): AnchorFate("renamed", Location(renamed_anchor.page, renamed_anchor.anchor), proof)
        for item, renamed_anchor, proof in renamed(old, new, gone)
    }


class _Elsewhere:
    """Where on the new site an anchor may be that its own page lost."""

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
        everything = (anchor for page in self._old.pages for anchor in self._old.anchors(page))
        return unique(everything, _path), unique(self._anchors, _path)

    def by_id(self, anchor: Anchor) -> Anchor | None:
        """The only place with this id, if it was not there before: one that was is another section."""
        candidate = self._by_id.get(anchor.anchor)
        if candidate is None:
            return None
        was_there = any(candidate.anchor in self._old.ids(page) for page in self._before.get(candidate.page, ()))
        return None if was_there else candidate

    def by_section(self, anchor: Anchor) -> Anchor | None:
        """The only place with this text under the same headings."""
        before, after = self._sections
        key = _path(anchor)
        return after.get(key) if key in before else None


def _path(anchor: Anchor) -> Hashable | None:
    """The text of an anchor and the headings above it, by which it is known on any page."""
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
        elif not is_telling(anchor.anchor):
            one_word.append((anchor, candidate))
            continue
        if candidate is not None:
            fates[anchor.page, anchor.anchor] = AnchorFate("moved", Location(candidate.page, candidate.anchor), proof)
    # Where sections of one page went is evidence for its others.
    went = {(page, fate.successor.page) for (page, _), fate in fates.items()}
    for anchor, candidate in one_word:
        # One word may head a section of anything: it has to have gone where others of its page went, or not far.
        goes_along = (anchor.page, candidate.page) in went or are_related(anchor.page, candidate.page)
        if goes_along and text_of(anchor.text) == text_of(candidate.text):
            proof = "no other page has this id, and its text is the same"
            fates[anchor.page, anchor.anchor] = AnchorFate("moved", Location(candidate.page, candidate.anchor), proof)
    return fates


def _added(old: SiteView, new: SiteView, now: Mapping[str, str], successors: set[tuple[str, str]]) -> Iterable[Anchor]:
    """The anchors that a page did not have before and that are no successor of another one."""
    for page, sources in _sources(now).items():
        if sources == [page] and old.has_same_anchors(page, new):
            continue
        known = frozenset[str]().union(*(old.ids(source) for source in sources))
        for anchor in new.anchors(page):
            is_known = anchor.anchor in known or (page, anchor.anchor) in successors
            if not is_known and not new.is_of_theme(anchor):
                yield anchor


def _sources(now: Mapping[str, str]) -> Mapping[str, list[str]]:
    """By page: the earlier pages that are this one now."""
    sources: dict[str, list[str]] = defaultdict(list)
    for page, at in now.items():
        sources[at].append(page)
    return sources
