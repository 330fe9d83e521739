"""Finds lines that announce what follows them, such as "For example:", and leaves out those that announce nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from trueref_core.text.inline_code import is_code
from trueref_core.text.sentences import split_sentences
from trueref_core.text.word_forms import is_english
from trueref_server.answering.sections.footnotes import is_footnote
from trueref_server.answering.sections.histories import with_histories_last
from trueref_server.answering.sections.section_blocks import SectionBlock

COLONS: Final = (":", "：")
"""The end of a line that introduces what follows it."""

MAX_ANNOUNCED: Final = 80
"""A paragraph with fewer characters may be what the line before it announces: an address, or a single value."""

MAX_LABEL: Final = 4
"""The most words of a line with a colon that labels what follows it, even a sentence."""

_SENTENCE: Final = re.compile(r"(?:(?<![^\s(])[a-z]{1,20}[,;]? ){2}[a-z]{1,20}(?![\w/`-])")
"""Three words in a row, as sentences have them: addresses, values and titles have none."""

_CODE: Final = re.compile(r"`[^`\n]{1,200}`")

_VERSION_NOTE: Final = re.compile(
    r"\W{0,3}(?:added|new|changed|deprecated|removed|introduced)(?: (?:in|since))? (?:version )?`?v?\d[\w.]{0,20}`?"
    r"\W{0,3}",
    re.IGNORECASE,
)
"""A block that only says in which version something was added or changed."""


_LEADING_ELSEWHERE: Final = re.compile(
    r"\b(?:see|read|check|visit|learn|jump|refer|consult|look|continue|start|explore|browse|find|cover(?:s|ed)?|"
    r"(?:describe|explain|discusse?)[sd]?|next|further|more|details?|information|docs?|documentation|"
    r"(?:document|guide|section|chapter|article|topic|page|tutorial|resource|link|book|reference|example|content|post|"
    r"how-to|question)s?|overview)\b",
    re.IGNORECASE,
)
"""Words of a line whose links lead to further reading: `Check out one of the core guides to get started:`."""

MAX_POINTER: Final = 25
"""The most words of a text that only points elsewhere."""

_POINTER: Final = re.compile(
    r"(?:answer: |note: )?(?:please )?(?:for [^.,]{1,80}, )?(?:please )?(?:also )?"
    r"(?:(?:see|refer to|consult)\b"
    r"|(?:read|check out) (?:more (?:about|in|on) )?(?:its|our|the|their|this) (?:[^\s.]{1,60} ){0,3}?"
    r"(?:docs?|documentation|guide|tutorial)(?=:|\W{0,5}$| (?:about|for|on|to)\b))",
    re.IGNORECASE,
)
"""The beginning of a line that only says where something is explained."""


_ABOUT_PAGE: Final = re.compile(
    r"this (?:document|page|guide|section|chapter|tutorial|article|how-?to|topic|part) "
    r"(?:[a-z]{1,12} ){0,2}(?:(?:describe|explain|show|cover|discusse?|demonstrate|detail|outline)s? "
    r"(?:you )?(?:how|the steps|what|why)\b|(?:describe|document|discusse?|list|outline)s (?=\w))",
    re.IGNORECASE,
)
"""The beginning of a line that only says what the page is about: `This guide describes how to ...`, `This section lists
the parts that ...`. What a page of a program shows, such as `the status of each kiln`, is content."""


_NAMES: Final = re.compile(r":\s+\S|,[^,]*(?:,|\band\b)")
"""What a text has that names the things that it announces: text behind a colon, or a list. `This section lists the
supported platforms: Linux and macOS.` says what is on the page."""


def points_elsewhere(text: str) -> bool:
    """Whether a text only says where something is explained, such as `See Firing`, or what its page is about."""
    is_about_page = _ABOUT_PAGE.match(text) is not None and _NAMES.search(text) is None
    return (is_about_page or _POINTER.match(text) is not None) and len(text.split()) <= MAX_POINTER


def informative_blocks(blocks: Sequence[SectionBlock]) -> list[SectionBlock]:
    """The blocks of the running text that say something: no boxes of links, and no lines that announce nothing.

    Histories of changes that are folded come last: see `with_histories_last`.
    """
    without_notes = [block for block in blocks if not _VERSION_NOTE.fullmatch(block.text)]
    before = [None, *without_notes]
    listed = [
        replace(block, role="text") if line is not None and _enumerates(line, block) else block
        for line, block in zip(before, without_notes, strict=False)
    ]
    return with_histories_last(without_empty_announcements(listed, _is_aside))


def _enumerates(line: SectionBlock, block: SectionBlock) -> bool:
    """Whether a list of links is what the line before it says, and no further reading.

    `Scrapy ships with the following HTTP cache storage backends:` says nothing without the names of the two.
    """
    if block.role != "links" or block.kind != "list" or not block.adjoins or line.role != "text":
        return False
    if line.kind in ("code", "table") or not line.text.endswith(COLONS):
        return False
    start, end = split_sentences(line.text)[-1]
    # Words of other languages that lead elsewhere are not known. A line without a common English word may be in one.
    announcement = line.text[start:end]
    return is_english(announcement) and _LEADING_ELSEWHERE.search(announcement) is None


def without_empty_announcements(
    blocks: Sequence[SectionBlock], is_aside: Callable[[SectionBlock], bool] = lambda _: False
) -> list[SectionBlock]:
    """Blocks without lines that announce nothing, and without blocks that `is_aside` excludes."""
    kept_blocks: list[SectionBlock] = []
    # From the last block: a line with a colon may announce another such line, which announces nothing itself.
    next_block: SectionBlock | None = None
    for block in reversed(blocks):
        shown = None if is_aside(block) else without_empty_announcement(block, next_block)
        if shown is not None:
            kept_blocks.append(shown)
        next_block = shown
    return kept_blocks[::-1]


def without_empty_announcement(block: SectionBlock, after: SectionBlock | None) -> SectionBlock | None:
    """A block without its last sentence if that announces nothing; None if no other sentence is left."""
    if block.kind in ("code", "table") or not block.text.endswith(COLONS) or _announces(block, after):
        return block
    # What the sentence announces is in the sections under this one, is a picture, or is not shown.
    *other_sentences, _ = split_sentences(block.text)
    return replace(block, text=block.text[: other_sentences[-1][1]]) if other_sentences else None


def _announces(block: SectionBlock, after: SectionBlock | None) -> bool:
    """Whether a line with a colon announces the block after it, which is then no paragraph of its own.

    Args:
        block: The line.
        after: The block after the line; None if nothing of it is shown.
    """
    if after is None or not after.adjoins:
        return False
    if after.kind != "prose" or after.role != "text" or after.path != block.path or is_code(after.text):
        return True
    return len(after.text) < MAX_ANNOUNCED and (_is_label(block) or _is_value(after))


def _is_label(block: SectionBlock) -> bool:
    """Whether a line labels what follows it in a few words: `Changed in 3.2:`. `For example:` announces code."""
    return len(block.text.split()) <= MAX_LABEL and "example" not in block.text.lower()


def _is_value(block: SectionBlock) -> bool:
    """Whether a short paragraph is an address, a value or a title and no sentence, or announces something itself."""
    return block.text.endswith(COLONS) or _SENTENCE.search(_CODE.sub("``", block.text)) is None


def _is_aside(block: SectionBlock) -> bool:
    """Whether a block is no running text: a box of links, or a footnote."""
    return block.role == "links" or is_footnote(block)
