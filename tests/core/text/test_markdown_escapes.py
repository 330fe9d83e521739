from __future__ import annotations

import pytest

from trueref_core.text.markdown_escapes import ESCAPABLE, without_escapes


@pytest.mark.parametrize(
    ("text", "plain"),
    [(r"a\_b", "a_b"), (r"\\_", r"\_"), (r"a\b", r"a\b"), (r"\é", r"\é"), ("\\", "\\")],
)
def test_a_backslash_is_removed_before_a_sign_and_nowhere_else(text: str, plain: str) -> None:
    assert without_escapes(text) == plain


def test_every_sign_of_ascii_is_escapable() -> None:
    signs = {chr(code) for code in range(33, 127) if not chr(code).isalnum()}
    assert signs == ESCAPABLE
    assert without_escapes("".join(f"\\{sign}" for sign in sorted(signs))) == "".join(sorted(signs))
