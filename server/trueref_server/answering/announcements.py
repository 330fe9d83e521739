"""Finds lines that announce what follows them, such as "For example:". Without what they announce they are left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.answering.footnotes import is_footnote
from trueref_server.answering.section_blocks import SectionBlock

COLONS: Final = (":", "：")
"""How a line ends that introduces what follows it."""

ANNOUNCED_MOST: Final = 80
"""Characters of a paragraph up to which it may be what a line before it announces: an address, or one value."""

LABEL_MOST: Final = 4
"""Words of a line with a colon up to which it is a label of what follows it, also of a sentence."""

_SENTENCE: Final = re.compile(r"(?:(?<![^\s(])[a-z]{1,20}[,;]? ){2}[a-z]{1,20}(?![\w/`-])")
"""Three words in a row, as sentences have them: addresses, values and titles have none."""

_CODE: Final = re.compile(r"`[^`\n]{1,200}`")

_VERSION_NOTE: Final = re.compile(
    r"\W{0,3}(?:added|new|changed|deprecated|removed) in (?:version )?`?v?\d[\w.]{0,20}`?\W{0,3}", re.IGNORECASE
)
"""A block that only says since when something is there."""


def without_empty_talk(blocks: Sequence[SectionBlock]) -> list[SectionBlock]:
    """The blocks of the running text that say something: no boxes of links, and no line that announces nothing else."""
    texts = [block for block in blocks if not _VERSION_NOTE.fullmatch(block.text)]
    return without_announcements(texts, _is_aside)


def without_announcements(
    texts: Sequence[SectionBlock], is_aside: Callable[[SectionBlock], bool] = lambda _: False
) -> list[SectionBlock]:
    """Blocks without lines that announce nothing, and without what stands aside."""
    contentful: list[SectionBlock] = []
    # From the last one: a line with a colon may announce another one, which announces nothing itself.
    announced: SectionBlock | None = None
    for block in reversed(texts):
        shown = None if is_aside(block) else announcing(block, announced)
        if shown is not None:
            contentful.append(shown)
        announced = shown
    return contentful[::-1]


def announcing(block: SectionBlock, after: SectionBlock | None) -> SectionBlock | None:
    """A block without a last sentence that announces nothing, None if it has no other one."""
    if block.kind in ("code", "table") or not block.text.endswith(COLONS) or _is_announced(block, after):
        return block
    # What it announces stands in the sections under this one, is a picture, or is not shown.
    *whole, _ = split_sentences(block.text)
    return replace(block, text=block.text[: whole[-1][1]]) if whole else None


def _is_announced(block: SectionBlock, after: SectionBlock | None) -> bool:
    """Whether what stands behind a line with a colon is what the line announces, and no paragraph of its own.

    Args:
        block: The line.
        after: The block behind it, None if nothing of it is shown.
    """
    if after is None or not after.adjoins:
        return False
    if after.kind != "prose" or after.role != "text" or after.path != block.path:
        return True
    return len(after.text) < ANNOUNCED_MOST and (_is_label(block) or _is_value(after))


def _is_label(block: SectionBlock) -> bool:
    """Whether a line names what follows it in a few words: `Changed in 3.2:`. One for an example announces code."""
    return len(block.text.split()) <= LABEL_MOST and "example" not in block.text.lower()


def _is_value(block: SectionBlock) -> bool:
    """Whether a short paragraph is an address, a value or a title and no sentence, or announces something itself."""
    return block.text.endswith(COLONS) or _SENTENCE.search(_CODE.sub("``", block.text)) is None


def _is_aside(block: SectionBlock) -> bool:
    """Whether a block only leads elsewhere."""
    return block.role == "links" or is_footnote(block)
