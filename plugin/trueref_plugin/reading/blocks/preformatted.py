"""Reads a `pre` that holds a text with its line breaks, as manuals converted from plain text have it, and not code."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from operator import attrgetter
from textwrap import dedent
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.code_text import code_text
from trueref_plugin.reading.elements import children, class_names, has_class
from trueref_plugin.reading.markup.clean import clean_text
from trueref_plugin.reading.markup.containers import DEFINITIONS
from trueref_plugin.reading.plain_text import Part, PartKind, is_manual, parts_of, with_whole_words
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind
    from trueref_plugin.reading.page_builder import PageBuilder

_NAMED_TEXT: Final = frozenset((frozenset(("text",)), frozenset(("prettyprint", "arguments"))))
"""The classes that a `pre` has in the manual of HAProxy, where it is text. With any others, `code text`, it is code."""

_INSIDE: Final = frozenset("-text a b em i strong".split())
"""Tags of what such a `pre` holds. Code has elements of a highlighter, or a `code`."""

_MENU: Final = "dropdown"
"""The class of a word with a menu that opens below it: HAProxy."""

_FRAME_OF_CODE: Final = re.compile(
    r"highlight|code|listing|literal|example|screen|verbatim|source|syntax|output|console"
)
"""Matches a part of a class of an element that highlighters and generators put around code."""

_PROSE: Final = frozenset[PartKind](("paragraph", "entry", "item"))
_PROSE_OF_ALL: Final = 0.5
"""Of the characters of a `pre`, this share is text at least. The rest of it is laid out."""


class PreformattedReader(BlockReader):
    """Reads the paragraphs, lists and entries of such a `pre`, and everything else in it as code, as it is laid out."""

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:
        """See `BlockReader`."""
        if node.tag != "pre" or (classes and not _is_named_text(classes)) or not _is_bare(node):
            return False
        parts = _parts(node)
        if is_manual(parts):
            # It is text, however much of it is laid out.
            return True
        prose = sum(len(part.text) for part in parts if part.kind in _PROSE)
        is_wrapped = bool(classes) or any(part.is_wrapped for part in parts)
        return is_wrapped and prose >= _PROSE_OF_ALL * sum(len(part.text) for part in parts)

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:
        """See `BlockReader`."""
        walk.page.record_section_of_ids(node)
        _PartReader(walk.page, kind).read(with_whole_words(_parts(node)))


class _PartReader:
    """Adds the parts of one text to a page."""

    def __init__(self, page: PageBuilder, kind: ChunkKind) -> None:
        self._page = page
        self._kind: ChunkKind = kind
        self._outer = page.enter()
        self._container = ""
        self._entries = 0
        self._inner = 0
        """Where the text of the open entry begins, 0 without an open entry. What begins there belongs to the entry."""
        self._is_described = True
        """Whether the last term has a description, so that the next one begins another entry."""

    def read(self, parts: Iterable[Part]) -> None:
        """Adds all parts."""
        for kind, group in groupby(parts, attrgetter("kind")):
            if kind in ("layout", "item"):
                for _, alike in groupby(group, self._is_in_entry):
                    self._read_together(kind, list(alike))
            else:
                for part in group:
                    self._read_part(part)
        self._page.leave(self._outer)

    def _read_part(self, part: Part) -> None:
        """Adds a paragraph, a heading, an entry or a line that is no text."""
        if part.kind == "entry":
            self._read_entry(part)
            return
        self._leave_entry_before(part)
        if part.kind == "heading":
            self._page.add_block("prose", part.text, starts=True, role="heading")
        elif part.kind == "furniture":
            self._page.add_block("prose", clean_text(part.text), role="furniture")
        else:
            kind: ChunkKind = "definition" if self._inner else self._kind
            self._page.add_block(kind, clean_text(part.text))

    def _read_together(self, kind: PartKind, parts: Sequence[Part]) -> None:
        """Adds the items of a list, or lines that are laid out, as one block."""
        self._leave_entry_before(parts[0])
        if kind == "layout":
            # Manual pages indent all that stands under a heading: a reader copies a command without that.
            self._page.add_block("code", dedent("\n\n".join(part.text for part in parts)))
            return
        items = tuple(f"{part.term} {clean_text(part.text)}" for part in parts)
        self._page.add_block("list", "\n".join(items), items)

    def _read_entry(self, part: Part) -> None:
        """Adds a term and its description. Terms that share a description belong to one entry."""
        self._page.leave(self._outer)
        self._container = self._container or self._page.name_container(DEFINITIONS)
        self._entries += self._is_described
        self._page.enter(f"{self._container}.{self._entries}")
        self._page.add_block("definition", clean_text(part.term), starts=self._is_described, role="term")
        if part.text:
            self._page.add_block("definition", clean_text(part.text))
        self._is_described, self._inner = bool(part.text), part.inner

    def _is_in_entry(self, part: Part) -> bool:
        """Whether a part stands where the text of the open entry begins, or further right."""
        return 0 < self._inner <= part.indent

    def _leave_entry_before(self, part: Part) -> None:
        """Leaves the open entry, if a part does not belong to it."""
        if not self._is_in_entry(part):
            self._page.leave(self._outer)
            self._inner, self._is_described = 0, True


def _is_named_text(classes: Collection[str]) -> bool:
    """Whether the classes of a `pre` say that it is text."""
    return frozenset(classes) in _NAMED_TEXT


def _is_bare(node: LexborNode) -> bool:
    """Whether a `pre` has no markup of code, neither in it nor around it."""
    frame = node.parent
    frames = [element for element in (frame, frame.parent if frame is not None else None) if element is not None]
    if any(_FRAME_OF_CODE.search(name) for element in frames for name in class_names(element)):
        return False
    return all(child.tag in _INSIDE or has_class(child, _MENU) for child in children(node))


def _parts(node: LexborNode) -> list[Part]:
    """The parts of the text of a `pre`."""
    text = code_text(node)
    parts = parts_of(text, is_named_text=_is_named_text(class_names(node)))
    return parts_of(text, is_named_text=True) if is_manual(parts) else parts
