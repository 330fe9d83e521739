"""Leaves out what an example gives where that only repeats the example: docs of a markup show it rendered as well."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from trueref_server.answering.sections.announcements import COLONS
from trueref_server.answering.sections.section_blocks import SectionBlock, panels_of

MIN_WITHIN: Final = 12
"""The fewest characters of a line that is found inside a line of the example. A shorter one has to be all of a line:
`on` is in many lines by chance."""

_MARKS: Final = re.compile(r"[*_~^=`\\]")
_START: Final = re.compile(r"[\W_]{0,12}")
_TITLES: Final = frozenset(("title", "label", "caption"))


def without_results(blocks: Sequence[SectionBlock]) -> list[SectionBlock]:
    """The blocks without those right behind code whose lines are all in that code, and without the titles of these.

    So `Some content` is left out behind an example of a box that has `Some content` in it. What a line with a colon
    announces stays, since the line says what it is.
    """
    kept: list[SectionBlock] = []
    titles: list[SectionBlock] = []
    of_results: list[SectionBlock] = []
    code: SectionBlock | None = None
    for block in blocks:
        if code is not None and block.role in _TITLES:
            titles.append(block)
            kept.append(block)
        elif code is not None and _is_result(block, code):
            of_results += titles
            titles = []
        else:
            titles = []
            code = block if block.kind == "code" and block.role == "text" else None
            kept.append(block)
    steps = {step for block in kept if block.role not in _TITLES for step in block.path}
    # By identity: the boxes of several results may be alike.
    empty = {id(title) for title in of_results if title.path and title.path[-1] not in steps}
    return [block for block in kept if id(block) not in empty]


def _is_result(block: SectionBlock, code: SectionBlock) -> bool:
    """Whether a block right behind code repeats what the code says, in the same panels of tabs."""
    if block.role != "text" or not block.adjoins or not _is_in_panels_of(code, block) or block.text.endswith(COLONS):
        return False
    if block.kind == "code":
        return "\n" + block.text.strip("\n") + "\n" in code.text
    return _repeats(block.text, code.text)


def _is_in_panels_of(code: SectionBlock, block: SectionBlock) -> bool:
    """Whether a block is in the panels of some code. The code for another system may be a part of it."""
    panels = panels_of(code)
    return panels_of(block)[: len(panels)] == panels


def _repeats(text: str, code: str) -> bool:
    """Whether all lines of a text are lines of the code, or long parts of them, without the marks of a markup."""
    lines = {_plain(line) for line in code.split("\n")}
    whole = "\n".join(lines)
    shown = [*filter(None, map(_plain, text.split("\n")))]
    return bool(shown) and all(line in lines or (len(line) >= MIN_WITHIN and line in whole) for line in shown)


def _plain(line: str) -> str:
    """A line without signs of emphasis, without the mark that it begins with, and with single spaces."""
    return _START.sub("", " ".join(_MARKS.sub("", line).split()), count=1)
