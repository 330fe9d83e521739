"""The text of a run of inline elements, with code in backticks as in Markdown."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.clean import clean_text, is_dropped, note_of_mark
from trueref_plugin.reading.elements import INLINE_TAGS, children

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

CODE_TAGS: Final = frozenset({"code", "kbd", "samp", "tt"})
LINE_BREAK: Final = "\n"

_NOTE: Final = re.compile("\0([0-9]{1,9})\0")
"""Where the text refers to a footnote, until the text becomes a block. No text of a page has this character."""


_BEHIND_WORDS: Final = frozenset(".,;:!?)]")
"""What stands right behind a word."""


class InlineText:
    """Collects the text of inline elements, and the links among them, until it is taken."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self.links: list[tuple[str, str]] = []
        """The target as written and the text of each link that was added and not yet recorded (see `PageBuilder`)."""
        self.note_numbers: dict[str, int] = {}
        """By id of a footnote, its number, in the order in which the page first refers to them."""

    def add(self, node: LexborNode) -> None:
        """Adds a text node, or an element with everything in it. Blocks in it get lines of their own."""
        tag = node.tag or ""
        if tag == "-text":
            # A line break in the source is white space; only `br` ends a line.
            self._parts.append((node.text_content or "").replace("\n", " "))
        elif tag == "br":
            self._parts.append(LINE_BREAK)
        elif is_dropped(node):
            self.refer(node)
        else:
            if tag == "math":
                self._parts.append(math_text(node))
            elif tag in CODE_TAGS:
                self._add_code(node)
            else:
                around = _mark_around(node, tag)
                self._parts.append(around)
                for child in children(node):
                    self.add(child)
                self._parts.append(around)
            target = node.attributes.get("href") if tag == "a" else None
            if target is not None:
                self.links.append((target, clean_text(node.text())))

    def refer(self, node: LexborNode) -> None:
        """Marks the place where an element that is no text refers to a footnote, if it does."""
        note = note_of_mark(node)
        if note:
            self._parts.append(f"\0{self.note_numbers.setdefault(note, len(self.note_numbers) + 1)}\0")

    def take(self) -> str:
        """The text collected so far, cleaned. Afterwards the collector has no text; its links stay.

        If it refers to footnotes it has marks, which `without_notes` takes out.
        """
        text = "".join(self._parts)
        self._parts.clear()
        return "\n".join(line for line in map(_clean_line, text.split(LINE_BREAK)) if line)

    def _add_code(self, node: LexborNode) -> None:
        """Adds code in backticks, with the links in it."""
        text = inline_text(node)
        # Two spans of code side by side would put two backticks together, which begins a longer span in Markdown.
        if self._parts and self._parts[-1].endswith("`"):
            self._parts.append(" ")
        # Code with a backtick in it gets none around it: so a reader copies exactly the code.
        self._parts.append(text if not text or "`" in text else f"`{text}`")
        child_links = [link for link in node.css("a") if link.attributes.get("href")]
        self.links.extend((link.attributes["href"] or "", text) for link in child_links)


def _clean_line(line: str) -> str:
    """A line cleaned as if the marks of footnotes were not in it, with the marks where they were."""
    if "\0" not in line:
        return clean_text(line)
    pieces = _NOTE.split(line)
    pieces[::2] = _without_blanks(pieces[::2])
    cleaned = clean_text("".join(pieces[::2]))
    parts: list[str] = []
    start = at = 0
    for piece, number in zip(pieces[::2], pieces[1::2], strict=False):
        # White space is folded, so that only the other characters can be counted.
        for _ in range(len("".join(clean_text(piece).split()))):
            at += 1 + (cleaned[at] == " ")
        parts += [cleaned[start:at], f"\0{number}\0"]
        start = at
    # A mark alone is no text.
    return "".join([*parts, cleaned[start:]]) if cleaned else ""


def _without_blanks(pieces: list[str]) -> list[str]:
    """The text between marks of footnotes, without the blanks before marks with a stop behind them.

    In reStructuredText a blank has to stand before the mark: without the mark, `NFS [1].` would be `NFS .`.
    """
    following = ""
    for at in range(len(pieces) - 1, -1, -1):
        if following[:1] in _BEHIND_WORDS:
            pieces[at] = pieces[at].rstrip()
        following = pieces[at] or following
    return pieces


def without_notes(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """A text without its marks of footnotes, and their numbers with the characters of the text before each."""
    if "\0" not in text:
        return text, ()
    pieces = _NOTE.split(text)
    ends = accumulate(map(len, pieces[::2]))
    return "".join(pieces[::2]), tuple(zip(map(int, pieces[1::2]), ends, strict=False))


def inline_text(node: LexborNode) -> str:
    """The cleaned text of one element, on one line, without marks for code: a title, a term, a label."""
    parts: list[str] = []
    _visible(node, parts)
    return clean_text("".join(parts))


def math_text(node: LexborNode) -> str:
    """The TeX source of a formula if the page has it, else its symbols."""
    source = node.css_first("annotation[encoding='application/x-tex']")
    return clean_text((source or node).text())


def _visible(node: LexborNode, parts: list[str]) -> None:
    """Collects the visible text of an element."""
    for child in children(node):
        tag = child.tag or ""
        if tag == "-text":
            parts.append(child.text_content or "")
        elif tag == "br":
            parts.append(" ")
        elif tag == "math":
            parts.append(math_text(child))
        elif not is_dropped(child):
            around = _mark_around(child, tag) and " "
            parts.append(around)
            _visible(child, parts)
            parts.append(around)


def _mark_around(node: LexborNode, tag: str) -> str:
    """The separator that keeps the text of an element apart from that of its neighbours, "" for none."""
    if "-" in tag or tag == "label":
        # Custom elements and labels side by side (buttons, cards) are shown apart. Beside text they may be part of it.
        beside = (node.prev, node.next)
        return " " if any(other is not None and not (other.tag or "-").startswith("-") for other in beside) else ""
    return "" if tag in INLINE_TAGS else LINE_BREAK
