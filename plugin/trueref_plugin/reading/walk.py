"""Walks the content of a page once and gives its sections, blocks, and where each id stands.

The walk is a plain recursion over the tree. `_Walk` holds what has been found; each kind of element has one method.
Pages deep enough to exhaust the stack never come here in process: see `prescan`.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import TYPE_CHECKING, Final

from trueref_core.records import AnchorKind, ChunkKind
from trueref_plugin.reading.clean import clean_code, is_admonition, is_dropped
from trueref_plugin.reading.inline import InlineText, inline_text, visible_text
from trueref_plugin.reading.parsed import Block, ParsedLink, Section

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
INLINE_TAGS: Final = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark nobr output q rp rt ruby "
    "s samp small span strike strong sub sup time tt u var wbr -text".split()
)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|highlight|lang|highlight-source)-([\w+#.-]{1,40})")
_NO_LANGUAGE = frozenset({"default", "text", "none", "plaintext", "plain", "txt"})


class Walk:
    """One walk over one page's content."""

    def __init__(self, page_title: str, unreachable: Container[int] = ()) -> None:
        """Starts with the page top as the only section.

        Args:
            page_title: The title of that section.
            unreachable: Nodes whose id an earlier element has: a link would lead there, so they start no section.
        """
        self._unreachable = unreachable
        self.sections: list[Section] = [Section("", 0, page_title, (), -1)]
        self.blocks: list[Block] = []
        self.links: list[ParsedLink] = []
        self.cited: dict[int, tuple[AnchorKind, int, str]] = {}
        """By node: what a cited anchor is, its level and text."""
        self.places: dict[int, int] = {}
        """By node that carries an id: the section it stands in."""
        self._current = 0
        self._headings: list[int] = [0]
        self._inline = InlineText()

    # The flow of elements

    def children(self, node: LexborNode, kind: ChunkKind = "prose") -> None:
        """Walks the children of a block element; text between blocks becomes paragraphs of `kind`."""
        child = node.first_child
        while child is not None:
            self._child(child, kind)
            child = child.next
        self._flush(kind)

    def _child(self, node: LexborNode, kind: ChunkKind) -> None:
        tag = node.tag
        if tag is None or (tag.startswith("-") and tag != "-text"):
            return
        if tag in INLINE_TAGS and not (tag in ("a", "span", "label") and _holds_block(node)):
            self._note_ids(node)
            self._inline.add(node)
            return
        attributes = node.attributes
        if is_dropped(tag, attributes):
            self._note_ids(node)
            return
        self._flush(kind)
        self._block(node, tag, "admonition" if is_admonition(tag, attributes) else kind)

    def _block(self, node: LexborNode, tag: str, kind: ChunkKind) -> None:
        if tag in HEADINGS:
            self._heading(node, HEADINGS[tag])
            return
        self._note(node)
        if tag == "pre":
            self._code(node)
        elif tag in ("ul", "ol", "menu"):
            self._list(node, ordered=tag == "ol")
        elif tag == "table":
            self._table(node, kind)
        elif tag == "dl":
            self._definitions(node)
        elif _has_class(node, "tabbed-set"):
            self._tabs(node, kind)
        else:
            self.children(node, kind)

    # Sections

    def _heading(self, node: LexborNode, level: int) -> None:
        self._note_ids(node)
        title = inline_text(node)
        anchor_node = heading_anchor(node, self._unreachable)
        while len(self._headings) > 1 and self.sections[self._headings[-1]].level >= level:
            self._headings.pop()
        parent = self._headings[-1]
        if anchor_node is None:
            # No id: the text belongs to the nearest enclosing anchor, which is where a link can lead.
            self._current = parent
            if title and title != self.sections[0].title:
                self._emit(Block("prose", title, parent, starts=True))
            return
        kind: AnchorKind = "object" if _has_class(node, "doc-heading") else "heading"
        self._open(anchor_node, kind, level, title, parent)
        self._headings.append(self._current)

    def _open(self, node: LexborNode, kind: AnchorKind, level: int, title: str, parent: int) -> None:
        above = self.sections[parent]
        breadcrumb = (*above.breadcrumb, above.title)
        self.cited[node.mem_id] = (kind, level, title)
        self.places[node.mem_id] = parent
        self._current = len(self.sections)
        self.sections.append(Section(anchor_name(node), level, title, breadcrumb, parent))

    # Blocks

    def _code(self, node: LexborNode) -> None:
        text = clean_code(visible_text(node))
        if text:
            self._emit(Block("code", text, self._current, code_language=code_language(node)))

    def _list(self, node: LexborNode, *, ordered: bool) -> None:
        items = _List(self, ordered=ordered, start=node.attributes.get("start"))
        items.walk(node, depth=0)
        items.flush()

    def _table(self, node: LexborNode, kind: ChunkKind) -> None:
        code = node.css_first("td.code pre") or node.css_first("td.rouge-code pre")
        if code is not None:
            self._code(code)
            return
        rows = [row for row in node.css("tr") if _owner_table(row) == node.mem_id]
        if not node.css_first("tr") or any(row.css_first("pre, table") for row in rows):
            # A layout table, or cells that hold blocks: their order is the reading order.
            self.children(node, kind)
            return
        self._rows(rows)

    def _rows(self, rows: list[LexborNode]) -> None:
        header, home, plain = "", self._current, list[str]()
        for position, row in enumerate(rows):
            text, is_header = self._row(row)
            if not text:
                continue
            if is_header and position == 0:
                header = text
                continue
            if row.attributes.get("id") and _is_target(row, self._unreachable):
                self._open(row, "row", 0, _row_title(row), home)
                self._emit(Block("table", text, self._current, (text,), header))
                self._current = home
            else:
                plain.append(text)
        if plain or (header and self._current == home and not any(row.attributes.get("id") for row in rows)):
            self._emit(Block("table", "\n".join(plain), home, tuple(plain), header))

    def _row(self, row: LexborNode) -> tuple[str, bool]:
        cells: list[str] = []
        is_header = True
        cell = row.first_child
        while cell is not None:
            if cell.tag in ("td", "th"):
                is_header = is_header and cell.tag == "th"
                self._note_ids(cell)
                self._inline.add(cell)
                cells.append(" ".join(self._inline.take().split("\n")).replace("|", "\\|"))
            cell = cell.next
        self._take_links()
        return ("| " + " | ".join(cells) + " |" if any(cells) else ""), is_header

    def _definitions(self, node: LexborNode) -> None:
        home = self._current
        child = node.first_child
        while child is not None:
            if child.tag == "dt" and not is_dropped("dt", child.attributes):
                self._current = self._term(child, home)
            elif child.tag == "dd":
                self._note(child)
                self.children(child, "definition")
            elif child.tag == "div":
                self._definitions(child)
            child = child.next
        self._current = home

    def _term(self, node: LexborNode, home: int) -> int:
        self._note_ids(node)
        anchor_node = _own_anchor(node, self._unreachable)
        title = inline_text(node)
        self._inline.add(node)
        text = self._inline.take()
        self._take_links()
        if anchor_node is None:
            if text:
                self._emit(Block("definition", text, home, starts=True))
            return home
        is_object = any(name in ("sig", "sig-object", "descname") for name in (node.attributes.get("class") or "").split())
        self._open(anchor_node, "object" if is_object else "term", 0, title, home)
        return self._current

    def _tabs(self, node: LexborNode, kind: ChunkKind) -> None:
        labels = [(label.attributes.get("for"), inline_text(label)) for label in node.css(".tabbed-labels > label")]
        for tab in node.css("input"):
            text = next((text for target, text in labels if target == tab.attributes.get("id")), "")
            self.cited[tab.mem_id] = ("tab", 0, text)
            self.places[tab.mem_id] = self._current
        blocks = [block for block in node.css(".tabbed-block") if _owner(block, "tabbed-set") == node.mem_id]
        for position, block in enumerate(blocks):
            if position < len(labels) and labels[position][1]:
                self._emit(Block(kind, labels[position][1], self._current, starts=True))
            self._note(block)
            self.children(block, kind)

    # Emitting

    def _emit(self, block: Block) -> None:
        self.blocks.append(block)

    def emit_list(self, units: list[str]) -> None:
        """Adds a list block; `_List` calls it when a list ends or a block interrupts it."""
        self._emit(Block("list", "\n".join(units), self._current, tuple(units)))

    def _flush(self, kind: ChunkKind) -> None:
        text = self._inline.take()
        self._take_links()
        if text:
            self._emit(Block(kind, text, self._current))

    def _take_links(self) -> None:
        self.links.extend(ParsedLink(target, text, self._current) for target, text in self._inline.links)
        self._inline.links.clear()

    def _note(self, node: LexborNode) -> None:
        self.places[node.mem_id] = self._current

    def _note_ids(self, node: LexborNode) -> None:
        self._note(node)
        if node.tag != "-text":
            for inner in node.css("[id], a[name]"):
                self.places[inner.mem_id] = self._current


