"""Writes the text that leaves the gate: any renderer of Markdown sees no links in it but those that the gate wrote.

Two harmless pieces of a text may make a link where they meet, if something between them was removed. So the last
character that was written is compared with the first one that follows, whatever pieces they came in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from trueref_server.references.bare_addresses import is_address_like

LEAD = re.compile(r"[\s>0-9.)*+-]*")
"""What may stand before the first mark of a paragraph: the marks of lists and quotations."""

DELIMITER_ROW = re.compile(r"[\s>*+0-9.)]*[-:|][-:|\s]*")
"""The line under the header of a table, or a line that looks like one: it may turn the line above into a header."""

PUNCTUATION = frozenset(".,;:!?)")
CODE = re.compile(r"(`+[^`]*`+)")
MOST_BLANKS = 64
MOST_OPEN = 8
"""Brackets of text that may be open at a time. Renderers give up links that are nested too deeply: the CommonMark of
markdown-it reads 20 levels, and shows deeper ones as they are written. It then took the end of the link's syntax for a
part of its address (`docs/decisions/gate.md`)."""


def may_link(text: str) -> bool:
    """Whether a text may make a link, a tag or a definition if it is not read as code."""
    return any(mark in text for mark in "[<") or is_address_like(text)


class Braces:
    """Keeps the braces of a line from giving an attribute a value, such as a script to run or an address.

    Python-Markdown has attribute lists behind marked words, headings, paragraphs, items and cells, each on a line. The
    end of a list is written as a mere character.
    """

    def __init__(self) -> None:
        self.is_open = False
        self._gives_value = False

    def written(self, text: str) -> str:
        """How the next text of the line is written."""
        if not (self.is_open or "{" in text):
            return text
        out = ""
        for character in text:
            self.is_open |= character == "{"
            # Found in a browser among 10,000 hostile answers: a list in braces behind a marked word gave it an
            # `onclick`.
            self._gives_value |= self.is_open and character == "="
            out += "\\}" if self._gives_value and character == "}" else character
        return out


class Writer:
    """Writes text, code, links and citations one after the other.

    `lead` says whether nothing but marks of lists and quotations stands on the line. `waiting` are blanks that may
    still be dropped.
    """

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self.waiting = ""
        self._last = ""
        self.lead = True
        self._has_gap = False
        self._label_closed = False
        self._line: list[str] = []
        self._in_table = False
        self._has_bar = False
        self._risky, self._risky_before = False, False
        self._braces = Braces()
        self._open_brackets = 0

    @property
    def is_new_line(self) -> bool:
        """Whether nothing stands on the line."""
        return self.lead and not self._line and not self.waiting

    def take(self) -> str:
        """The text that was written since the last call. Blanks at the end wait: the next text may replace them."""
        text = "".join(self._pieces)
        self._pieces.clear()
        return text

    def text(self, text: str) -> None:
        """Write text without marks of its own, or one mark that is to stand for itself."""
        if self._has_gap and PUNCTUATION.issuperset(text):
            self.waiting = ""
        self._has_gap = False
        before = self._before()
        # No tag, and no address in angle brackets, whatever a renderer takes for one.
        makes_tag = before == "<"
        # A label that was harmless, and a parenthesis that was: once what stood between them is removed, they are a
        # link.
        makes_link = before == "]" and (text[0] == "(" or (text[0] == ":" and self._label_closed))
        # Python-Markdown's attribute lists may give a link another address.
        gives_attributes = before == ")" and text[0] == "{"
        text = self._bracket(self._braces.written(text))
        self._append(f" {text}" if makes_tag or makes_link or gives_attributes else text)
        self._label_closed = text[-1] == "]"

    def _bracket(self, text: str) -> str:
        """How a bracket is written: as a mere character if many are open. Any other text stays as it is."""
        if text == "]":
            self._open_brackets = max(self._open_brackets - 1, 0)
        elif text == "[":
            self._open_brackets += 1
            return "\\[" if self._open_brackets > MOST_OPEN else text
        return text

    @property
    def takes_plain(self) -> bool:
        """Whether words can be written without a look at what stands before them."""
        return not self._has_gap and not self._braces.is_open and self._before() not in ("<", "]")

    def plain(self, text: str) -> None:
        """Write words and the blanks between and behind them, in which nothing is a mark."""
        words = text.rstrip(" ")
        if words:
            self._append(words)
        self.blanks(text[len(words) :])

    def blanks(self, blanks: str) -> None:
        """Write spaces and tabs."""
        # Beside a gap the blanks before it go: what was removed leaves one blank and not two.
        self.waiting = blanks if self._has_gap else self.waiting + blanks
        self._has_gap = False
        while len(self.waiting) > MOST_BLANKS:
            self._flush(MOST_BLANKS)

    def gap(self) -> None:
        """Note that something was removed here: what is left around it needs one blank at most."""
        self._has_gap = self.waiting != ""

    def code(self, content: str, ticks: str = "`") -> None:
        """Write inline code."""
        self._has_gap = False
        # A backtick or a backslash right before would become a part of the marks of the code.
        self._separate("`\\<")
        self._has_bar |= "|" in content
        self._risky |= self._has_bar and may_link(content)
        self._append(f"{ticks}{content}{ticks}")

    def may_be_code(self, content: str) -> bool:
        """Whether inline code is read as such here: in a table, a bar ends a cell even inside code."""
        return not (self._in_table and (self._has_bar or "|" in content) and may_link(content))

    def link(self, label: str, address: str) -> None:
        """Write a link. Its label has no brackets, its address no blanks."""
        self._has_gap = False
        # An exclamation mark right before would make an image of the link, which loads its address.
        self._separate("!\\<")
        # The parts of a label at odd places are code.
        label = "".join(part if at % 2 else Braces().written(part) for at, part in enumerate(CODE.split(label)))
        self._append(f"[{label}]({address})")

    def citations(self, numbers: Iterable[int]) -> None:
        """Write the numbers of some sources, each in brackets of its own."""
        for number in numbers:
            self._has_gap = False
            self._separate("!\\<")
            # A colon after it would define a link at the start of a line, or a footnote whose bracket opens there.
            self._label_closed = self.lead or self._line_opens_label()
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
        if is_row and self._risky_before:
            # Else the line above is the header of a table, and its bars end cells inside code.
            self._append(".")
            is_row = False
        # A table goes on to the next empty line, whatever its rows look like.
        self._in_table = is_row or (self._in_table and line.strip() != "")
        self._risky_before, self._risky = self._risky, False
        self._has_bar = False
        self._braces = Braces()
        self._line.clear()
        self._append("\n")
        self.lead = True

    def verbatim(self, text: str) -> None:
        """Write what stands in a block of code, or its marks. It ends with a line."""
        self._in_table = self._risky_before = self._risky = self._has_gap = False
        self._open_brackets = 0
        self._braces = Braces()
        self._flush(len(self.waiting))
        self._pieces.append(text)
        self._last = text[-1]
        self._line.clear()
        self.lead = True

    def finish(self) -> None:
        """Write what was waiting."""
        self._flush(0 if self._has_gap else len(self.waiting))

    def _line_opens_label(self) -> bool:
        """Whether the line begins with a bracket, behind marks of lists and quotations."""
        line = "".join(self._line)
        lead = LEAD.match(line)
        return lead is not None and line.startswith("[", lead.end())

    def _before(self) -> str:
        """The character that will stand right before the text that is written next."""
        return self.waiting[-1:] or self._last

    def _separate(self, marks: str) -> None:
        """Write a blank if one of some marks stands right before, which would become part of what is written next."""
        if self._before() and self._before() in marks:
            self.waiting += " "

    def _append(self, text: str) -> None:
        """Write the blanks that wait, then a text."""
        if self.waiting:
            self._flush(len(self.waiting))
        self._pieces.append(text)
        self._line.append(text)
        self._last = text[-1]
        if self.lead and not LEAD.fullmatch(text):
            self.lead = False

    def _flush(self, count: int) -> None:
        """Write some of the blanks that wait."""
        written, self.waiting = self.waiting[:count], self.waiting[count:]
        if written:
            self._pieces.append(written)
            self._line.append(written)
            self._last = written[-1]
