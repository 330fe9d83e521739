from __future__ import annotations

import pytest

from trueref_core.text.printable import shortened, visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, naïve, 中文, 👩\u200d🚀, a\u00a0b", "plain, naïve, 中文, 👩\u200d🚀, a\u00a0b"),
        ("\x1b[2Ja\x00\x07", r"\x1b[2Ja\x00\x07"),
        ("a\nb\r\tc", r"a\x0ab\x0d\x09c"),
        ("\x9b1m\x7f\x85", r"\x9b1m\x7f\x85"),
        ("\u202egnp.exe\u2066\u2028\ufeff", r"\u202egnp.exe\u2066\u2028\ufeff"),
        ("\U000e0041\ud800", r"\U000e0041\ud800"),
    ],
)
def test_what_acts_on_a_terminal_is_shown_and_does_nothing(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_some_characters_may_be_kept() -> None:
    assert visible("a\n\x1b\n", allowed="\n") == "a\n\\x1b\n"


@pytest.mark.parametrize(("text", "most", "cut"), [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("a bcd", 3, "a…")])
def test_a_long_text_is_cut_with_an_ellipsis(text: str, most: int, cut: str) -> None:
    assert shortened(text, most) == cut
