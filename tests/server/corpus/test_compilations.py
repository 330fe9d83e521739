"""Pages that repeat other pages are found, and pages that share some of their sections are none."""

from __future__ import annotations

import pytest

from trueref_server.corpus.compilations import compilations


def found(pages: dict[str, str]) -> set[str]:
    """The compilations among pages, each given by its sections: a letter stands for what a section says."""
    return {
        page
        for _, page in compilations((("demo", page), letter) for page, letters in pages.items() for letter in letters)
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


def test_no_sections_are_no_compilations() -> None:
    assert not compilations([])
