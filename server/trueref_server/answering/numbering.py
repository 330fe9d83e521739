"""Numbers sources. A source keeps its number over a conversation, although the server remembers no conversation.

The client sends a list of the addresses that it has numbered. The server only looks up its own addresses in that list.
No source ever comes from the list, so the worst that a wrong list can do is to leave gaps in the numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from trueref_server.records import SectionAt

MAX_NUMBERED: Final = 300
"""Addresses that a client may name. A citation has three digits at most."""


@dataclass(frozen=True, slots=True)
class Numbering:
    """The numbers of the sources of one answer, and the numbers that its conversation has given to addresses.

    Attributes:
        by_href: The numbers that addresses have in the conversation.
        next_number: The first number that is free.
        numbers: The number of each section that has one.
    """

    by_href: Mapping[str, int] = field(default_factory=dict[str, int])
    next_number: int = 1
    numbers: Mapping[SectionAt, int] = field(default_factory=dict[SectionAt, int])

    @classmethod
    def of(cls, numbered: Sequence[str] = ()) -> Numbering:
        """The numbering of a conversation, in which no section has a number yet.

        Args:
            numbered: The addresses that the conversation has numbered, in order; "" for an address that the client no
                longer has.
        """
        by_href: dict[str, int] = {}
        # The first number of an address counts: a client that names an address twice gets a gap in the numbers, and
        # nothing worse.
        for n, href in enumerate(numbered[:MAX_NUMBERED], 1):
            by_href.setdefault(href, n)
        return cls(by_href, min(len(numbered), MAX_NUMBERED) + 1)

    def including(self, sections: Iterable[tuple[SectionAt, str]]) -> Numbering:
        """A numbering with a number for more sections, each given with its address.

        A section has the number that its address has in the conversation, or else the next free number.
        """
        numbers, next_number = {**self.numbers}, self.next_number
        for section, href in sections:
            if section in numbers:
                continue
            # An address of our own is looked up in the client's list, never taken from it: there is nothing to verify.
            number = self.by_href.get(href) if href else None
            # Sections of two sites may have one address, and are two sources.
            if number is None or number in numbers.values():
                number, next_number = next_number, next_number + 1
            numbers[section] = number
        return replace(self, next_number=next_number, numbers=numbers)
