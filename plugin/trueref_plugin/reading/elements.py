"""Small functions for one element that several readers need: its children, its classes, whether it is inline."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

HEADINGS: Final = {f"h{level}": level for level in range(1, 7)}
LISTS: Final = frozenset(("ul", "ol", "menu"))
ASCIIDOC_NOTE: Final = "admonitionblock"
"""The class of the element that AsciiDoc puts around a note, which it lays out as a table of one row."""
DROPDOWN_MENU: Final = "dropdown-menu"
"""The class of a menu of Bootstrap, which is hidden until a reader opens it, in a sentence too."""
_BLOCK_TAGS: Final = frozenset(
    "address applet area article aside audio base basefont bgsound blockquote body button canvas caption center col "
    "colgroup datalist dd details dialog dir div dl dt embed fieldset figcaption figure footer form frame frameset h1 "
    "h2 h3 h4 h5 h6 head header hgroup hr html iframe input legend li link listing main map marquee menu menuitem "
    "meta meter nav noembed noframes noscript object ol optgroup option p param plaintext pre progress script search "
    "section select source style summary svg table tbody td template textarea tfoot th thead title tr track ul video "
    "xmp".split()
)
"""The elements of HTML that are no part of a line of text, or are not shown in it."""

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


def directly_behind(node: LexborNode) -> LexborNode | None:
    """The element right behind a node, None if there is none or a text between them."""
    behind = node.next
    while behind is not None and (behind.tag or "-").startswith("-"):
        if behind.tag == "-text" and (behind.text_content or "").strip():
            return None
        behind = behind.next
    return behind


def is_inline(node: LexborNode) -> bool:
    """Whether an element is part of a line of text.

    An inline element around blocks counts as a block.
    """
    return is_inline_tag(node.tag or "") and not holds_block(node)


def is_inline_tag(tag: str) -> bool:
    """Whether elements with a tag are part of a line of text.

    As in browsers, these are all that HTML does not know too: custom elements, and what looks like an element because
    its author did not escape it, such as `<file>`.
    """
    return tag not in _BLOCK_TAGS


def first_line(item: LexborNode) -> list[LexborNode]:
    """The children of an item of a list that are its first line: a paragraph, or all before a line break or a block."""
    line = list(takewhile(_is_on_line, children(item)))
    if any(part.text().strip() for part in line):
        return line
    upto_block = list(islice(children(item), len(line) + 1))
    return upto_block if upto_block and upto_block[-1].tag == "p" else []


def _is_on_line(part: LexborNode) -> bool:
    """Whether a part of an item ends no line."""
    return part.tag == "-text" or (part.tag != "br" and is_inline(part))


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
