"""The values of the functions that read marks: they take a `View` of the text, and return `Replace` or `Write`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import partial

from trueref_server.records import CheckedReference
from trueref_server.references.reference_links import LinkDecisions
from trueref_server.references.writer import Writer


class WindowEnd(Enum):
    """What is behind the last character of a window of the text."""

    OPEN = auto()
    """More of the text may come into the window."""
    FULL = auto()
    """The text may go on, but not in this window: a construct that has not ended by then is read as plain text."""
    FINAL = auto()
    """The text ends with the window."""


@dataclass(frozen=True, slots=True)
class Replace:
    """Marks to replace in the buffer by `text`, which is read again. `is_cut`: the end of the marks was not seen."""

    end: int
    text: str = ""
    checked: tuple[CheckedReference, ...] = ()
    definitions: dict[str, str] = field(default_factory=dict[str, str])
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Write:
    """Marks that are decided on, and the call that writes them."""

    end: int
    write: Callable[[], None]
    checked: tuple[CheckedReference, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """Where marks begin in a window of the text, and what is known about the text around the window."""

    window: str
    at: int
    window_end: WindowEnd
    sources: Collection[int] | None
    definitions: Mapping[str, str]
    writer: Writer
    links: LinkDecisions

    @property
    def is_open(self) -> bool:
        """Whether more of the text may come into the window."""
        return self.window_end is WindowEnd.OPEN

    @property
    def is_final(self) -> bool:
        """Whether the text ends with the window."""
        return self.window_end is WindowEnd.FINAL

    def waiting(self) -> View:
        """The view as if more text could come into the window, so that no mark is given up for lack of room."""
        return self if self.is_final else replace(self, window_end=WindowEnd.OPEN)

    def literal(self, end: int) -> Write:
        """Write the marks as plain characters."""
        return Write(end, partial(self.writer.text, self.window[self.at : end]))
