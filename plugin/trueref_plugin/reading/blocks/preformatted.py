"""Reads a `pre` that holds a text with its line breaks, as manuals converted from plain text have it, and not code."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import groupby
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.code_text import code_text
from trueref_plugin.reading.elements import children, class_names, has_class
from trueref_plugin.reading.markup.clean import clean_text
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_OF_TEXT: Final = frozenset(("text",))
"""Classes that such a `pre` may have: of the manual of HAProxy. Any other class says that it is code."""

_INSIDE: Final = frozenset("-text a b em i strong".split())
"""Tags of what such a `pre` holds. Code has elements of a highlighter, or a `code`."""

_MENU: Final = "dropdown"
"""The class of a word with a menu that opens below it: HAProxy."""

_FRAME_OF_CODE: Final = re.compile(
    r"highlight|code|listing|literal|example|screen|verbatim|source|syntax|output|console"
)
"""Matches a part of a class of an element that highlighters and generators put around code."""

_BLANK_LINES: Final = re.compile(r"\n(?:[^\S\n]*+\n)++")
_WORD: Final = re.compile(r"[(\"'“‘]{0,2}[^\W\d_]++(?:[-'’/][^\W\d_]++){0,4}[)\"'”’.,:;?!]{0,3}")
"""Matches a word of a sentence, with the punctuation around it."""

_ENDS: Final = (".", ":", "?", "!", '."', ".)")
_LEAST_WORDS: Final = 6
"""Words of a paragraph at least. A shorter line of code may look like a sentence."""
_WORDS_OF_ALL: Final = 0.8
"""Of all that stands between spaces in a paragraph, this share is words at least."""
_PROSE_OF_ALL: Final = 0.5
"""Of the characters of a `pre`, this share is in paragraphs at least."""


class PreformattedReader(BlockReader):
    """Reads the paragraphs of such a `pre` as paragraphs, and everything else in it as code, as it is laid out."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        if node.tag != "pre" or not _OF_TEXT.issuperset(classes) or not _is_bare(node):
            return False
        parts = _parts(node)
        paragraphs = [part for part in parts if _is_paragraph(part)]
        is_wrapped = any("\n" in part for part in paragraphs)
        return is_wrapped and sum(map(len, paragraphs)) >= _PROSE_OF_ALL * sum(map(len, parts))

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        walk.page.record_section_of_ids(node)
        for is_paragraph, parts in groupby(_parts(node), _is_paragraph):
            if is_paragraph:
                for part in parts:
                    walk.page.add_block(kind, clean_text(part))
            else:
                walk.page.add_block("code", "\n\n".join(parts))


def _is_bare(node: LexborNode) -> bool:
    """Whether a `pre` has no markup of code, neither in it nor around it."""
    frame = node.parent
    frames = [element for element in (frame, frame.parent if frame is not None else None) if element is not None]
    if any(_FRAME_OF_CODE.search(name) for element in frames for name in class_names(element)):
        return False
    return all(child.tag in _INSIDE or has_class(child, _MENU) for child in children(node))


def _parts(node: LexborNode) -> list[str]:
    """The parts of the text of a `pre` between blank lines."""
    return [part for part in _BLANK_LINES.split(code_text(node)) if part]


def _is_paragraph(part: str) -> bool:
    """Whether a part of a text is a paragraph: whole sentences, with nothing that is laid out by spaces."""
    if not part[:1].isupper() or not part.endswith(_ENDS) or any(line[:1].isspace() for line in part.split("\n")):
        return False
    words = part.split()
    return len(words) >= _LEAST_WORDS and sum(map(bool, map(_WORD.fullmatch, words))) >= _WORDS_OF_ALL * len(words)
