"""The values of readers of marks: a `View` of the text goes in, and `Replace` or `Write` comes out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from trueref_server.records import CheckedReference
from trueref_server.references.reference_links import Links
from trueref_server.references.writer import Writer


@dataclass(frozen=True, slots=True)
class Replace:
    """Marks that leave the buffer; `text` takes their place and is read again. `is_cut`: their end was not seen."""

    end: int
    text: str = ""
    checked: tuple[CheckedReference, ...] = ()
    definitions: dict[str, str] = field(default_factory=dict[str, str])
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Write:
    """Marks that are settled, and how they are written."""

    end: int
    write: Callable[[], None]
    checked: tuple[CheckedReference, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """Where marks begin in a window, and what is known about the text around it.

    `more`: more of the text may come into the window. `final`: the text ends with it. If neither, it is full.
    """

    window: str
    at: int
    more: bool
    final: bool
    sources: Collection[int] | None
    definitions: Mapping[str, str]
    writer: Writer
    links: Links

    def waiting(self) -> View:
        """The view as if more text could come into the window: nothing is given up for lack of room then."""
        return self if self.final else replace(self, more=True)

    def literal(self, end: int) -> Write:
        """The marks stand for themselves."""
        return Write(end, partial(self.writer.text, self.window[self.at : end]))
