"""The gate takes the text of an answer in pieces, and returns it with links of the manifest only.

A state machine reads the text. Its five states are the start of a line, prose, the start of a line of code, the rest of
such a line, and the rest of an address that is too long, which is dropped. Text that cannot be decided on yet is held
back, at most 2 KB of it: a construct that has not ended by then is read as plain text. Every decision depends on the
characters only and never on the pieces they came in, so that the output is the same wherever a stream is cut.

In prose, marks are removed from the buffer before the text around them is decided on, so that the text on both sides is
read as one: `www<b></b>.example.com` is an address.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from trueref_server.records import CheckedReference, CheckedText, ReferenceCounts
from trueref_server.references import prose
from trueref_server.references.bare_addresses import is_address_like
from trueref_server.references.characters import Cleaner
from trueref_server.references.markup import FENCE_BEGINNINGS, Fence, closes, fence_at
from trueref_server.references.reference_links import LinkDecisions
from trueref_server.references.view import Replace, View, WindowEnd
from trueref_server.references.writer import Writer

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

WINDOW = 1920
"""A construct has to end within this many bytes. With the blanks that the writer holds back, at most 2 KB wait."""

CHARACTER_BYTES = 4
"""The most bytes of a character in UTF-8."""

STEP = 1024
"""Characters that are added to the buffer at a time."""

COLLECTED = 160
"""This many characters of a line are collected before they are read. A model sends about four at a time, and reading
four costs as much as reading a hundred. No reader waits longer for that, since the next stage takes whole lines."""

MAX_UNDECIDED = 320
"""Characters are collected only if at most this many are undecided: together, at four bytes each, they stay below 2
KB."""

State = Callable[[str, WindowEnd], int | None]
"""Reads the beginning of a window, and returns how many characters it took; None to wait for more of the text."""


class Gate:
    """Checks the links of one text.

    Args:
        links: Decides on the links.
        sources: The numbers that the text may cite; None leaves its citations as they are.
        definitions: Definitions of reference links that stand further down, if the whole text is known.
    """

    def __init__(
        self, links: LinkDecisions, sources: Collection[int] | None = None, definitions: Mapping[str, str] | None = None
    ) -> None:
        self.references: list[CheckedReference] = []
        self.definitions = dict(definitions or {})
        self._links = links
        self._sources = sources
        self._cleaner = Cleaner()
        self._writer = Writer()
        self._buffer = ""
        self._state: State = self._line_start
        self._code: Fence | None = None
        self._unread = ""
        self._max_collected = COLLECTED

    @property
    def counts(self) -> ReferenceCounts:
        """The counts of the links that were checked so far, by decision."""
        decisions = [reference.decision for reference in self.references]
        return ReferenceCounts(len(decisions), decisions.count("corrected"), decisions.count("removed"))

    @property
    def pending(self) -> str:
        """The text that came in and was neither returned nor dropped yet."""
        return self._writer.waiting + self._buffer + self._unread

    def push(self, piece: str) -> str:
        """Take the next piece of the text, and return what may leave by now."""
        self._unread += piece
        # If each piece was read as it came, 1,000 characters took 1.57 ms at the 95th percentile. With this, and with
        # plain words in one step, they take .95 ms (`docs/decisions/gate.md`).
        if len(self._unread) < self._max_collected and "\n" not in piece:
            return ""
        self._read()
        return self._writer.take()

    def close(self) -> str:
        """Return what was held back. If the text broke off, open code is closed, and half a link is dropped."""
        # First everything is read that can be decided on without knowing that the text ends here.
        self._read()
        self._run(final=True)
        if self._code is not None:
            # A closing fence has to begin a line. Otherwise a renderer takes everything behind it for code.
            if self._state == self._code_line:
                self._writer.verbatim("\n")
            self._close_code(self._code)
        self._writer.finish()
        return self._writer.take()

    def _read(self) -> None:
        """Read what was collected, as far as it can be decided on."""
        unread, self._unread = self._unread, ""
        # In steps: the buffer is sliced after each decision, which would take quadratic time for a long text.
        for start in range(0, len(unread), STEP):
            self._buffer += self._cleaner.clean(unread[start : start + STEP])
            self._run(final=False)
        self._max_collected = COLLECTED if len(self._buffer) <= MAX_UNDECIDED else 0

    def _run(self, *, final: bool) -> None:
        """Let the states take characters from the buffer until one has to wait for more."""
        while self._buffer:
            window, is_full = _window(self._buffer)
            window_end = WindowEnd.FULL if is_full else WindowEnd.FINAL if final else WindowEnd.OPEN
            consumed = self._state(window, window_end)
            if consumed is None:
                return
            self._buffer = self._buffer[consumed:]

    def _line_start(self, window: str, window_end: WindowEnd) -> int | None:
        """Read the start of a line: a fence, or prose. Returns how many characters were taken; None to wait."""
        if window[0] not in FENCE_BEGINNINGS and not window[0].isdecimal():
            self._state = self._prose
            return 0
        opening = fence_at(_with_last_break(window, window_end), is_complete=window_end is not WindowEnd.OPEN)
        if opening is None:
            return None
        if isinstance(opening, int):
            self._state = self._prose
            return 0
        fence, end = opening
        if end <= len(window):
            self._open_code(fence)
        return end

    def _open_code(self, fence: Fence) -> None:
        """Write the opening fence without its indentation, since Python-Markdown reads no indented fence."""
        if fence.marker:
            # The mark of the list item gets a line of its own, so that the list ends there.
            self._writer.verbatim(f"{fence.marker.strip()} \n")
        self._code = fence
        self._writer.verbatim(f"{fence.ticks}{fence.language}\n")
        self._state = self._code_start

    def _code_start(self, window: str, window_end: WindowEnd) -> int | None:
        """Read the start of a line of code: the fence that closes the block, or the indentation."""
        assert self._code is not None
        end = closes(self._code, _with_last_break(window, window_end), is_complete=window_end is not WindowEnd.OPEN)
        if end is None:
            return None
        if end >= 0:
            self._close_code(self._code)
            return end
        self._state = self._code_line
        # The lines of the block lose the same indentation as the fence.
        return min(len(window) - len(window.lstrip(" ")), self._code.indent)

    def _code_line(self, window: str, _window_end: WindowEnd) -> int:
        """Write the rest of a line of code as it is."""
        line, newline, _ = window.partition("\n")
        self._writer.verbatim(line + newline)
        if newline:
            self._state = self._code_start
        return len(line + newline)

    def _close_code(self, fence: Fence) -> None:
        """Write a closing fence like the opening one."""
        self._writer.verbatim(f"{fence.ticks}\n")
        self._code = None
        self._state = self._line_start

    def _prose(self, window: str, window_end: WindowEnd) -> int | None:
        """Read a line break, words, blanks or a mark. Returns how many characters were taken; None to wait."""
        if window[0] == "\n":
            self._writer.newline()
            self._state = self._line_start
            return 1
        if self._writer.takes_plain and (plain := prose.plain_run(window)):
            self._writer.plain(plain)
            return len(plain)
        if blanks := prose.leading(prose.BLANKS, window):
            self._writer.blanks(blanks)
            return len(blanks)
        # A word at the end of the window may continue in the next piece, and is decided on when its end is known.
        word = prose.leading(prose.WORD, window)
        if len(word) == len(window):
            return None if window_end is WindowEnd.OPEN else self._word(word, is_cut=window_end is WindowEnd.FULL)
        view = View(window, len(word), window_end, self._sources, self.definitions, self._writer, self._links)
        # If the mark behind the word is removed, what follows the mark continues the word.
        return self._word(word) if word and window[len(word)] not in prose.READERS else self._mark(word, view)

    def _mark(self, word: str, view: View) -> int | None:
        """Read the mark behind a word, or at the beginning of the window if there is no word."""
        # Behind a word the mark is not given up for lack of room: it gets a whole window once the word is written.
        result = prose.read_mark(view.waiting() if word else view)
        if result is None:
            return self._word(word, is_cut=True) if word and view.window_end is WindowEnd.FULL else None
        if isinstance(result, Replace):
            self._replace(result, view)
            return 0
        if word:
            return self._word(word)
        self.references += result.checked
        result.write()
        return result.end

    def _replace(self, result: Replace, view: View) -> None:
        """Replace marks in the buffer, so that the text around them is read again."""
        self.references += result.checked
        self.definitions = result.definitions | self.definitions
        self._buffer = view.window[: view.at] + result.text + self._buffer[result.end :]
        if not result.text and not view.at:
            self._writer.gap()
        if result.is_cut:
            self._state = self._dropping
        elif self._writer.is_new_line and not view.at:
            self._state = self._line_start

    def _word(self, word: str, *, is_cut: bool = False) -> int:
        """Write a word. Its addresses are written as links, or not at all."""
        self.references += prose.write_word(word, self._writer, self._links)
        if is_cut:
            self._writer.blanks(" ")
            # Otherwise the rest of a long address would be read as text, or as another address.
            self._state = self._dropping if is_address_like(word) else self._state
        return len(word)

    def _dropping(self, window: str, _window_end: WindowEnd) -> int:
        """Drop the rest of an address that was too long."""
        end = len(prose.leading(prose.ADDRESS_REST, window))
        if end < len(window):
            self._state = self._prose
        return end


def check_text(manifest: Manifest, text: str, *, page: str | None = None, sources: int | None = None) -> CheckedText:
    """A whole text with links of the manifest only.

    Args:
        manifest: The pages and anchors that links may lead to.
        text: Markdown.
        page: The page that relative links are read on.
        sources: How many numbered sources the text may cite; None leaves its citations as they are.
    """
    links = LinkDecisions(manifest, page)
    numbers = None if sources is None else range(1, sources + 1)
    gate = Gate(links, numbers)
    checked = gate.push(text) + gate.close()
    if gate.definitions:
        # Read again with all definitions: these mostly stand below the links that use them.
        gate = Gate(links, numbers, gate.definitions)
        checked = gate.push(text) + gate.close()
    return CheckedText(checked, tuple(gate.references), gate.counts)


def _with_last_break(window: str, window_end: WindowEnd) -> str:
    """A window whose last line ends with a line break, also at the end of the text."""
    return f"{window}\n" if window_end is WindowEnd.FINAL else window


def _window(buffer: str) -> tuple[str, bool]:
    """The beginning of the buffer on which decisions are based, and whether it has its greatest length."""
    if len(buffer) < WINDOW // CHARACTER_BYTES:
        return buffer, False
    window = buffer[:WINDOW]
    if window.isascii():
        return window, len(window) == WINDOW
    encoded = window.encode()
    if len(encoded) < WINDOW:
        return window, False
    # The limit is in bytes, but the cut is between characters.
    return encoded[:WINDOW].decode(errors="ignore"), True
