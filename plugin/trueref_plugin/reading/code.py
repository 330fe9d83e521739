"""The text and the language of a block of code, as the highlighters of today write them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.clean import clean_code, is_dropped
from trueref_plugin.reading.elements import INLINE_TAGS, children

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_LANGUAGE = re.compile(r"(?:^|\s)(?:language|highlight-source|highlight|lang)-([\w+#.-]{1,40})")
_ATTRIBUTES: Final = ("data-language", "data-lang")
_NO_LANGUAGE: Final = frozenset({"default", "text", "none", "plaintext", "plain", "txt"})
_FRAMES: Final = frozenset("div figure table tbody tr td code".split())
"""Elements that highlighters put around a block; the language may stand on any of them."""
_FRAMES_MOST: Final = 10
"""A highlighted block has six at most, where line numbers stand in a table."""


def code_text(node: LexborNode) -> str:
    """The code of a `pre`, without line numbers and buttons."""
    parts: list[str] = []
    _lines(node, parts)
    return clean_code("".join(parts))


def _lines(node: LexborNode, parts: list[str]) -> None:
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
    while parts and not parts[-1]:
        parts.pop()
    if needed and parts and not parts[-1].endswith("\n"):
        parts.append("\n")


def code_language(node: LexborNode, holding_one: dict[int, bool]) -> str:
    """The language of a `pre`: its own, its `code`'s, or that of the frame around it; "" where none is named.

    `holding_one` tells of elements that may be frames, by `mem_id`, whether they hold one block of code: each is asked
    once a page, however many blocks are in it.
    """
    for candidate in _frames(node, holding_one):
        attributes = candidate.attributes
        match = _LANGUAGE.search(attributes.get("class") or "")
        named = match[1] if match else next((attributes[name] for name in _ATTRIBUTES if attributes.get(name)), None)
        if named and named.lower() not in _NO_LANGUAGE:
            return named.lower()
    return ""


def _frames(node: LexborNode, holding_one: dict[int, bool]) -> list[LexborNode]:
    inner = node.css_first("code")
    frames = [node] if inner is None else [node, inner]
    around = node.parent
    while around is not None and around.tag in _FRAMES and len(frames) < _FRAMES_MOST:
        if around.mem_id not in holding_one:
            holding_one[around.mem_id] = _holds_one(around)
        if not holding_one[around.mem_id]:
            break
        frames.append(around)
        around = around.parent
    return frames


def _holds_one(frame: LexborNode) -> bool:
    """Whether an element holds one block of code; what holds more is a part of the page."""
    return len(frame.css("pre:not(.lineno)")) <= 1 or frame.css_first(".linenos") is not None
