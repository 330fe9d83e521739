"""The documentation as a graph: how a reader gets from one section to another."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from trueref_core.records import Link

GraphNode = tuple[str, str]
"""A page and an anchor on it, "" for its top."""

Move = Literal["start", "down", "up", "on", "link"]

CLICK: Final = 1000
"""The cost of a move to another page. A move to a neighbouring section costs 1, so the path with the fewest clicks wins
however far a reader has to scroll."""


@dataclass(frozen=True, slots=True)
class Step:
    """A section on a path, and the move that leads to it from the section before.

    `move` is `down` to a section below, `up` to the section above, `on` to the next one, by a `link`, or `start` for
    the first section. `text` is the title of the section, or the text of the link.
    """

    page: str
    anchor: str
    move: Move
    text: str


class Graph:
    """The sections of one site and the moves between them.

    Args:
        links: The edges of the site. Broken links and links to other sites are ignored.
    """

    def __init__(self, links: Iterable[Link]) -> None:
        self._moves: dict[GraphNode, list[tuple[int, Step]]] = defaultdict(list)
        self._titles: dict[GraphNode, str] = {}
        """The title of each section."""
        usable_links = [link for link in links if link.kind != "external" and link.status in ("ok", "redirect")]
        for link in usable_links:
            if link.kind == "child":
                self._titles.setdefault((link.to_page, link.to_anchor), link.text)
        self._nodes: set[GraphNode] = set()
        for link in usable_links:
            self._nodes |= {(link.from_page, link.from_anchor), (link.to_page, link.to_anchor)}
            self._add_moves(link)

    def is_section(self, node: GraphNode) -> bool:
        """Whether a node is a section, which an edge of the kind `child` leads to."""
        return node in self._titles

    def path(
        self, start: GraphNode, end: GraphNode, enclosing: Mapping[GraphNode, GraphNode] = MappingProxyType({})
    ) -> tuple[Step, ...] | None:
        """The path from one section to another with the fewest clicks, `start` first; None if there is none.

        Takes n log n in the number of edges.

        Args:
            start: The node where the path begins.
            end: The node where the path ends.
            enclosing: For a `start` or `end` that is no section, such as the id of a paragraph: the section or page
                around it. Without an entry, such a node is known only if a link leads to it.
        """
        if not all(node in self._nodes or node in enclosing for node in (start, end)):
            return None
        reached_from: dict[GraphNode, tuple[GraphNode | None, Step]] = {}
        first = Step(*start, "start", "")
        # The number behind the cost counts the pushes: it decides between equal costs by the order of discovery, so the
        # same graph always gives the same path.
        queue: list[tuple[int, int, GraphNode | None, Step]] = [(0, 0, None, first)]
        push_count = 0
        while queue:
            cost, _, previous, step = heapq.heappop(queue)
            node = (step.page, step.anchor)
            if node in reached_from:
                continue
            reached_from[node] = (previous, step)
            if node == end:
                return tuple(_steps_to(reached_from, end))
            for move_cost, next_step in self._moves_from(node, end, enclosing):
                if (next_step.page, next_step.anchor) not in reached_from:
                    push_count += 1
                    heapq.heappush(queue, (cost + move_cost, push_count, node, next_step))
        return None

    def _moves_from(
        self, node: GraphNode, end: GraphNode, enclosing: Mapping[GraphNode, GraphNode]
    ) -> Iterable[tuple[int, Step]]:
        """The moves that start at a node, with their costs."""
        # A link may lead to an id that is no section. The reader is then in the section around it, or at least on its
        # page.
        if node not in self._titles and node[1]:
            yield 1, Step(*enclosing.get(node, (node[0], "")), "up", "")
        if enclosing.get(end) == node:
            yield 1, Step(*end, "down", "")
        yield from self._moves.get(node, ())

    def _add_moves(self, link: Link) -> None:
        """Adds the moves of an edge: both ways between a section and its parent, one way for other edges."""
        source, target = (link.from_page, link.from_anchor), (link.to_page, link.to_anchor)
        move_cost = 1 if link.from_page == link.to_page else CLICK
        if link.kind == "child":
            self._moves[source].append((1, Step(*target, "down", link.text)))
            self._moves[target].append((1, Step(*source, "up", self._titles.get(source, ""))))
        else:
            self._moves[source].append((move_cost, Step(*target, "on" if link.kind == "next" else "link", link.text)))


def _steps_to(reached_from: dict[GraphNode, tuple[GraphNode | None, Step]], end: GraphNode) -> Iterator[Step]:
    """The steps of the path to an end, the first one first."""
    steps: list[Step] = []
    node: GraphNode | None = end
    while node is not None:
        node, step = reached_from[node]
        steps.append(step)
    return reversed(steps)
