"""Finds the anchors of a page that have another id in a later state of the page."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Final

from trueref_core.compare.comparable_site import text_of, unique
from trueref_core.matching.name_words import name_of
from trueref_core.records import Anchor

Rename = tuple[Anchor, Anchor, str]


def renamed(old: Sequence[Anchor], new: Sequence[Anchor], gone: Sequence[Anchor]) -> list[Rename]:
    """The lost anchors that have another id now, each with its successor and the proof.

    If two anchors may be the successor, there is none: a wrong redirect is worse than no redirect.

    Args:
        old: The anchors of a page that are compared, in document order, each id once.
        new: The anchors of the later state.
        gone: The anchors of `old` whose id does not exist in the later state.
    """
    later = {item.anchor: item for item in new}
    # An id that exists in both states is its own successor, unless it is on another heading now.
    settled = {item.anchor: later[item.anchor] for item in old if _is_kept(item, later.get(item.anchor))}
    renames: list[Rename] = []
    # Proofs are tried from the most certain to the weakest, so a weak one only gets the anchors that are left.
    for key, proof in _KEYS:
        before, after = unique(old, key), unique(new, key)
        claimed_ids = {item.anchor for item in settled.values()}
        for item in gone:
            value = key(item)
            other = after.get(value) if value is not None and value in before else None
            if other is not None and other.anchor not in claimed_ids and item.anchor not in settled:
                settled[item.anchor] = other
                renames.append((item, other, proof))
    return renames + [(*pair, "its text and its neighbours are the same") for pair in _aligned(old, new, settled)]


def _is_kept(item: Anchor, later: Anchor | None) -> bool:
    """Whether the later anchor with the same id is still on the same heading."""
    return later is not None and _text(later) == _text(item)


def _aligned(
    old: Sequence[Anchor], new: Sequence[Anchor], settled: Mapping[str, Anchor]
) -> Iterable[tuple[Anchor, Anchor]]:
    """The anchors between two settled ones, if the texts between these are the same in the same order.

    So the options of a command get their successors although other commands on the page have options of the same names.
    """
    position = {item.anchor: at for at, item in enumerate(new)}
    # An id that existed before, or that is the successor of another anchor, cannot be a successor here.
    used = {item.anchor for item in old} | {item.anchor for item in settled.values()}
    start, after = 0, -1
    for at in range(len(old) + 1):
        if at < len(old) and old[at].anchor not in settled:
            continue
        before, after = after, position[settled[old[at].anchor].anchor] if at < len(old) else len(new)
        run, others = old[start:at], new[before + 1 : after]
        start = at + 1
        if len(run) == len(others) and all(map(_are_alike, run, others)):
            is_free = all(item.anchor not in position for item in run) and all(
                item.anchor not in used for item in others
            )
            yield from zip(run, others, strict=True) if is_free else ()


def _are_alike(before: Anchor, after: Anchor) -> bool:
    """Whether two anchors have the same text and level. Anchors without text are never alike: all would be."""
    return bool(before.text) and (before.level, _text(before)) == (after.level, _text(after))


def _section(anchor: Anchor) -> Hashable | None:
    """The text of an anchor and of the headings around it, without the title of the page, which may have changed."""
    return (anchor.kind, text_of(anchor.text), anchor.breadcrumb[1:]) if anchor.text else None


def _text(anchor: Anchor) -> Hashable | None:
    """The text of an anchor alone, anywhere on the page."""
    return (anchor.kind, text_of(anchor.text)) if anchor.text else None


def _without_remark(anchor: Anchor) -> Hashable | None:
    """The text without a remark in brackets: many changelogs add the date to a heading like `0.36.3` later."""
    text = text_of(anchor.text)
    bare = text.partition(" (")[0] if text.endswith(")") else text
    return (anchor.kind, anchor.level, bare) if bare else None


def _body(anchor: Anchor) -> Hashable | None:
    """The text under a heading, whatever the heading is."""
    return (anchor.kind, anchor.level, anchor.body) if anchor.body else None


def _spelling(anchor: Anchor) -> Hashable | None:
    """The id without case and separators: different rules for slugs make ids from one heading that differ in these."""
    key = name_of(anchor.anchor).key
    return (anchor.kind, anchor.level, key) if key else None


_KEYS: Final[tuple[tuple[Callable[[Anchor], Hashable | None], str], ...]] = (
    (_section, "its text and place are the same"),
    (_text, "its text is the same"),
    (_without_remark, "its text is the same but for a remark in brackets"),
    (_body, "the text under it is the same"),
    (_spelling, "its id differs in case or separators only"),
)
