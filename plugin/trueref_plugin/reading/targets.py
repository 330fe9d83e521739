"""Finds the element whose id leads to a heading, a term or a row, and the section that a footnote belongs to."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from trueref_plugin.reading.elements import class_names, holds_block, previous_element
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.clean import is_dropped
from trueref_plugin.reading.markup.page_furniture import is_page_bar

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

_ANCHOR_TAGS: Final = frozenset(("a", "span", "p", "div"))
_SECTIONS: Final = frozenset(
    # Sphinx and Texinfo; Texinfo up to version 6, from 7; DocBook.
    "section chapter unnumbered appendix unnumberedsec appendixsec subsection unnumberedsubsec subsubsection "
    "section-level-extent chapter-level-extent subsection-level-extent subsubsection-level-extent "
    "sect1 sect2 sect3 sect4 sect5 simplesect preface part refsect1 refsect2 refsect3 bibliography glossary".split()
)
_PAGE_PARTS: Final = frozenset(
    "main content contents container wrapper page body document article root app layout".split()
)
"""Ids of elements that hold all of the content of a page. They do not belong to the first heading in them."""
_HEADER_CLASS: Final = re.compile(r"\bhead(?:er|ing)\b|^titlepage$")
"""Matches a class of an element around a heading that is a header."""
_MAX_HEADER_DEPTH: Final = 3
"""Elements from a heading up to the header around it, at most."""
_MAX_ANCHOR_TEXT: Final = 20
"""Characters of an element before a heading at most: it shows nothing, but may hold the symbol of a permalink.
A label before a heading is no longer either."""

_INDEX_ENTRY: Final = "index-"
"""The beginning of the id that Texinfo writes for an entry of an index."""

MAX_ID: Final = 1000
"""Characters of an id by which a section is cited, at most: every chunk of the section repeats it. Links may still lead
to a longer id."""

_BACKLINKS: Final = (
    ".footnote-backref, .fn-backref, .reversefootnote, [data-footnote-backref], [role=doc-backlink], "
    ".footnote > a[href^='#_footnoteref']"
)
"""Selects the links of a footnote back to the text that refers to it: Python-Markdown, markdown-it and goldmark;
docutils; kramdown; GitHub and Docusaurus; docutils from version 0.18 on; Asciidoctor."""


def heading_anchor(node: LexborNode, unreachable: Container[int]) -> LexborNode | None:
    """The element whose id leads to a heading; None if no id does.

    This is the heading itself, an element inside it, the section or link around it, or an empty element before it.
    """
    on_heading = own_anchor(node, unreachable)
    if on_heading is not None:
        return on_heading
    first, parent = _around_header(node)
    # Sphinx, Texinfo and DocBook put the id of a heading on the section around it, Haddock and pages written by hand on
    # a link around it, and DITA on a box around it. Only the first heading in that element owns the id.
    if parent is not None and is_citable(parent, unreachable):
        if (parent.tag == "a" or _is_section(parent)) and _is_first_element(first):
            return parent
        if _is_box_of(node, parent) and _is_first_element(_label_before(first) or first):
            return parent
    anchors = (own_anchor(before, unreachable) for before in anchors_before(node))
    return next((anchor for anchor in anchors if anchor is not None), None)


def are_side_by_side(first: LexborNode, second: LexborNode) -> bool:
    """Whether each of two headings has a section of its own, and one section stands beside the other."""
    one, other = first.parent, second.parent
    if one is None or other is None or one.mem_id == other.mem_id or not (_is_section(one) and _is_section(other)):
        return False
    return one.parent is not None and other.parent is not None and one.parent.mem_id == other.parent.mem_id


def anchors_before(node: LexborNode) -> Iterator[LexborNode]:
    """The empty elements right before a heading, the nearest first: an id on one of them leads to the heading."""
    return _empty_elements(node.prev)


def anchors_before_term(term: LexborNode) -> list[LexborNode]:
    """The index entries at the end of the description before a term, in the order of the page.

    Texinfo up to version 6 writes them there, as empty elements, if the author put them before the term: on the page,
    their ids lead to the term. Another empty element there may be the end of the description, or made for scripts.
    """
    description = previous_element(term)
    if description is None or description.tag != "dd":
        return []
    empty_elements = [*_empty_elements(description.last_child)][::-1]
    return [element for element in empty_elements if anchor_name(element).startswith(_INDEX_ENTRY)]


def _empty_elements(before: LexborNode | None) -> Iterator[LexborNode]:
    """The empty elements from a node backwards, up to one that shows something."""
    while before is not None:
        if before.tag != "-text":
            # Reading the raw text is much faster than reading the cleaned one, and is nearly always enough to decide.
            text = before.text() if before.tag in _ANCHOR_TAGS else None
            if text is None or len(text) > _MAX_ANCHOR_TEXT or inline_text(before):
                return
            yield before
        elif (before.text_content or "").strip():
            return
        before = before.prev


def own_anchor(node: LexborNode, unreachable: Container[int]) -> LexborNode | None:
    """The first citable element among an element and those inside it; None if there is none."""
    candidates = [node, *node.css("[id], a[name]")]
    return next((candidate for candidate in candidates if is_citable(candidate, unreachable)), None)


def is_citable(node: LexborNode, unreachable: Container[int]) -> bool:
    """Whether a section may be cited by the id of an element. Ids of buttons, or with `__` before, are for scripts."""
    name = anchor_name(node)
    is_for_scripts = name.startswith("__") or node.tag == "button"
    return 0 < len(name) <= MAX_ID and not is_for_scripts and node.mem_id not in unreachable


def anchor_name(node: LexborNode) -> str:
    """The id or name by which a fragment finds an element, "" for none."""
    attributes = node.attributes
    return attributes.get("id") or (attributes.get("name") if node.tag == "a" else None) or ""


def named_elements(tree: LexborHTMLParser) -> list[tuple[LexborNode, str, bool]]:
    """Every id and `a[name]` of a page in document order, as (element, name, duplicate).

    `duplicate`: a link to the name leads to another element. Browsers go to the first element with that id, and to an
    `a[name]` only if no element has the name as its id.
    """
    # Not "[id], a[name]": an element that matches both would be returned twice.
    nodes = tree.css(":is([id], a[name])")
    ids = {node.id for node in nodes}
    elements: list[tuple[LexborNode, str, bool]] = []
    seen: set[str] = set()
    for node in nodes:
        node_id = node.id
        # An element with an id and a name can be reached by both. `attrs` looks up one attribute, while `attributes`
        # would build a dictionary of all.
        for name in dict.fromkeys((node_id, node.attrs.get("name") if node.tag == "a" else None)):
            if name:
                duplicate = name in seen or (name != node_id and name in ids)
                elements.append((node, name, duplicate))
                if not duplicate:
                    seen.add(name)
    return elements


def _around_header(heading: LexborNode) -> tuple[LexborNode, LexborNode | None]:
    """A heading, or the header around it (ExDoc, DocBook), and the parent of it."""
    node = header = heading
    for _ in range(_MAX_HEADER_DEPTH):
        parent = node.parent
        if parent is None or parent.tag not in ("div", "header") or not _is_first_element(node):
            break
        node = parent
        if node.tag == "header" or any(map(_HEADER_CLASS.search, class_names(node))):
            header = node
    return header, header.parent


def _is_section(node: LexborNode) -> bool:
    """Whether an element is a section: of Sphinx, which up to docutils 0.16 is a `div`, of Texinfo or of DocBook."""
    return node.tag == "section" or not _SECTIONS.isdisjoint(class_names(node))


def _label_before(heading: LexborNode) -> LexborNode | None:
    """The box with a few words right before a heading, such as since when something is there; None if there is none."""
    before = previous_element(heading)
    if before is None or before.tag != "div" or holds_block(before):
        return None
    return before if len(before.text().strip()) <= _MAX_ANCHOR_TEXT else None


def _is_box_of(heading: LexborNode, box: LexborNode) -> bool:
    """Whether an element around a heading holds the section of this heading, and not all of the page."""
    if box.tag not in ("div", "article") or heading.tag == "h1" or (box.id or "").lower() in _PAGE_PARTS:
        return False
    following = heading.next
    while following is not None:
        if following.tag == heading.tag:
            return False
        following = following.next
    return True


def _is_first_element(node: LexborNode) -> bool:
    """Whether nothing that a reader reads stands before an element in its section.

    Sphinx writes `span` elements there, which carry more ids of the section, Texinfo a line of links, rustdoc a
    permalink and a link to the source, and ExDoc a link with a text for screen readers.
    """
    before = node.prev
    while before is not None:
        tag = before.tag or "-"
        if tag in ("div", "table"):
            is_read = not is_page_bar(before, class_names(before))
        else:
            is_empty_link = tag == "a" and not inline_text(before)
            is_read = not (tag.startswith("-") or tag in ("span", "hr") or is_empty_link or is_dropped(before))
        if is_read:
            return False
        before = before.prev
    return True


def section_of_footnote(
    footnote: LexborNode, node_by_id: Mapping[str, int], section_by_node: Mapping[int, int]
) -> int | None:
    """The section that first refers to a footnote, found by the links back from the footnote; None if none is known.

    The footnote itself stands at the end of the page, in another section.

    Args:
        footnote: The element of the footnote.
        node_by_id: By id: the first element that has it (`mem_id`).
        section_by_node: By element (`mem_id`): the index of the section that it stands in.
    """
    for link in footnote.css(_BACKLINKS):
        target = link.attributes.get("href") or ""
        # docutils: if the page refers to a footnote twice, the label of the footnote is not a link, and the footnote
        # has one arrow for each reference.
        reference = node_by_id.get(unquote(target[1:])) if target.startswith("#") else None
        if reference is not None and reference in section_by_node:
            return section_by_node[reference]
    return None
