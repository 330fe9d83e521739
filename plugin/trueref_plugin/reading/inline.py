"""The text of a run of inline elements, with code in backticks as in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from trueref_core.text.inline_code import is_code
from trueref_plugin.reading.code_text import code_text
from trueref_plugin.reading.elements import children, has_class, is_inline_tag, previous_element
from trueref_plugin.reading.markup.clean import clean_text, fold, footnote_of_mark, is_dropped
from trueref_plugin.reading.markup.escapes import without_escapes

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

CODE_TAGS: Final = frozenset({"code", "kbd", "samp", "tt"})
_LITERAL: Final = "docutils literal"
"""The class of code in a sentence that docutils writes by itself. Sphinx writes an element `code`."""

_PIECES_OF_CODE: Final = frozenset("RktPn RktSym RktVal RktVar RktKw RktMeta RktOpt RktInBG stt hspace".split())
"""Classes of the pieces of code in a sentence: Scribble. An expression has one for each of its names and brackets."""

LINE_BREAK: Final = "\n"

_FOOTNOTE_MARK: Final = re.compile("\0([0-9]{1,9})\0")
"""Matches a footnote mark, which stands in collected text where the page refers to a footnote. It is the number of the
footnote between two zero characters, which no text of a page has. Marks are taken out when the text becomes a block."""

_CLOSING_PUNCTUATION: Final = frozenset(".,;:!?)]")
"""Characters that follow a word without a space."""


class InlineText:
    """Collects the text of inline elements, and the links among them, until it is taken."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.links: list[tuple[str, str]] = []
        """The target as written and the text of each link that was added and not yet recorded (see `PageBuilder`)."""
        self.footnote_numbers: dict[str, int] = {}
        """By id: the numbers of the footnotes, in the order in which the page first refers to them."""

    def add(self, node: LexborNode) -> None:
        """Adds a text node, or an element with everything in it. Blocks in it get lines of their own."""
        tag = node.tag or ""
        if tag == "-text":
            # A line break in the source is white space; only `br` ends a line.
            self._parts.append((node.text_content or "").replace("\n", " "))
        elif tag == "br":
            self._parts.append(LINE_BREAK)
        elif is_dropped(node):
            self.add_footnote_mark(node)
        else:
            if tag == "math":
                self._parts.append(math_text(node))
            elif tag in CODE_TAGS or (tag == "span" and node.attributes.get("class") == _LITERAL):
                self._add_code(node)
            elif tag == "span" and node.attributes.get("class") in _PIECES_OF_CODE:
                self._add_piece_of_code(node)
            elif tag == "pre":
                self._add_lines_of_code(node)
            else:
                separator = _separator(node, tag)
                self._parts.append(separator or _text_before(node))
                for child in children(node):
                    self.add(child)
                self._parts.append(separator)
            target = node.attributes.get("href") if tag == "a" else None
            if target is not None:
                self.links.append((target, clean_text(node.text())))

    def separate(self) -> None:
        """Adds a space, so that what follows is a word of its own."""
        self._parts.append(" ")

    def add_footnote_mark(self, node: LexborNode) -> None:
        """Adds a mark if an element refers to a footnote. The text of the element itself is not added."""
        footnote = footnote_of_mark(node)
        if footnote:
            self._parts.append(f"\0{self.footnote_numbers.setdefault(footnote, len(self.footnote_numbers) + 1)}\0")

    def take(self) -> str:
        """Returns the text collected so far, cleaned, and begins with an empty text again. The links stay.

        The text has a mark where it refers to a footnote: `without_footnote_marks` takes these out.
        """
        text = without_escapes("".join(self._parts))
        self._parts.clear()
        return "\n".join(line for line in map(_clean_line, text.split(LINE_BREAK)) if line)

    def _add_piece_of_code(self, node: LexborNode) -> None:
        """Adds a piece of code, in the same backticks as the piece right before it."""
        text, before = inline_text(node) or " ", self._parts[-1] if self._parts else ""
        goes_on = len(before) > 1 and before.startswith("`") and before.endswith("`")
        if "`" in text or (text == " " and not goes_on):
            self._parts.append(text)
        elif goes_on:
            self._parts[-1] = f"{before[:-1]}{text}`"
        else:
            self._parts.append(f"`{text}`")
        self.links.extend((link.attributes["href"] or "", text) for link in node.css("a[href]"))

    def _add_lines_of_code(self, node: LexborNode) -> None:
        """Adds a block of code with a line of its own for each of its lines, in backticks, with the links in it."""
        for line in map(fold, code_text(node).split("\n")):
            self._parts.append(LINE_BREAK)
            self._parts.append(line if not line or "`" in line else f"`{line}`")
        self._parts.append(LINE_BREAK)
        self.links.extend((link.attributes["href"] or "", inline_text(link)) for link in node.css("a[href]"))

    def _add_code(self, node: LexborNode) -> None:
        """Adds code in backticks, with the links in it."""
        text = inline_text(node)
        # Without a space between two spans of code, their backticks would touch, which begins a longer span in
        # Markdown.
        if self._parts and self._parts[-1].endswith("`"):
            self._parts.append(" ")
        # Code that contains a backtick is not put between backticks, so that a reader copies exactly the code.
        self._parts.append(text if not text or "`" in text else f"`{text}`")
        child_links = [link for link in node.css("a") if link.attributes.get("href")]
        self.links.extend((link.attributes["href"] or "", text) for link in child_links)


