"""Numbers sources. A source keeps its number over a conversation, although the server remembers no conversation.

The client says which addresses it has numbered. That list is looked up by addresses of our own and for nothing else:
whatever stands in it, no source comes from it, and the worst that it can do is to leave gaps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from trueref_server.records import SectionAt

MAX_NUMBERED: Final = 300
"""Addresses that a client may name. A citation has three digits at most."""


class Numbering:
    """Numbers the sources of one answer.

    Args:
        numbered: The addresses that the conversation has numbered, in order; "" for an address that the client no
            longer has.

    Attributes:
        numbers: The number of each section that has got one.
    """

    def __init__(self, numbered: Sequence[str] = ()) -> None:
        self._by_href: dict[str, int] = {}
        # The first number of an address counts: a client that names an address twice gets a gap in the numbers, and
        # nothing worse.
        for n, href in enumerate(numbered[:MAX_NUMBERED], 1):
            self._by_href.setdefault(href, n)
        self._next = min(len(numbered), MAX_NUMBERED) + 1
        self.numbers: dict[SectionAt, int] = {}

    def of(self, section: SectionAt, href: str) -> int:
        """The number of a section: the number that its address has in the conversation, else the next free number."""
        if section not in self.numbers:
            # An address of our own is looked up in the client's list, never taken from it: there is nothing to verify.
            number = self._by_href.get(href) if href else None
            # Sections of two sites may have one address, and are two sources.
            if number is None or number in self.numbers.values():
                number, self._next = self._next, self._next + 1
            self.numbers[section] = number
        return self.numbers[section]
