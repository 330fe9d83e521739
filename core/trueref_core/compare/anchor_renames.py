"""Which anchors of a page have another id in a later state of it."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Final

from trueref_core.compare.comparable_site import text_of, unique
from trueref_core.matching.name_words import name_of
from trueref_core.records import Anchor

Rename = tuple[Anchor, Anchor, str]


def renamed(old: Sequence[Anchor], new: Sequence[Anchor], gone: Sequence[Anchor]) -> list[Rename]:
    """The anchors that are gone and have another id now, each with its successor and the proof.

    Where two anchors may be the successor, neither is: a wrong redirect is worse than none.

    Args:
        old: The anchors of a page that are compared, in document order, each id once.
        new: Those of the later state.
        gone: Those of `old` whose id the later state lacks.
    """
    later = {item.anchor: item for item in new}
    # An id that both have stands for itself, unless it heads another text now.
    settled = {item.anchor: later[item.anchor] for item in old if _is_kept(item, later.get(item.anchor))}
    renames: list[Rename] = []
    # From the surest proof to the weakest, so that a weak one only gets what no better one has settled.
    for key, proof in _KEYS:
        before, after = unique(old, key), unique(new, key)
        taken = {item.anchor for item in settled.values()}
        for item in gone:
            value = key(item)
            other = after.get(value) if value is not None and value in before else None
            if other is not None and other.anchor not in taken and item.anchor not in settled:
                settled[item.anchor] = other
                renames.append((item, other, proof))
    return renames + [(*pair, "its text and its neighbours are the same") for pair in _aligned(old, new, settled)]


def _is_kept(item: Anchor, later: Anchor | None) -> bool:
    """Whether the later anchor of the same id still heads the same text."""
    return later is not None and _text(later) == _text(item)


def _aligned(
    old: Sequence[Anchor], new: Sequence[Anchor], settled: Mapping[str, Anchor]
) -> Iterable[tuple[Anchor, Anchor]]:
    """The anchors between two that are settled, where the texts between these are the same in the same order.

    So the options of a command have their successors, though other commands on the page have options of the same names.
    """
    position = {item.anchor: at for at, item in enumerate(new)}
    # An id that was there before, or that another anchor has now, is not free.
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
    """Whether two anchors have the same text and rank. A place without text is like any other, and so like none."""
    return bool(before.text) and (before.level, _text(before)) == (after.level, _text(after))


def _section(anchor: Anchor) -> Hashable | None:
    """The text of an anchor and of the headings around it, without the page's own title."""
    return (anchor.kind, text_of(anchor.text), anchor.breadcrumb[1:]) if anchor.text else None


def _text(anchor: Anchor) -> Hashable | None:
    """The text of an anchor alone, wherever on the page it stands."""
    return (anchor.kind, text_of(anchor.text)) if anchor.text else None


def _bare(anchor: Anchor) -> Hashable | None:
    """The text without a remark in brackets: `0.36.3` got its date in many a changelog years later."""
    text = text_of(anchor.text)
    bare = text.partition(" (")[0] if text.endswith(")") else text
    return (anchor.kind, anchor.level, bare) if bare else None


def _body(anchor: Anchor) -> Hashable | None:
    """The text under a heading, whatever is written over it."""
    return (anchor.kind, anchor.level, anchor.body) if anchor.body else None


def _spelling(anchor: Anchor) -> Hashable | None:
    """What all rules for slugs make the same of: two ids of one heading differ in nothing else."""
    key = name_of(anchor.anchor).key
    return (anchor.kind, anchor.level, key) if key else None


_KEYS: Final[tuple[tuple[Callable[[Anchor], Hashable | None], str], ...]] = (
    (_section, "its text and place are the same"),
    (_text, "its text is the same"),
    (_bare, "its text is the same but for a remark in brackets"),
    (_body, "the text under it is the same"),
    (_spelling, "its id differs in case or separators only"),
)
