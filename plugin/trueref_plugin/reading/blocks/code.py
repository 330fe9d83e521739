"""Reads blocks of code: their text and their language, as current highlighters write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.clean import clean_code, is_dropped
from trueref_plugin.reading.elements import INLINE_TAGS, children
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_LANGUAGE = re.compile(r"(?:^|\s)(?:language|highlight-source|highlight|lang)-([\w+#.-]{1,40})")
_ATTRIBUTES: Final = ("data-language", "data-lang")
_NO_LANGUAGE: Final = frozenset({"default", "text", "none", "plaintext", "plain", "txt"})
_FRAMES: Final = frozenset("div figure table tbody tr td code".split())
"""Elements that highlighters put around a block; the language may stand on any of them."""
_FRAMES_MOST: Final = 10
"""Elements around a block that are looked at. A highlighted block has six at most, with line numbers in a table."""


class CodeReader(BlockReader):
    """Reads a `pre` as one block."""

    tags = frozenset(("pre",))

    def __init__(self) -> None:
        self._is_frame: dict[int, bool] = {}
        """By element around code (`mem_id`): whether it holds a single block. Kept, so that an element with a thousand
        blocks is searched once and not a thousand times."""

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # code is its own kind
        """See `BlockReader`."""
        walk.page.locate_ids(node)
        text = code_text(node)
        if text:
            walk.page.add_block("code", text, code_language=code_language(node, self._is_frame))


def code_text(node: LexborNode) -> str:
    """The code of a `pre`, without line numbers and buttons."""
    parts: list[str] = []
    _lines(node, parts)
    return clean_code("".join(parts))


def _lines(node: LexborNode, parts: list[str]) -> None:
    """Collects the visible text of code. A block element begins and ends a line."""
    for child in children(node):
        tag = child.tag or ""
        if tag == "-text":
            parts.append(child.text_content or "")
        elif tag == "br":
            parts.append("\n")
        elif not is_dropped(child):
            # Docusaurus and Expressive Code put every line into a block and no line break between them.
            is_line = tag not in INLINE_TAGS and "-" not in tag
            _end_line(parts, needed=is_line)
            _lines(child, parts)
            _end_line(parts, needed=is_line)


def _end_line(parts: list[str], *, needed: bool) -> None:
    """Ends the line that was collected last, if `needed` and not done yet."""
    if needed and parts and not parts[-1].endswith("\n"):
        parts.append("\n")


def code_language(node: LexborNode, is_frame: dict[int, bool]) -> str:
    """The language of a `pre`: named by itself, by its `code`, or by a frame around it; "" if none names it.

    `is_frame` is filled with the answers for the elements around the block, by `mem_id`.
    """
    for candidate in _frames(node, is_frame):
        attributes = candidate.attributes
        match = _LANGUAGE.search(attributes.get("class") or "")
        named = match[1] if match else next((attributes[name] for name in _ATTRIBUTES if attributes.get(name)), None)
        # `text` and the like say that there is no highlighting. A frame around the block may still name a language.
        if named and named.lower() not in _NO_LANGUAGE:
            return named.lower()
    return ""


def _frames(node: LexborNode, is_frame: dict[int, bool]) -> list[LexborNode]:
    """The elements that may name the language of a block, the block itself first."""
    inner = node.css_first("code")
    frames = [node] if inner is None else [node, inner]
    around = node.parent
    while around is not None and around.tag in _FRAMES and len(frames) < _FRAMES_MOST:
        if around.mem_id not in is_frame:
            is_frame[around.mem_id] = _has_one_block(around)
        if not is_frame[around.mem_id]:
            break
        frames.append(around)
        around = around.parent
    return frames


def _has_one_block(frame: LexborNode) -> bool:
    """Whether an element holds a single block of code. One with several is a part of the page, and no frame."""
    # With line numbers in a table, Pygments writes these into a `pre` of their own.
    return len(frame.css("pre:not(.lineno)")) <= 1 or frame.css_first(".linenos") is not None
