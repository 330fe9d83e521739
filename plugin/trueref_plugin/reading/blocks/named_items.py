"""Reads lists of items that begin with a name, and have an id: each becomes a section, like a term of a definition."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import LISTS, children, first_line, is_inline
from trueref_plugin.reading.inline import CODE_TAGS, inline_text
from trueref_plugin.reading.markup.clean import is_dropped
from trueref_plugin.reading.markup.containers import DEFINITIONS
from trueref_plugin.reading.targets import anchor_name, is_citable
from trueref_plugin.reading.walk import BlockReader, Walk

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

    from trueref_core.records import ChunkKind

_NAME_TAGS: Final = CODE_TAGS | {"b", "strong"}
_MAX_NAME: Final = 200
"""Characters of a name at most. A longer text is a sentence."""
_AROUND_NAME: Final = frozenset(("p", "a", "span"))
_AROUND_CODE: Final = frozenset(("div", "figure"))
_MAX_AROUND: Final = 3
"""Elements around a name, and around a block of code, at most."""


class NamedItemReader(BlockReader):
    """Reads a list in which every item has a first line that is only a name with an id, and a block after it.

    AsciiDoc writes this for an item such as `[[size]] *size*` with a list of its type, its default and so on.
    """

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # the items tell
        """See `BlockReader`."""
        return node.tag in LISTS and next(_parts(node), None) is not None and all(map(_is_entry, _parts(node)))

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # an entry is its own kind
        """See `BlockReader`."""
        page, outer_section = walk.page, walk.page.current_section
        container, outer = page.name_container(DEFINITIONS), page.enter()
        for number, item in enumerate(_parts(node), 1):
            page.enter(f"{container}.{number}")
            page.record_section(item)
            with walk.enclosed():
                _read_entry(walk, item, outer_section)
            page.leave(outer)


class NamedListReader(BlockReader):
    """Reads a list with an id and one item, which begins with a name, together with the block of code behind the list.

    Manuals in AsciiDoc describe a command so: `/help` prints the code.
    """

    def takes(self, node: LexborNode, classes: Collection[str]) -> bool:  # noqa: ARG002 # the item tells
        """See `BlockReader`."""
        return (node.tag in LISTS or node.tag == "div") and bool(node.id) and _named_list(node) is not None

    def read(self, walk: Walk, node: LexborNode, kind: ChunkKind) -> None:  # noqa: ARG002 # an entry is its own kind
        """See `BlockReader`."""
        parts = _named_list(node)
        if parts is None:
            return
        page, (item, name, code) = walk.page, parts
        outer = page.enter(f"{page.name_container(DEFINITIONS)}.1")
        with walk.enclosed():
            if is_citable(node, walk.unreachable):
                page.open_section(node, "term", 0, inline_text(name), page.current_section)
            page.record_section(item)
            walk.children(item, "definition")
            walk.block_ahead(code, "definition")
        page.leave(outer)


def _read_entry(walk: Walk, item: LexborNode, outer_section: int) -> None:
    """Reads the name in an item as a section, and what follows it as the text of this section."""
    page, line = walk.page, first_line(item)
    name, anchor = _name_of(line), next((named for named in _named(line) if is_citable(named, walk.unreachable)), None)
    for part in line:
        page.record_section_of_ids(part)
        for inner in children(part) if part.tag == "p" else (part,):
            page.text.add(inner)
    text = page.take_text()
    if anchor is not None and name is not None:
        page.open_section(anchor, "term", 0, inline_text(name), outer_section)
        walk.begin_headings_below(page.current_section, ends_at_headings_around=True)
    else:
        page.add_block("definition", text, starts=True, role="term")
    for child in islice(children(item), len(line), None):
        walk.child(child, "definition")
    page.flush("definition")


def _is_entry(item: LexborNode) -> bool:
    """Whether an item begins with a line that is only a name with an id, and goes on with a block."""
    line = first_line(item) if item.tag == "li" and not is_dropped(item) else []
    behind = next((part for part in islice(children(item), len(line), None) if _is_part(part)), None)
    if not line or behind is None or behind.tag in ("-text", "br") or is_inline(behind):
        return False
    return next(_named(line), None) is not None and _name_of(line) is not None


def _named_list(node: LexborNode) -> tuple[LexborNode, LexborNode, LexborNode] | None:
    """The item of a list of one line, the name that the line begins with, and the code behind the list.

    None for any other element.
    """
    inner = node if node.tag in LISTS else _only_part(node)
    item = _only_part(inner) if inner is not None and inner.tag in LISTS else None
    code = _code_behind(node)
    if item is None or item.tag != "li" or is_dropped(item) or code is None:
        return None
    line = first_line(item)
    name = _first_shown(line)
    is_one_line = not any(map(_is_part, islice(children(item), len(line), None)))
    return (item, name, code) if is_one_line and name is not None and _is_name(name) else None


def _code_behind(node: LexborNode) -> LexborNode | None:
    """The block of code right behind an element, with the boxes around it; None if something else stands there."""
    behind = node.next
    while behind is not None and not _is_part(behind):
        behind = behind.next
    code = behind
    for _ in range(_MAX_AROUND):
        if code is None or code.tag not in _AROUND_CODE or is_dropped(code):
            break
        code = _only_part(code)
    return behind if code is not None and code.tag == "pre" else None


def _named(line: Iterable[LexborNode]) -> Iterator[LexborNode]:
    """The elements on a line that a link can lead to, without the marks of footnotes."""
    for part in line:
        for named in (part, *part.css("[id], a[name]")) if part.tag != "-text" else ():
            if anchor_name(named) and named.tag != "sup" and not is_dropped(named):
                yield named


def _name_of(line: Iterable[LexborNode]) -> LexborNode | None:
    """The name that is all that a line shows; None if it shows something else."""
    for _ in range(_MAX_AROUND):
        shown = list(islice(filter(_is_shown, line), 2))
        if len(shown) != 1 or _is_name(shown[0]):
            return shown[0] if len(shown) == 1 else None
        if shown[0].tag not in _AROUND_NAME or "href" in shown[0].attributes:
            break
        line = children(shown[0])
    return None


def _first_shown(line: Iterable[LexborNode]) -> LexborNode | None:
    """The first part that a line shows, be it in a paragraph or not."""
    first = next(filter(_is_shown, line), None)
    return next(filter(_is_shown, children(first)), None) if first is not None and first.tag == "p" else first


def _is_name(part: LexborNode) -> bool:
    """Whether a part of a line is a name: short, and bold or code."""
    return part.tag in _NAME_TAGS and len(part.text()) <= _MAX_NAME


def _is_shown(part: LexborNode) -> bool:
    """Whether a part of a line has a text to read."""
    return _is_part(part) and (part.tag == "-text" or (not is_dropped(part) and bool(inline_text(part))))


def _is_part(node: LexborNode) -> bool:
    """Whether a node is an element, or a text that is not only white space."""
    tag = node.tag or "-"
    return bool((node.text_content or "").strip()) if tag == "-text" else not tag.startswith("-")


def _parts(node: LexborNode) -> Iterator[LexborNode]:
    """The elements and the texts directly below an element, without white space between elements."""
    return filter(_is_part, children(node))


def _only_part(node: LexborNode) -> LexborNode | None:
    """The only one of these, None if there is none or another."""
    parts = list(islice(_parts(node), 2))
    return parts[0] if len(parts) == 1 else None
