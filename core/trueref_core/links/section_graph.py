"""The documentation as a graph: how a reader gets from one section to another."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from trueref_core.records import Link

Node = tuple[str, str]
"""A page and an anchor on it, "" for its top."""

Move = Literal["start", "down", "up", "on", "link"]

CLICK: Final = 1000
"""The cost of going to another page, against 1 for going to a neighbouring section: the path with the fewest clicks
wins, however far a reader has to scroll."""


@dataclass(frozen=True, slots=True)
class Step:
    """A section and the move to it: `down` into it, `up` out of another, `on` to the next, or by a `link`.

    `text` is the title of the section, or the text of the link.
    """

    page: str
    anchor: str
    move: Move
    text: str


class Graph:
    """The edges of one site, to be walked.

    Args:
        links: The edges. Broken ones, and those to other sites, are left out.
    """

    def __init__(self, links: Iterable[Link]) -> None:
        self._moves: dict[Node, list[tuple[int, Step]]] = defaultdict(list)
        self._titles: dict[Node, str] = {}
        """The title of each section."""
        walked = [link for link in links if link.kind != "external" and link.status in ("ok", "redirect")]
        for link in walked:
            if link.kind == "child":
                self._titles.setdefault((link.to_page, link.to_anchor), link.text)
        self._known: set[Node] = set()
        for link in walked:
            self._known |= {(link.from_page, link.from_anchor), (link.to_page, link.to_anchor)}
            self._add(link)

    def is_section(self, node: Node) -> bool:
        """Whether a node is a section: these are the nodes that edges of the kind `child` lead to."""
        return node in self._titles

    def path(
        self, start: Node, end: Node, around: Mapping[Node, Node] = MappingProxyType({})
    ) -> tuple[Step, ...] | None:
        """The path from one section to another with the fewest clicks, `start` first; None if there is none.

        Takes n log n in the number of edges.

        Args:
            start: Where it begins.
            end: Where it ends.
            around: For an end that is no section, such as the id of a paragraph: the section or the page that it stands
                in. Without it, such an end is only known if a link leads to it.
        """
        if not all(node in self._known or node in around for node in (start, end)):
            return None
        reached: dict[Node, tuple[Node | None, Step]] = {}
        first = Step(*start, "start", "")
        # The counter decides between equal costs by the order of discovery, so the same graph gives the same path.
        queue: list[tuple[int, int, Node | None, Step]] = [(0, 0, None, first)]
        pushed = 0
        while queue:
            cost, _, before, step = heapq.heappop(queue)
            node = (step.page, step.anchor)
            if node in reached:
                continue
            reached[node] = (before, step)
            if node == end:
                return tuple(_walked(reached, end))
            for price, following in self._moves_from(node, end, around):
                if (following.page, following.anchor) not in reached:
                    pushed += 1
                    heapq.heappush(queue, (cost + price, pushed, node, following))
        return None

    def _moves_from(self, node: Node, end: Node, around: Mapping[Node, Node]) -> Iterable[tuple[int, Step]]:
        """The moves that start at a node, with their costs."""
        # A link may lead to an id that is no section. From there a reader is in the section around it, or on the page.
        if node not in self._titles and node[1]:
            yield 1, Step(*around.get(node, (node[0], "")), "up", "")
        if around.get(end) == node:
            yield 1, Step(*end, "down", "")
        yield from self._moves.get(node, ())

    def _add(self, link: Link) -> None:
        """Adds the moves of an edge."""
        source, target = (link.from_page, link.from_anchor), (link.to_page, link.to_anchor)
        price = 1 if link.from_page == link.to_page else CLICK
        if link.kind == "child":
            self._moves[source].append((1, Step(*target, "down", link.text)))
            self._moves[target].append((1, Step(*source, "up", self._titles.get(source, ""))))
        else:
            self._moves[source].append((price, Step(*target, "on" if link.kind == "next" else "link", link.text)))


def _walked(reached: dict[Node, tuple[Node | None, Step]], end: Node) -> Iterator[Step]:
    """The steps to an end, from the first one on."""
    steps: list[Step] = []
    node: Node | None = end
    while node is not None:
        node, step = reached[node]
        steps.append(step)
    return reversed(steps)
