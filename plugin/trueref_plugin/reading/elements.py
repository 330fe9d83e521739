"""Small functions for one element that several readers need: its children, its classes, whether it is inline."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
LISTS: Final = frozenset(("ul", "ol", "menu"))
ASCIIDOC_NOTE: Final = "admonitionblock"
"""The class of the element that AsciiDoc puts around a note, which it lays out as a table of one row."""
DROPDOWN_MENU: Final = "dropdown-menu"
"""The class of a menu of Bootstrap, which is hidden until a reader opens it, in a sentence too."""
INLINE_TAGS: Final = frozenset(
    "a abbr acronym b bdi bdo big br cite code data del dfn em font i img ins kbd label mark math nobr output picture "
    "q rb rp rt rtc ruby s samp slot small span strike strong sub sup time tt u var wbr".split()
)

_BLOCKS = (
    "address, article, aside, blockquote, center, details, dl, fieldset, figure, footer, h1, h2, h3, h4, h5, h6, "
    "header, hr, main, menu, ol, p, pre, section, table, "
    f"div:not(.{DROPDOWN_MENU}), ul:not(.{DROPDOWN_MENU}), :not(.{DROPDOWN_MENU}) > li"
)


def children(node: LexborNode) -> Iterator[LexborNode]:
    """The text nodes and elements directly below a node. Comments and other nodes are left out."""
    child = node.first_child
    while child is not None:
        tag = child.tag
        if tag is not None and (tag == "-text" or not tag.startswith("-")):
            yield child
        child = child.next


def first_element(node: LexborNode) -> LexborNode | None:
    """The first element directly below a node, None if there is none."""
    return next((child for child in children(node) if child.tag != "-text"), None)


def previous_element(node: LexborNode) -> LexborNode | None:
    """The element right before a node, None if there is none."""
    before = node.prev
    while before is not None and (before.tag or "-").startswith("-"):
        before = before.prev
    return before


def next_element(node: LexborNode) -> LexborNode | None:
    """The element right behind a node, None if there is none."""
    following = node.next
    while following is not None and (following.tag or "-").startswith("-"):
        following = following.next
    return following


def is_inline(node: LexborNode) -> bool:
    """Whether an element is part of a line of text.

    Custom elements are inline, as in browsers. An inline element around blocks counts as a block.
    """
    tag = node.tag or ""
    return (tag in INLINE_TAGS or "-" in tag) and not holds_block(node)


def holds_block(node: LexborNode) -> bool:
    """Whether an element has a block anywhere below it."""
    first = node.first_child
    # Most inline elements hold one text node. This check is faster than a selector.
    if first is None or (first.tag == "-text" and first.next is None):
        return False
    return node.css_first(_BLOCKS) is not None


def class_names(node: LexborNode) -> list[str]:
    """The classes of an element."""
    return (node.attributes.get("class") or "").split()


def has_class(node: LexborNode, name: str) -> bool:
    """Whether an element has a class."""
    return name in class_names(node)
