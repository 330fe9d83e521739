from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trueref_core.links.section_graph import Graph
from trueref_core.records import Link, LinkKind, LinkStatus


def edge(start: str, end: str, kind: LinkKind = "internal", text: str = "", status: LinkStatus = "ok") -> Link:
    (page, _, anchor), (to_page, _, to_anchor) = start.partition("#"), end.partition("#")
    return Link("docs", page, anchor, to_page, to_anchor, kind, text or end, status)


OUTLINE = [
    edge("a/", "a/#one", "child"),
    edge("a/", "a/#two", "child"),
    edge("a/#two", "a/#deep", "child"),
    edge("a/#one", "a/#two", "next"),
    edge("b/", "b/#top", "child"),
    edge("b/#top", "b/#sub", "child"),
    edge("c/", "c/#end", "child"),
]


def way(graph: Graph, start: str, end: str) -> str | None:
    """The moves of a path, as `down a/#one, link b/`."""
    (page, _, anchor), (to_page, _, to_anchor) = start.partition("#"), end.partition("#")
    steps = graph.path((page, anchor), (to_page, to_anchor))
    if steps is None:
        return None
    assert (steps[0].page, steps[0].anchor, steps[0].move) == (page, anchor, "start")
    return ", ".join(f"{step.move} {step.page}{'#' if step.anchor else ''}{step.anchor}" for step in steps[1:])


@pytest.mark.parametrize(
    ("links", "start", "end", "expected"),
    [
        ([], "a/#one", "a/#one", ""),
        ([], "a/", "a/#deep", "down a/#two, down a/#deep"),
        ([], "a/#deep", "a/#one", "up a/#two, up a/, down a/#one"),
        ([], "a/#one", "a/#two", "on a/#two"),
        ([], "a/", "b/", None),
        ([], "unknown/", "a/", None),
        ([edge("a/#one", "b/#sub")], "a/#deep", "b/", "up a/#two, up a/, down a/#one, link b/#sub, up b/#top, up b/"),
        # one click along the sections beats two clicks at once
        ([edge("a/", "c/"), edge("c/", "b/"), edge("a/#deep", "b/")], "a/", "b/", "down a/#two, down a/#deep, link b/"),
        ([edge("a/", "b/", "next")], "a/", "b/", "on b/"),
        ([edge("a/", "b/", status="redirect")], "a/", "b/", "link b/"),
        ([edge("a/", "b/", status="missing-page")], "a/", "b/", None),
        ([edge("a/", "b/#gone", status="missing-anchor")], "a/", "b/", None),
        ([edge("a/", "b/", "external")], "a/", "b/", None),
        # an id that begins no section, such as a footnote: the page is around it
        ([edge("a/", "b/#fn:1")], "a/", "b/#top", "link b/#fn:1, up b/, down b/#top"),
        # a link on the same page is no click away
        ([edge("a/#one", "a/#deep")], "a/#one", "a/#deep", "link a/#deep"),
    ],
)
def test_a_path_is_the_shortest_way_through_headings_and_links(
    links: list[Link], start: str, end: str, expected: str | None
) -> None:
    assert way(Graph([*OUTLINE, *links]), start, end) == expected


def test_a_step_says_the_text_of_its_link_or_the_title_of_its_section() -> None:
    graph = Graph([*OUTLINE, edge("a/#one", "b/#sub", text="the manual")])
    steps = graph.path(("a/", "one"), ("b/", "top"))
    assert steps is not None
    assert [step.text for step in steps] == ["", "the manual", "b/#top"]


@given(st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef")), max_size=20), st.sampled_from("bcdef"))
def test_a_path_has_the_fewest_clicks(pairs: list[tuple[str, str]], end: str) -> None:
    """Compared with all walks, by brute force."""
    steps = Graph([edge(f"{a}/", f"{b}/") for a, b in pairs]).path(("a/", ""), (f"{end}/", ""))
    for clicks in range(1, 6):
        walks = (("a", *middle, end) for middle in itertools.product("abcdef", repeat=clicks - 1))
        if any(all(hop in pairs for hop in itertools.pairwise(walk)) for walk in walks):
            assert steps is not None
            assert len(steps) - 1 == clicks
            hops = [(a.page[0], b.page[0]) for a, b in itertools.pairwise(steps)]
            assert all(hop in pairs for hop in hops)
            return
    assert steps is None


AROUND = {("b/", "para"): ("b/", "sub"), ("a/", "note"): ("a/", "deep"), ("d/", ""): ("d/", "")}


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("a/", "b/#para", ["link b/", "down b/#top", "down b/#sub", "down b/#para"]),
        ("a/#note", "a/#two", ["up a/#deep", "up a/#two"]),
        ("a/#note", "b/", ["up a/#deep", "up a/#two", "up a/", "link b/"]),
        ("a/#note", "a/#note", []),
        ("d/", "d/", []),
        ("b/#para", "a/", None),
        ("a/#unknown", "a/#unknown", None),
        ("e/", "e/", None),
        ("a/#unknown", "a/", None),
    ],
)
def test_an_end_that_begins_no_section_is_reached_through_the_section_around_it(
    start: str, end: str, expected: list[str] | None
) -> None:
    (page, _, anchor), (to_page, _, to_anchor) = start.partition("#"), end.partition("#")
    steps = Graph([*OUTLINE, edge("a/", "b/")]).path((page, anchor), (to_page, to_anchor), AROUND)
    steps_taken = [f"{step.move} {step.page}{'#' if step.anchor else ''}{step.anchor}" for step in steps or ()][1:]
    assert (None if steps is None else steps_taken) == expected
