"""The gate: the text of an answerer goes in, in pieces, and comes out with links of the manifest only.

A machine with five states reads the text character by character: the start of a line, prose, the start of a line of
code, the rest of it, and an address too long to be read, which is dropped. Text that cannot be decided yet is held
back, at most 2 KB of it: whatever has not ended by then is read as plain text. Every decision rests on the characters
alone, never on the piece they came in, so that the output is the same however a stream is cut.

In prose, marks that are removed leave the buffer before the text around them is decided, so that the text on both
sides of them is read as one: `www<b></b>.example.com` is an address.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from trueref_server.records import CheckedReference, CheckedText, ReferenceCounts
from trueref_server.references import prose
from trueref_server.references.bare_addresses import is_address_like
from trueref_server.references.characters import Cleaner
from trueref_server.references.markup import FENCE_BEGINNINGS, Fence, closes, fence_at
from trueref_server.references.reference_links import Links
from trueref_server.references.view import Replace, View
from trueref_server.references.writer import Writer

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

WINDOW = 1920
"""Bytes in which a construct has to end. With the blanks that the writer holds, no more than 2 KB wait."""

MOST_BYTES = 4
"""Bytes of a character in UTF-8."""

STEP = 1024

UNREAD = 160
"""Characters of a line that may come in before they are read. A model sends four at a time, and reading four costs as
much as reading a hundred. Nobody waits for them, since the next stage takes whole lines."""

MOST_UNDECIDED = 320
"""Characters that may be undecided while others wait unread: together, at four bytes each, they stay below 2 KB."""


class Gate:
    """Checks the links of one text.

    Args:
        links: Looks them up.
        sources: The numbers that the text may cite; None leaves its citations as they are.
        definitions: Definitions of reference links that stand further down, if the whole text is known.
    """

    def __init__(
        self, links: Links, sources: Collection[int] | None = None, definitions: Mapping[str, str] | None = None
    ) -> None:
        self.references: list[CheckedReference] = []
        self.definitions = dict(definitions or {})
        self._links = links
        self._sources = sources
        self._cleaner = Cleaner()
        self._writer = Writer()
        self._buffer = ""
        self._state: Callable[[str, bool, bool], int | None] = self._line_start
        self._code: Fence | None = None
        self._unread = ""
        self._patience = UNREAD

    @property
    def counts(self) -> ReferenceCounts:
        """The counts of the links that were checked so far, by decision."""
        decisions = [reference.decision for reference in self.references]
        return ReferenceCounts(len(decisions), decisions.count("corrected"), decisions.count("removed"))

    @property
    def pending(self) -> str:
        """The text that came in and was neither let out nor dropped yet."""
        return self._writer.waiting + self._buffer + self._unread

    def push(self, piece: str) -> str:
        """Take the next piece of the text, and give what may leave."""
        self._unread += piece
        # Pieces read as they came took 1.57 ms at p95 for 1,000 characters. With this, and with plain words in one
        # step, it is .95 ms (`docs/decisions/gate.md`).
        if len(self._unread) < self._patience and "\n" not in piece:
            return ""
        self._read()
        return self._writer.take()

    def close(self) -> str:
        """Give what was held back. What a cut-off left open is closed, or dropped if it is half a link."""
        # First all is read that can be decided without knowing that the text ends here.
        self._read()
        self._run(final=True)
        if self._code is not None:
            # A closing fence has to begin a line, or a renderer takes all that follows for code.
            if self._state == self._code_line:
                self._writer.verbatim("\n")
            self._close_code(self._code)
        self._writer.finish()
        return self._writer.take()

    def _read(self) -> None:
        """Read what came in, as far as decisions allow."""
        unread, self._unread = self._unread, ""
        # In steps: the buffer is sliced after each decision, which takes the square of the length of a long text.
        for at in range(0, len(unread), STEP):
            self._buffer += self._cleaner.clean(unread[at : at + STEP])
            self._run(final=False)
        self._patience = UNREAD if len(self._buffer) <= MOST_UNDECIDED else 0

    def _run(self, *, final: bool) -> None:
        """Let the states take characters from the buffer until one has to wait for more."""
        while self._buffer:
            window, is_full = _window(self._buffer)
            consumed = self._state(window, not final and not is_full, final and not is_full)
            if consumed is None:
                return
            self._buffer = self._buffer[consumed:]

    def _line_start(self, window: str, more: bool, final: bool) -> int | None:
        """The start of a line: a fence, or prose. The characters that were taken; None to wait."""
        if window[0] not in FENCE_BEGINNINGS and not window[0].isdecimal():
            self._state = self._prose
            return 0
        opening = fence_at(f"{window}\n" if final else window, complete=not more)
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
        """Write the opening line where every renderer sees one: Python-Markdown reads none that is indented."""
        if fence.marker:
            # The mark of the list item keeps a line of its own, so that the list ends there.
            self._writer.verbatim(f"{fence.marker.strip()} \n")
        self._code = fence
        self._writer.verbatim(f"{fence.ticks}{fence.language}\n")
        self._state = self._code_start

    def _code_start(self, window: str, more: bool, final: bool) -> int | None:
        """The start of a line of code: the fence that closes it, or the rest of the line."""
        assert self._code is not None
        end = closes(self._code, f"{window}\n" if final else window, complete=not more)
        if end is None:
            return None
        if end >= 0:
            self._close_code(self._code)
            return end
        self._state = self._code_line
        # Its lines are moved to the left as far as the fence was.
        return min(len(window) - len(window.lstrip(" ")), self._code.indent)

    def _code_line(self, window: str, _more: bool, _final: bool) -> int:
        """The rest of a line of code, written as it stands."""
        line, newline, _ = window.partition("\n")
        self._writer.verbatim(line + newline)
        if newline:
            self._state = self._code_start
        return len(line + newline)

    def _close_code(self, fence: Fence) -> None:
        """Write the closing fence as it was opened, at the start of a line."""
        self._writer.verbatim(f"{fence.ticks}\n")
        self._code = None
        self._state = self._line_start

    def _prose(self, window: str, more: bool, final: bool) -> int | None:
        """A line break, plain words, blanks, a word or a mark. The characters that were taken; None to wait."""
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
        # A word at the end of the window may go on in the next piece: only what ends it decides what it is.
        word = prose.leading(prose.WORD, window)
        if len(word) == len(window):
            return None if more else self._word(word, is_cut=not final)
        view = View(window, len(word), more, final, self._sources, self.definitions, self._writer, self._links)
        # Marks may be removed, and what is behind them go on with the word.
        return self._word(word) if word and window[len(word)] not in prose.READERS else self._mark(word, view)

    def _mark(self, word: str, view: View) -> int | None:
        """Read what begins behind a word, or at once if there is no word."""
        # It gets a window of its own before it is given up.
        done = prose.read_mark(view.waiting() if word else view)
        if done is None:
            return self._word(word, is_cut=True) if word and not view.more and not view.final else None
        if isinstance(done, Replace):
            self._replace(done, view)
            return 0
        if word:
            return self._word(word)
        self.references += done.checked
        done.write()
        return done.end

    def _replace(self, done: Replace, view: View) -> None:
        """Take marks out of the buffer, and read again what stands around them."""
        self.references += done.checked
        self.definitions = done.definitions | self.definitions
        self._buffer = view.window[: view.at] + done.text + self._buffer[done.end :]
        if not done.text and not view.at:
            self._writer.gap()
        if done.is_cut:
            self._state = self._dropping
        elif self._writer.is_new_line and not view.at:
            self._state = self._line_start

    def _word(self, word: str, *, is_cut: bool = False) -> int:
        """Write a word, its addresses as links or not at all."""
        self.references += prose.write_word(word, self._writer, self._links)
        if is_cut:
            self._writer.blanks(" ")
            # The rest of an address that did not fit would be read as text, or as another address.
            self._state = self._dropping if is_address_like(word) else self._state
        return len(word)

    def _dropping(self, window: str, _more: bool, _final: bool) -> int:
        """Drop the rest of an address that was too long."""
        end = len(prose.leading(prose.ADDRESS_REST, window))
        if end < len(window):
            self._state = self._prose
        return end


def check_text(manifest: Manifest, text: str, *, page: str | None = None, sources: int | None = None) -> CheckedText:
    """A whole text with links of the manifest only.

    Args:
        manifest: Knows the links.
        text: Markdown.
        page: The page that relative links are read on.
        sources: How many numbered sources the text may cite; None leaves its citations as they are.
    """
    links = Links(manifest, page)
    numbers = None if sources is None else range(1, sources + 1)
    gate = Gate(links, numbers)
    checked = gate.push(text) + gate.close()
    if gate.definitions:
        # They mostly stand below the links that need them.
        gate = Gate(links, numbers, gate.definitions)
        checked = gate.push(text) + gate.close()
    return CheckedText(checked, tuple(gate.references), gate.counts)


def _window(buffer: str) -> tuple[str, bool]:
    """The part of the buffer that decisions rest on, and whether it is as long as it may be."""
    if len(buffer) < WINDOW // MOST_BYTES:
        return buffer, False
    window = buffer[:WINDOW]
    if window.isascii():
        return window, len(window) == WINDOW
    encoded = window.encode()
    if len(encoded) < WINDOW:
        return window, False
    # Cut between characters, as the bound is one of bytes: what is waiting is measured in them.
    return encoded[:WINDOW].decode(errors="ignore"), True
