"""Finds the anchors of a page that have another id in a later state of the page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from trueref_core.compare.comparable_site import text_of, unique
from trueref_core.matching.name_words import name_of
from trueref_core.records import Anchor

AnchorRename = tuple[Anchor, Anchor, str]


def renamed(old: Sequence[Anchor], new: Sequence[Anchor], gone: Sequence[Anchor]) -> list[AnchorRename]:
    """The lost anchors that have another id now, each with its successor and the proof.

    An anchor for which two successors are possible gets none: a wrong redirect is worse than no redirect.

    Args:
        old: The anchors of the page's earlier state that are compared, in document order, each id once.
        new: The anchors of its later state, in the same form.
        gone: The anchors of `old` whose ids do not exist in the later state.
    """
    new_by_id = {anchor.anchor: anchor for anchor in new}
    # An anchor whose id exists in both states is its own successor, unless the id is on another heading now.
    successors = {
        anchor.anchor: new_by_id[anchor.anchor]
        for anchor in old
        if _is_on_same_heading(anchor, new_by_id.get(anchor.anchor))
    }
    renames: list[AnchorRename] = []
    # Proofs are tried from the most certain to the weakest, so a weak proof decides only about the remaining anchors.
    for key, proof in _PROOFS:
        before, after = unique(old, key), unique(new, key)
        claimed_ids = {anchor.anchor for anchor in successors.values()}
        for anchor in gone:
            value = key(anchor)
            candidate = after.get(value) if value is not None and value in before else None
            if candidate is not None and candidate.anchor not in claimed_ids and anchor.anchor not in successors:
                successors[anchor.anchor] = candidate
                renames.append((anchor, candidate, proof))
    return renames + [
        (*pair, "its text and its neighbours are the same") for pair in _between_known_successors(old, new, successors)
    ]


def _is_on_same_heading(anchor: Anchor, later: Anchor | None) -> bool:
    """Whether the later anchor with the same id is still on the same heading."""
    return later is not None and _text(later) == _text(anchor)


def _between_known_successors(
    old: Sequence[Anchor], new: Sequence[Anchor], successors: Mapping[str, Anchor]
) -> Iterable[tuple[Anchor, Anchor]]:
    """The lost anchors between two anchors with known successors, each with its own successor.

    An anchor gets one only if the anchors between these two have the same texts in the same order in both states. So
    the options of a command get successors although other commands on the page have options of the same names.
    """
    new_ids = {anchor.anchor for anchor in new}
    # An id that existed before, or that is the successor of another anchor, cannot be a successor here.
    used_ids = {anchor.anchor for anchor in old} | {anchor.anchor for anchor in successors.values()}
    for old_run, new_run in _runs_between(old, new, successors):
        have_same_texts = len(old_run) == len(new_run) and all(map(_have_same_text, old_run, new_run))
        are_lost = all(anchor.anchor not in new_ids for anchor in old_run)
        are_free = all(anchor.anchor not in used_ids for anchor in new_run)
        if have_same_texts and are_lost and are_free:
            yield from zip(old_run, new_run, strict=True)


def _runs_between(
    old: Sequence[Anchor], new: Sequence[Anchor], successors: Mapping[str, Anchor]
) -> Iterator[tuple[Sequence[Anchor], Sequence[Anchor]]]:
    """The runs of anchors without a known successor, each with the anchors between the successors of its neighbours.

    A run at the beginning or at the end of the page has a neighbour on one side only: there the run of the later state
    begins or ends with the page.
    """
    positions = {anchor.anchor: at for at, anchor in enumerate(new)}
    old_start = new_start = 0
    for at, anchor in enumerate(old):
        if anchor.anchor in successors:
            successor_position = positions[successors[anchor.anchor].anchor]
            yield old[old_start:at], new[new_start:successor_position]
            old_start, new_start = at + 1, successor_position + 1
    yield old[old_start:], new[new_start:]


def _have_same_text(before: Anchor, after: Anchor) -> bool:
    """Whether two anchors have the same text and level. False for anchors without text, which would all be equal."""
    return bool(before.text) and (before.level, _text(before)) == (after.level, _text(after))


def _section(anchor: Anchor) -> Hashable | None:
    """The text of an anchor and of the headings around it, without the title of the page, which may have changed."""
    return (anchor.kind, text_of(anchor.text), anchor.breadcrumb[1:]) if anchor.text else None


def _text(anchor: Anchor) -> Hashable | None:
    """The text of an anchor alone, anywhere on the page."""
    return (anchor.kind, text_of(anchor.text)) if anchor.text else None


def _without_remark(anchor: Anchor) -> Hashable | None:
    """The text without a remark in brackets: many changelogs later add the date to a heading like `0.36.3`."""
    text = text_of(anchor.text)
    bare = text.partition(" (")[0] if text.endswith(")") else text
    return (anchor.kind, anchor.level, bare) if bare else None


def _body(anchor: Anchor) -> Hashable | None:
    """The digest of the text under a heading, whatever the heading says."""
    return (anchor.kind, anchor.level, anchor.body) if anchor.body else None


def _spelling(anchor: Anchor) -> Hashable | None:
    """The id without case and separators, because the rules by which generators make ids differ in just these."""
    key = name_of(anchor.anchor).key
    return (anchor.kind, anchor.level, key) if key else None


_PROOFS: Final[tuple[tuple[Callable[[Anchor], Hashable | None], str], ...]] = (
    (_section, "its text and place are the same"),
    (_text, "its text is the same"),
    (_without_remark, "its text is the same but for a remark in brackets"),
    (_body, "the text under it is the same"),
    (_spelling, "its id differs in case or separators only"),
)
