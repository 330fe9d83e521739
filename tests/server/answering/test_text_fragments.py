"""Which quotes get a link to their words, and with what around them."""

from __future__ import annotations

import sys

import pytest

from trueref_server.answering.text_fragments import FOLDED_TO_ASCII, line_of, text_fragment

PAGE = """# Colors

Dark mode is switched on with the `--dark` option, at once. It is off by default.

- Light mode is off by default. It needs a restart of the server.
- Sepia mode needs a restart of the server.

| Mode | Default |
| --- | --- |
| dark mode and light mode | off |

See below, or not, or both.

See below, or not, or both.

All sub`command`s take one.
"""
FIRST = "Dark mode is switched on with the `--dark` option, at once. It is off by default."


@pytest.mark.parametrize(
    ("quote", "line", "expected"),
    [
        (
            "Dark mode is switched on with the `--dark` option, at once.",
            FIRST,
            "text=Dark%20mode%20is%20switched%20on%20with%20the%20%2D%2Ddark%20option%2C%20at%20once.",
        ),
        ("It is off by default.", FIRST, "text=It%20is%20off%20by%20default."),
        # Twice on the page, and told apart by what stands around it.
        (
            "needs a restart of the server.",
            "- Sepia mode needs a restart of the server.",
            "text=Sepia%20mode-,needs%20a%20restart%20of%20the%20server.",
        ),
        (
            "needs a restart of the server.",
            "- Light mode is off by default. It needs a restart of the server.",
            "text=is%20off%20by%20default.%20It-,needs%20a%20restart%20of%20the%20server.",
        ),
        # The longest word has inline code in its middle on the page, where the quote has none.
        ("All subcommands take one.", "All sub`command`s take one.", "text=All%20subcommands%20take%20one."),
        # Twice, with nothing around it that differs.
        ("See below, or not, or both.", "See below, or not, or both.", ""),
        # Not there, too short, over two blocks.
        ("Dark mode is switched off.", FIRST, ""),
        ("Colors", "# Colors", ""),
        ("at once.", FIRST, ""),
        ("It is off by default.\nIt needs a restart.", FIRST, ""),
        # A cell, which nothing around it tells from another one.
        ("dark mode and light mode", "", "text=dark%20mode%20and%20light%20mode"),
        ("See below, or not, or both.", "", ""),
        # Case does not tell two places apart for a browser.
        ("is off BY default.", FIRST, "text=%2D%2Ddark%20option%2C%20at%20once.%20It-,is%20off%20BY%20default."),
    ],
)
def test_the_fragment_of_a_quote_finds_it_alone_on_its_page(quote: str, line: str, expected: str) -> None:
    assert text_fragment(quote, line, PAGE) == expected


def test_a_page_that_is_not_known_proves_nothing() -> None:
    assert text_fragment("It is off by default.", FIRST, "") == ""


def test_work_on_a_page_that_repeats_itself_is_bounded() -> None:
    """A million words in one line: each place is found once, and no more than twenty are."""
    quote = " ".join(["so"] * 60)
    assert text_fragment(quote, quote, " ".join(["so"] * 1_000_000)) == ""


def test_a_quote_with_letters_that_folding_lengthens_keeps_its_place() -> None:
    page = "Die Größe ist zwölf Megabyte. İ und mehr."
    assert text_fragment("Die Größe ist zwölf Megabyte.", page, page).startswith("text=Die%20Gr%C3%B6%C3%9Fe")


def test_a_quote_whose_longest_word_folds_to_ascii_is_found() -> None:
    page = "Einige Worte.\n\nDie Straßenbahn ist schon da."
    assert text_fragment("Die Straßenbahn ist schon da.", "", page) == "text=Die%20Stra%C3%9Fenbahn%20ist%20schon%20da."


def test_every_character_that_folds_to_ascii_is_known() -> None:
    beyond_ascii = map(chr, range(0x80, sys.maxunicode + 1))
    folded = {character for character in beyond_ascii if any(map(str.isascii, character.casefold()))}
    assert set(FOLDED_TO_ASCII) == folded


@pytest.mark.parametrize("repetition", ["it is fine TO \u017fTOP", "IT IS FINE TO STOP"])
def test_a_line_that_repeats_the_quote_in_other_letters_is_found(repetition: str) -> None:
    """A browser ignores case, so that a quote in other letters is a second place."""
    quote = "It is fine to stop"
    assert text_fragment(quote, quote, f"{quote}\n\nSome words.\n") == "text=It%20is%20fine%20to%20stop"
    assert text_fragment(quote, quote, f"Some words.\n\n{quote}\n\n{repetition}\n") == ""


def test_the_line_around_a_place_is_found() -> None:
    assert [line_of("ab\ncd\nef", at) for at in (0, 3, 4, 7)] == ["ab", "cd", "cd", "ef"]
