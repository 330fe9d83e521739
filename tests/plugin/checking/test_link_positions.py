"""Lines and columns of links in HTML, found without the parser."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser
from tests.work import is_linear

from trueref_plugin.checking.link_positions import LineIndex, link_positions


@pytest.mark.parametrize(
    ("html", "places"),
    [
        ('<a href="x/">', [(1, 10)]),
        ("<a href=x/>", [(1, 9)]),
        ("<a href='x/'>", [(1, 10)]),
        ('<A HREF = "x/">', [(1, 12)]),
        ('\n\n  <a class="y>z"\n href="x/">', [(4, 8)]),
        ('<a href="x&#47;">', [(1, 10)]),
        ('<area href="x/"><a href="x/">', [(1, 13), (1, 26)]),
        ('<meta http-equiv="refresh" content="0; url=x/">', [(1, 37)]),
        ('<link href="x/">', []),
        ('<a data-href="x/">', []),
        ('<!-- <a href="x/"> --><a href="y/">', []),
        ('<!-- <a href="x/">', []),
        ("<script><a href='x/'></script><a href='x/'>", [(1, 40)]),
        ("<script><a href='x/'>", []),
        ("a < b <a href='x/'>", [(1, 16)]),
        ("é\r\n<a href='x/'>", [(2, 10)]),
    ],
)
def test_a_link_in_html_is_found_at_its_line_and_column(html: str, places: list[tuple[int, int]]) -> None:
    assert link_positions(html).get(("x/", False), []) == places


def test_images_and_stylesheets_have_places_of_their_own() -> None:
    assert link_positions('<img src="x/"><a href="x/"><link href="x/"><img alt="x/">')["x/", True] == [
        (1, 11),
        (1, 40),
    ]


ATTRIBUTE = st.sampled_from(['href="x/"', "href='x/'", "href=x/", 'class="a>b"', "hidden", 'title="href=x/"', 'id=""'])
ELEMENT = st.builds(lambda tag, attributes: f"<{tag} {' '.join(attributes)}>", st.sampled_from(["a", "b", "p", "span"]), st.lists(ATTRIBUTE, max_size=3, unique=True))  # fmt: skip
OTHER = st.sampled_from(["text", "\n", " < ", "</a>", "</p>", "&lt;", "<!-- <a href=x/> -->", "<script>'<a href=x/>'</script>"])  # fmt: skip


@given(st.lists(st.one_of(ELEMENT, OTHER), max_size=10).map("".join))
def test_links_are_found_in_any_html_where_the_parser_finds_some(html: str) -> None:
    found = [node for node in LexborHTMLParser(html).css("a[href]") if node.attrs.get("href") == "x/"]
    # A second attribute of the same name does not count for the parser.
    firsts = link_positions(html).get(("x/", False), [])
    assert bool(firsts) == bool(found)
    lines = html.split("\n")
    assert all(lines[line - 1][column - 1 :].startswith("x/") for line, column in firsts)


@pytest.mark.parametrize(
    "piece", ["<", "<a ", "<a href=", '<a href="', "<!--", "<script", "<script>", "a", "a=", '"', "<a b='"]
)
def test_the_links_of_a_page_are_found_in_linear_time(piece: str) -> None:
    assert is_linear(link_positions, piece, longest=100_000)


@given(st.text(max_size=50), st.integers(0, 50))
def test_line_and_column_lead_back_to_the_place_in_the_text(text: str, at: int) -> None:
    at = min(at, len(text))
    line, column = LineIndex(text).line_and_column(at)
    assert sum(len(part) + 1 for part in text.split("\n")[: line - 1]) + column - 1 == at
