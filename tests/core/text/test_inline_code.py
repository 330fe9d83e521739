from __future__ import annotations

import pytest

from trueref_core.text.inline_code import change_outside_code, is_code, split_code


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", [""]),
        ("plain", ["plain"]),
        ("a `b` c", ["a ", "`b`", " c"]),
        ("`a``b`", ["", "`a`", "", "`b`", ""]),
        # A backtick without a partner begins no code.
        ("`a` b ` c", ["", "`a`", " b ` c"]),
    ],
)
def test_a_text_is_split_into_code_and_what_is_between(text: str, parts: list[str]) -> None:
    assert split_code(text) == parts


def test_code_is_not_changed() -> None:
    assert change_outside_code("a `b` c ` d", str.upper) == "A `b` C ` D"


@pytest.mark.parametrize(("text", "expected"), [("`a b`", True), ("``", True), ("`a` b", False), ("`a` `b`", False)])
def test_a_text_is_code_if_it_is_one_piece_of_it(text: str, expected: bool) -> None:
    assert is_code(text) is expected
