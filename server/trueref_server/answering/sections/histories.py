"""Finds the tables by which a reference says in which versions an entry was added and changed."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from trueref_core.text.table_rows import split_row, split_table

if TYPE_CHECKING:
    from trueref_server.answering.sections.section_blocks import SectionBlock

_VERSION: Final = re.compile(r"(?:versions?|releases?)(?:\(s\))?", re.IGNORECASE)
"""Matches the title of the column of versions."""

_CHANGE: Final = re.compile(r"(?:what )?(?:changed|changes?)(?:\(s\))?", re.IGNORECASE)
"""Matches the title of the column of changes."""

_CHANGE_NOTE: Final = re.compile(r"(?:(?:added|changed|new|removed) in|deprecated since) version\b", re.IGNORECASE)
"""The beginning of a note that says in which version the text above it was changed, as Sphinx writes it."""

_FOLD: Final = "a"
"""The letter of the step in a path for what is folded, or set apart as a note is."""


def is_history(text: str) -> bool:
    """Whether a text is a table of versions and of what changed in each: `Version`, `Changes`."""
    titles = split_row((split_table(text)[0] or [""])[0])
    return len(titles) == 2 and _VERSION.fullmatch(titles[0]) is not None and _CHANGE.fullmatch(titles[1]) is not None


def is_change_note(text: str) -> bool:
    """Whether a text says in which version what stands above it was added or changed."""
    return _CHANGE_NOTE.match(text) is not None


def with_histories_last(blocks: Sequence[SectionBlock]) -> list[SectionBlock]:
    """The blocks with the histories that are folded behind all others.

    References fold such a history right below the name of an entry (Node.js, Electron). There it was shown as the
    beginning of what the entry says, and left no room for it.
    """
    folds = {block.path for block in blocks if _is_folded(block) and is_history(block.text)}
    return sorted(blocks, key=lambda block: block.path in folds)


def _is_folded(block: SectionBlock) -> bool:
    """Whether a block is folded, or set apart as a note is."""
    return any(step.startswith(_FOLD) for step in block.path)
