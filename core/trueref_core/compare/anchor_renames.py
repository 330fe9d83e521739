"""Finds the anchors of a page that have another id in a later state of the page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
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

    Only if the anchors between these two have the same texts in the same order in both states. So the options of a
    command get successors although other commands on the page have options of the same names.
    """
    positions = {item.anchor: at for at, item in enumerate(new)}
    # An id that existed before, or that is the successor of another anchor, cannot be a successor here.
    used_ids = {item.anchor for item in old} | {item.anchor for item in successors.values()}
    start, after = 0, -1
    for at in range(len(old) + 1):
        if at < len(old) and old[at].anchor not in successors:
            continue
        before, after = after, positions[successors[old[at].anchor].anchor] if at < len(old) else len(new)
        old_run, new_run = old[start:at], new[before + 1 : after]
        start = at + 1
        if len(old_run) == len(new_run) and all(map(_have_same_text, old_run, new_run)):
            is_free = all(item.anchor not in positions for item in old_run) and all(
                item.anchor not in used_ids for item in new_run
            )
            yield from zip(old_run, new_run, strict=True) if is_free else ()


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
