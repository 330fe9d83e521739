"""The documentation as a graph: how a reader gets from one section to another."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from trueref_core.records import Link

Place = tuple[str, str]
"""A page and an anchor on it, "" for its top."""

Move = Literal["start", "down", "up", "on", "link"]

CLICK: Final = 1000
"""What leaving a page costs, where moving to a neighbouring section costs 1: the fewest clicks win."""


@dataclass(frozen=True, slots=True)
class Step:
    """Where a reader is after one move: `down` to a section under it, `up` out of one, `on` to what follows, `link`.

    `text` is what the reader sees of the place: its title, or the words of the link.
    """

    page: str
    anchor: str
    move: Move
    text: str


class Graph:
    """The edges of one site, to be walked.

    Args:
        links: The edges. Those that lead nowhere, or to other sites, cannot be walked.
    """

    def __init__(self, links: Iterable[Link]) -> None:
        self._moves: dict[Place, list[tuple[int, Step]]] = defaultdict(list)
        titles: dict[Place, str] = {}
        self._sections: set[Place] = set()
        walked = [link for link in links if link.kind != "external" and link.status in ("ok", "redirect")]
        for link in walked:
            if link.kind == "child":
                titles.setdefault((link.to_page, link.to_anchor), link.text)
                self._sections.add((link.to_page, link.to_anchor))
        self._known: set[Place] = set()
        for link in walked:
            self._known |= {(link.from_page, link.from_anchor), (link.to_page, link.to_anchor)}
            self._add(link, titles)

    def is_section(self, place: Place) -> bool:
        """Whether a place is a section of a page: the edges `child` lead to these."""
        return place in self._sections

    def path(
        self, start: Place, end: Place, around: Mapping[Place, Place] = MappingProxyType({})
    ) -> tuple[Step, ...] | None:
        """The way from one section to another with the fewest clicks, `start` first; None where there is none.

        Takes n log n in the number of edges.

        Args:
            start: Where it begins.
            end: Where it ends.
            around: For an end that begins no section, such as the id of a paragraph, the section or the page that it
                stands in. Without it, such a place is known only where a link leads to it.
        """
        if not all(place in self._known or place in around for place in (start, end)):
            return None
        reached: dict[Place, tuple[int, Place | None, Step]] = {}
        first = Step(*start, "start", "")
        # The counter settles ties by the order of finding, so that the same graph gives the same path.
        queue: list[tuple[int, int, Place | None, Step]] = [(0, 0, None, first)]
        found = 0
        while queue:
            cost, _, before, step = heapq.heappop(queue)
            place = (step.page, step.anchor)
            if place in reached:
                continue
            reached[place] = (cost, before, step)
            if place == end:
                return tuple(_walked(reached, end))
            for price, following in self._moves_from(place, end, around):
                if (following.page, following.anchor) not in reached:
                    found += 1
                    heapq.heappush(queue, (cost + price, found, place, following))
        return None

    def _moves_from(self, place: Place, end: Place, around: Mapping[Place, Place]) -> Iterable[tuple[int, Step]]:
        # A link may lead to an id that begins no section: where none is known around it, the page is.
        if place not in self._sections and place[1]:
            yield 1, Step(*around.get(place, (place[0], "")), "up", "")
        if around.get(end) == place:
            yield 1, Step(*end, "down", "")
        yield from self._moves.get(place, ())

    def _add(self, link: Link, titles: dict[Place, str]) -> None:
        source, target = (link.from_page, link.from_anchor), (link.to_page, link.to_anchor)
        price = 1 if link.from_page == link.to_page else CLICK
        if link.kind == "child":
            self._moves[source].append((1, Step(*target, "down", link.text)))
            self._moves[target].append((1, Step(*source, "up", titles.get(source, ""))))
        elif link.kind == "next":
            self._moves[source].append((price, Step(*target, "on", link.text)))
        else:
            self._moves[source].append((price, Step(*target, "link", link.text)))


def _walked(reached: dict[Place, tuple[int, Place | None, Step]], end: Place) -> Iterator[Step]:
    steps: list[Step] = []
    place: Place | None = end
    while place is not None:
        _, place, step = reached[place]
        steps.append(step)
    return reversed(steps)