class _List:
    """Gathers the items of a list, nested ones indented, and hands them over when a block interrupts them."""

    def __init__(self, walk: Walk, *, ordered: bool, start: str | None) -> None:
        self._walk = walk
        self._ordered = ordered
        self._number = int(start) if start and start.isascii() and start.isdigit() and len(start) < 6 else 1
        self._units: list[str] = []

    def walk(self, node: LexborNode, depth: int) -> None:
        item = node.first_child
        while item is not None:
            if item.tag == "li" and not is_dropped("li", item.attributes):
                self._item(item, depth)
            item = item.next

    def flush(self) -> None:
        if self._units:
            self._walk.emit_list(self._units)
            self._units = []

    def _item(self, item: LexborNode, depth: int) -> None:
        mark = f"{self._number}." if self._ordered else "-"
        self._number += 1
        self._walk._note(item)
        self._content(item, depth, "  " * depth + mark + " ", fresh=True)

    def _content(self, node: LexborNode, depth: int, mark: str, *, fresh: bool) -> bool:
        """Adds what an item holds. `fresh` says that its mark is still to be written; returns whether it still is."""
        walk, child = self._walk, node.first_child
        while child is not None:
            tag = child.tag or ""
            if tag in INLINE_TAGS and not _holds_block(child):
                walk._note_ids(child)
                walk._inline.add(child)
            elif not tag.startswith("-") and not is_dropped(tag, child.attributes):
                fresh = self._text(mark, fresh=fresh)
                if tag in ("ul", "ol", "menu"):
                    nested = _List(walk, ordered=tag == "ol", start=child.attributes.get("start"))
                    nested._units = self._units
                    nested.walk(child, depth + 1)
                    self._units = nested._units
                elif tag in ("p", "div", "span", "a", "label") and not _holds_other_blocks(child):
                    walk._note(child)
                    fresh = self._content(child, depth, mark, fresh=fresh)
                elif tag != "hr":
                    self.flush()
                    walk._block(child, tag, "admonition" if is_admonition(tag, child.attributes) else "prose")
            else:
                walk._note_ids(child)
            child = child.next
        return self._text(mark, fresh=fresh)

    def _text(self, mark: str, *, fresh: bool) -> bool:
        text = self._walk._inline.take()
        self._walk._take_links()
        if not text:
            return fresh
        indent = " " * len(mark)
        self._units.append((mark if fresh else indent) + text.replace("\n", "\n" + indent))
        return False


