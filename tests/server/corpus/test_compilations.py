"""Pages that repeat other pages are found, and pages that share some of their sections are none."""

from __future__ import annotations

import pytest
from tests.work import is_linear

from trueref_server.corpus.compilations import find_compilations


def found(pages: dict[str, str]) -> set[str]:
    """The compilations among pages, each given by its sections: a letter stands for what a section says."""
    return {
        page
        for _, page in find_compilations(
            (("demo", page), letter) for page, letters in pages.items() for letter in letters
        )
    }


PAGES = {"a/": "abc", "b/": "def", "c/": "gh", "d/": "ijk"}


@pytest.mark.parametrize(
    ("page", "is_compilation"),
    [
        ("abcdefghijk", True),
        ("abcdefghijkx", True),  # with a title page
        ("abcdefgh", True),  # a part of the manual
        ("abdegij", False),  # half of each page: it may be a summary
        ("abcdef", False),  # two pages, as the versions of a page are
        ("abcdefghijk" + "lmnopqrst", False),  # as much of its own
        ("", False),
    ],
)
def test_a_page_that_repeats_three_others_is_a_compilation(page: str, is_compilation: bool) -> None:
    assert found({**PAGES, "all/": page}) == ({"all/"} if is_compilation else set())


def test_commands_that_share_their_options_are_no_compilations() -> None:
    assert not found({f"command-{number}/": f"abcdefghij{number}" for number in range(9)})


def test_a_copy_of_each_page_is_no_compilation() -> None:
    copies = {f"old/{page}": letters for page, letters in PAGES.items()}
    assert not found({**PAGES, **copies})


def test_a_manual_repeats_its_chapters_which_repeat_its_pages() -> None:
    assert found({**PAGES, "chapter/": "abcdefgh", "all/": "abcdefghijk"}) == {"chapter/", "all/"}


def test_two_manuals_are_compilations() -> None:
    assert found({**PAGES, "all/": "abcdefghijk", "print/": "abcdefghijk"}) == {"all/", "print/"}


def test_a_guide_with_a_page_for_each_section_is_a_guide() -> None:
    assert not found({"guide/": "abcd", "x/": "a", "y/": "b", "z/": "c", "w/": "d"})


def test_many_pages_with_the_same_sections_are_looked_at_once() -> None:
    def read(pages: str) -> None:
        """Looks for compilations among as many pages as there are characters, which all say the same."""
        assert not found({f"{number}/": "abc" for number, _ in enumerate(pages)})

    assert is_linear(read, "x", longest=20_000)


def test_no_sections_are_no_compilations() -> None:
    assert not find_compilations([])
