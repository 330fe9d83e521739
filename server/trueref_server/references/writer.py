"""Writes the text that leaves the gate, so that Markdown renderers see no links but those that the gate wrote.

If something is removed from a text, the harmless pieces on both sides may together make a link. So the last character
that was written is compared with the first that follows, whatever pieces they came in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from trueref_server.references.bare_addresses import is_address_like

LEAD = re.compile(r"[\s>0-9.)*+-]*")
"""What may stand at the beginning of a line before its text: the marks of lists and quotations."""

DELIMITER_ROW = re.compile(r"[\s>*+0-9.)]*[-:|][-:|\s]*")
"""The line under the header of a table, or a line that looks like it: it may make a header of the line above."""

PUNCTUATION = frozenset(".,;:!?)")
CODE = re.compile(r"(`+[^`]*`+)")
"""Inline code in a label, in a group, so that splitting a label at it gives prose and code in turns."""

MAX_BLANKS = 64
"""At most this many blanks wait for the text behind them, which may drop them. Others are written at once."""

MAX_OPEN_BRACKETS = 8
"""At most this many brackets of the text may be open at a time. Renderers give up links that are nested too deeply: the
CommonMark of markdown-it reads 20 levels, and shows deeper ones as they are written. It then took the end of the link's
syntax for a part of its address (`docs/decisions/gate.md`)."""


def may_link(text: str) -> bool:
    """Whether a text may become a link, a tag or a definition if it is not read as code."""
    return any(mark in text for mark in "[<") or is_address_like(text)


class Braces:
    """Keeps attribute lists in the braces of a line from setting values, such as a script to run or an address.

    Python-Markdown reads attribute lists behind marked words, headings, paragraphs, items and cells, each on one line.
    The brace that closes a list is escaped, so that the list never ends.
    """

    def __init__(self) -> None:
        self.is_open = False
        self._sets_value = False

    def escaped(self, text: str) -> str:
        """The next text of the line, with the closing braces of attribute lists escaped."""
        if not (self.is_open or "{" in text):
            return text
        escaped_text = ""
        for character in text:
            self.is_open |= character == "{"
            # A test in a browser with 10,000 hostile answers found the case: a list behind a marked word gave it an
            # `onclick`.
            self._sets_value |= self.is_open and character == "="
            escaped_text += "\\}" if self._sets_value and character == "}" else character
        return escaped_text


class Writer:
    """Writes text, code, links and citations one after the other.

    `lead` is true while the line has only marks of lists and quotations. `waiting` are blanks that may still be
    dropped.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.waiting = ""
        self._last = ""
        self.lead = True
        self._has_gap = False
        self._label_closed = False
        self._opens_label = False
        """Whether a bracket is the first character of the line behind marks of lists and quotations."""
        self._line: list[str] = []
        self._in_table = False
        self._has_bar = False
        self._may_link_in_table, self._line_before_may_link_in_table = False, False
        self._braces = Braces()
        self._open_brackets = 0

    @property
    def is_new_line(self) -> bool:
        """Whether the line is empty."""
        return self.lead and not self._line and not self.waiting

    def take(self) -> str:
        """The text that was written since the last call. Blanks at the end wait: the next text may replace them."""
        text = "".join(self._pieces)
        self._pieces.clear()
        return text

    def text(self, text: str) -> None:
        """Write text without marks, or one mark as a plain character."""
        if self._has_gap and PUNCTUATION.issuperset(text):
            self.waiting = ""
        self._has_gap = False
        before = self._before()
        # Text right behind `<` might be read as a tag or as an address in angle brackets.
        makes_tag = before == "<"
        # A label and a parenthesis, each harmless, become a link if what stood between them is removed.
        makes_link = before == "]" and (text[0] == "(" or (text[0] == ":" and self._label_closed))
        # Python-Markdown's attribute lists may give a link another address.
        gives_attributes = before == ")" and text[0] == "{"
        text = self._escape_bracket(self._braces.escaped(text))
        self._append(f" {text}" if makes_tag or makes_link or gives_attributes else text)
        self._label_closed = text[-1] == "]"

    def _escape_bracket(self, text: str) -> str:
        """A bracket, escaped if too many are open. Any other text stays as it is."""
        if text == "]":
            self._open_brackets = max(self._open_brackets - 1, 0)
        elif text == "[":
            self._open_brackets += 1
            return "\\[" if self._open_brackets > MAX_OPEN_BRACKETS else text
        return text

    @property
    def takes_plain(self) -> bool:
        """Whether plain words can be written without a look at what stands before them."""
        return not self._has_gap and not self._braces.is_open and self._before() not in ("<", "]")

    def plain(self, text: str) -> None:
        """Write words and the blanks between and behind them, in which nothing is a mark."""
        words = text.rstrip(" ")
        if words:
            self._append(words)
        self.blanks(text[len(words) :])

    def blanks(self, blanks: str) -> None:
        """Write spaces and tabs."""
        # At a gap the blanks before it are dropped, so that what was removed does not leave two blanks.
        self.waiting = blanks if self._has_gap else self.waiting + blanks
        self._has_gap = False
        while len(self.waiting) > MAX_BLANKS:
            self._flush(MAX_BLANKS)

    def gap(self) -> None:
        """Note that something was removed here, so that at most one blank is needed."""
        self._has_gap = self.waiting != ""

    def code(self, content: str, ticks: str = "`") -> None:
        """Write inline code."""
        self._has_gap = False
        # A backtick or a backslash right before the code would become a part of its marks.
        self._separate("`\\<")
        self._has_bar |= "|" in content
        self._may_link_in_table |= self._has_bar and may_link(content)
        self._append(f"{ticks}{content}{ticks}")

    def may_be_code(self, content: str) -> bool:
        """Whether inline code is read as such here: in a table, a bar ends a cell even inside code."""
        return not (self._in_table and (self._has_bar or "|" in content) and may_link(content))

    def link(self, label: str, address: str) -> None:
        """Write a link. Its label has no brackets, its address no blanks."""
        self._has_gap = False
        # An exclamation mark right before the link would make it an image, which loads its address.
        self._separate("!\\<")
        # The parts of a label at odd indexes are code.
        label = "".join(part if index % 2 else Braces().escaped(part) for index, part in enumerate(CODE.split(label)))
        self._append(f"[{label}]({address})")

    def citations(self, numbers: Iterable[int]) -> None:
        """Write the numbers of some sources, each in brackets of its own."""
        for number in numbers:
            self._has_gap = False
            self._separate("!\\<")
            # At the start of a line a colon behind the number would define a link, or a footnote whose bracket opens
            # there.
            self._label_closed = self.lead or self._opens_label
            self._append(f"[{number}]")

    def newline(self) -> None:
        """End the line."""
        self.waiting = "" if self._has_gap else self.waiting
        self._has_gap = False
        self._separate("<")
        line = "".join(self._line)
        if not line.strip():
            self._open_brackets = 0
        is_row = DELIMITER_ROW.fullmatch(line) is not None
        if is_row and self._line_before_may_link_in_table:
            # Otherwise the line above would be the header of a table, and its bars would end cells inside code.
            self._append(".")
            is_row = False
        # A table continues to the next empty line, whatever its rows look like.
        self._in_table = is_row or (self._in_table and line.strip() != "")
        self._line_before_may_link_in_table, self._may_link_in_table = self._may_link_in_table, False
        self._has_bar = False
        self._braces = Braces()
        self._line.clear()
        self._append("\n")
        self.lead = True

    def verbatim(self, text: str) -> None:
        """Write a part of a block of code, or one of its fences, as it is."""
        self._in_table = self._line_before_may_link_in_table = self._may_link_in_table = self._has_gap = False
        self._open_brackets = 0
        self._braces = Braces()
        self._flush(len(self.waiting))
        self._pieces.append(text)
        self._last = text[-1]
        self._line.clear()
        self.lead = True

    def finish(self) -> None:
        """Write the blanks that wait."""
        self._flush(0 if self._has_gap else len(self.waiting))

    def _before(self) -> str:
        """The character that will stand right before the text that is written next."""
        return self.waiting[-1:] or self._last

    def _separate(self, marks: str) -> None:
        """Add a blank if the last character is one of `marks`, which would change what is written next."""
        if self._before() and self._before() in marks:
            self.waiting += " "

    def _append(self, text: str) -> None:
        """Write the blanks that wait, then a text."""
        if self.waiting:
            self._flush(len(self.waiting))
        self._pieces.append(text)
        self._line.append(text)
        self._last = text[-1]
        if self.lead and (behind_lead := LEAD.sub("", text, count=1)):
            self.lead = False
            self._opens_label = behind_lead[0] == "["

    def _flush(self, count: int) -> None:
        """Write some of the blanks that wait."""
        written, self.waiting = self.waiting[:count], self.waiting[count:]
        if written:
            self._pieces.append(written)
            self._line.append(written)
            self._last = written[-1]