# Questions about one element


def heading_anchor(node: LexborNode, unreachable: Container[int]) -> LexborNode | None:
    """The element whose id leads to a heading: itself, one inside it, its Sphinx section, or an alias just before."""
    own = _own_anchor(node, unreachable)
    if own is not None:
        return own
    parent = node.parent
    if parent is not None and _is_section(parent) and _is_first_element(node) and _is_target(parent, unreachable):
        return parent
    before = node.prev
    while before is not None and before.tag == "-text" and not (before.text_content or "").strip():
        before = before.prev
    if before is None or before.tag not in ("a", "span", "p", "div") or inline_text(before):
        return None
    return _own_anchor(before, unreachable)


def _own_anchor(node: LexborNode, unreachable: Container[int]) -> LexborNode | None:
    """The element itself, or the first one inside it, that a fragment can name."""
    candidates = [node, *node.css("[id], a[name]")]
    return next((candidate for candidate in candidates if _is_target(candidate, unreachable)), None)


def _is_target(node: LexborNode, unreachable: Container[int]) -> bool:
    name = anchor_name(node)
    return bool(name) and not name.startswith("__") and node.mem_id not in unreachable


def anchor_name(node: LexborNode) -> str:
    """The name by which a fragment finds an element, "" for none."""
    attributes = node.attributes
    return attributes.get("id") or (attributes.get("name") if node.tag == "a" else None) or ""


def _is_section(node: LexborNode) -> bool:
    return node.tag == "section" or _has_class(node, "section")


def code_language(node: LexborNode) -> str:
    """The language of a code block, from its own class, its `code`'s, or those of the two elements around it."""
    inner = node.css_first("code")
    around = node.parent
    candidates = [node, inner, around, around.parent if around is not None else None]
    for candidate in candidates:
        classes = candidate.attributes.get("class") if candidate is not None else None
        match = _LANGUAGE.search(classes) if classes else None
        if match and match[1].lower() not in _NO_LANGUAGE:
            return match[1].lower()
    return ""


def _holds_block(node: LexborNode) -> bool:
    return node.tag != "-text" and node.css_first("p, div, pre, ul, ol, dl, table, h1, h2, h3, h4, h5, h6") is not None


def _holds_other_blocks(node: LexborNode) -> bool:
    return node.css_first("pre, dl, table, details, h1, h2, h3, h4, h5, h6, .admonition, .tabbed-set") is not None


def _has_class(node: LexborNode, name: str) -> bool:
    return name in (node.attributes.get("class") or "").split()


def _is_first_element(node: LexborNode) -> bool:
    before = node.prev
    while before is not None:
        if not (before.tag or "-").startswith("-") and before.tag != "span":
            return False
        before = before.prev
    return True


def _owner(node: LexborNode, class_name: str) -> int:
    above = node.parent
    while above is not None and not _has_class(above, class_name):
        above = above.parent
    return above.mem_id if above is not None else -1


def _owner_table(row: LexborNode) -> int:
    above = row.parent
    while above is not None and above.tag != "table":
        above = above.parent
    return above.mem_id if above is not None else -1


def _row_title(row: LexborNode) -> str:
    cell = row.css_first("th, td")
    return inline_text(cell) if cell is not None else ""