def _clean_line(line: str) -> str:
    """A cleaned line. Footnote marks have no influence on the cleaning, and stay behind the same characters."""
    if "\0" not in line:
        return fold(line)
    # Pieces of text, and between them the numbers of footnotes.
    pieces = _FOOTNOTE_MARK.split(line)
    pieces[::2] = _without_spaces_before_marks(pieces[::2])
    cleaned = fold("".join(pieces[::2]))
    parts: list[str] = []
    start = position = 0
    for piece, number in zip(pieces[::2], pieces[1::2], strict=False):
        # Cleaning changes white space, so the end of a piece is found by counting its other characters.
        for _ in range(len("".join(fold(piece).split()))):
            position += 1 + (cleaned[position] == " ")
        parts += [cleaned[start:position], f"\0{number}\0"]
        start = position
    # A line with nothing but marks has no text.
    return "".join([*parts, cleaned[start:]]) if cleaned else ""


def _without_spaces_before_marks(pieces: list[str]) -> list[str]:
    """The pieces of text between footnote marks. A piece loses its final spaces if punctuation follows the mark.

    reStructuredText requires a space before a mark: without this rule, `NFS [1].` would become `NFS .`.
    """
    following = ""
    for index in range(len(pieces) - 1, -1, -1):
        if following[:1] in _CLOSING_PUNCTUATION:
            pieces[index] = pieces[index].rstrip()
        following = pieces[index] or following
    return pieces


def without_footnote_marks(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text without its footnote marks; and for each mark, the number of the footnote and the position of the mark.

    Positions are counted in characters of the text without marks.
    """
    if "\0" not in text:
        return text, ()
    pieces = _FOOTNOTE_MARK.split(text)
    ends = accumulate(map(len, pieces[::2]))
    return "".join(pieces[::2]), tuple(zip(map(int, pieces[1::2]), ends, strict=False))


def inline_text(node: LexborNode) -> str:
    """The cleaned text of one element on one line, without backticks around code: for titles, terms and labels."""
    return clean_text("".join(_visible_parts(node)))


def math_text(node: LexborNode) -> str:
    """The TeX source of a formula if the page has it, else its symbols."""
    source = node.css_first("annotation[encoding='application/x-tex']")
    return clean_text((source or node).text())


def _visible_parts(node: LexborNode) -> Iterator[str]:
    """The pieces of the visible text of an element, in their order."""
    # Not recursive: a piece would pass through the generators of all elements around it.
    open_elements = [(children(node), "")]
    while open_elements:
        remaining, closing = open_elements[-1]
        child = next(remaining, None)
        tag = child.tag or "" if child is not None else ""
        if child is None:
            open_elements.pop()
            yield closing
        elif tag == "-text":
            yield child.text_content or ""
        elif tag == "br":
            yield " "
        elif tag == "math":
            yield math_text(child)
        elif not is_dropped(child):
            separator = _separator(child, tag) and " "
            yield separator or _text_before(child)
            open_elements.append((children(child), separator))


def _separator(node: LexborNode, tag: str) -> str:
    """The separator that keeps the text of an element apart from that of its neighbours, "" for none."""
    if "-" in tag or tag == "label":
        # Custom elements and labels next to other elements (buttons, cards) are displayed with space between them. Next
        # to text they may be part of a word.
        neighbours = (node.prev, node.next)
        return " " if any(other is not None and not (other.tag or "-").startswith("-") for other in neighbours) else ""
    return "" if is_inline_tag(tag) else LINE_BREAK


def _text_before(node: LexborNode) -> str:
    """What a style sheet writes before an element.

    docutils and numpydoc separate a term from its type by a colon, gi-docgen the parts of a name by an arrowhead.
    """
    if node.tag == "span" and has_class(node, "sep") and node.first_child is None:
        return " \u25b8 "
    if node.tag != "span" or not has_class(node, "classifier"):
        return ""
    # docutils writes the colon itself, in an element of its own.
    before = previous_element(node)
    return "" if before is not None and has_class(before, "classifier-delimiter") else " : "


def is_link(text: str, labels: list[str]) -> bool:
    """Whether a line is nothing but links with these labels. Code alone does not count: a list of names is content."""
    return not is_code(text) and _visible_length(text) <= sum(map(_visible_length, labels))


def _visible_length(text: str) -> int:
    """The number of characters, without spaces and backticks."""
    return len(text.replace("`", "").replace(" ", ""))
