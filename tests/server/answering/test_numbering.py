"""Numbers that stay over a conversation, and what a client may say of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trueref_server.answering.numbering import MAX_NUMBERED, Numbering

SECTIONS = [("docs", f"p{n}/", "a") for n in range(6)]


def numbers(numbered: list[str], *hrefs: str) -> list[int]:
    sections = [(("docs", href, ""), href) for href in hrefs]
    given = Numbering.of(numbered).including(sections).numbers
    return [given[section] for section, _ in sections]


def test_without_a_conversation_numbers_begin_at_one() -> None:
    assert numbers([], "a/", "b/", "a/") == [1, 2, 1]


def test_what_has_a_number_keeps_it_and_what_is_new_goes_on() -> None:
    assert numbers(["a/", "b/#x", "c/"], "d/", "b/#x", "e/", "a/") == [4, 2, 5, 1]


def test_a_forgotten_number_is_not_given_again() -> None:
    assert numbers(["", "b/"], "a/", "b/") == [3, 2]


def test_the_home_page_has_no_address_that_could_be_forgotten() -> None:
    assert numbers(["", "b/"], "") == [3]


def test_two_sites_with_one_address_are_two_sources() -> None:
    given = Numbering.of(["a/"]).including([((site, "a/", ""), "a/") for site in ("one", "two", "one")]).numbers
    assert given == {("one", "a/", ""): 1, ("two", "a/", ""): 2}


def test_more_sections_go_on_and_leave_the_first_numbering_as_it_was() -> None:
    first = Numbering.of(["", "b/"]).including([(("docs", "a/", ""), "a/")])
    more = first.including([(("docs", "c/", ""), "c/"), (("docs", "b/", ""), "b/"), (("docs", "a/", ""), "a/")])
    assert first.numbers == {("docs", "a/", ""): 3}
    assert more.numbers == {("docs", "a/", ""): 3, ("docs", "c/", ""): 4, ("docs", "b/", ""): 2}


@given(
    st.lists(st.sampled_from(["", "p0/", "p1/", "p2/", "javascript:alert(1)"]), max_size=8), st.permutations(SECTIONS)
)
def test_whatever_a_client_says_each_section_has_a_number_of_its_own(
    numbered: list[str], sections: list[tuple[str, str, str]]
) -> None:
    given_numbers = Numbering.of(numbered).including([(section, section[1]) for section in sections]).numbers.values()
    assert len(set(given_numbers)) == len(given_numbers) == len(sections)
    assert all(1 <= n <= len(numbered) + len(sections) for n in given_numbers)


def test_a_long_list_does_not_make_long_numbers() -> None:
    assert numbers(["x/"] * 5000, "a/") == [MAX_NUMBERED + 1]
