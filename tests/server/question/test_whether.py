"""Questions that are answered by yes or no."""

from __future__ import annotations

import pytest

from trueref_server.question.question_text import asks_whether


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("can I use postgres instead of sqlite", True),
        ("Does it support tags?", True),
        ("do kilns have lids", True),
        ("is there a way to dry glaze", True),
        ("Has it a lid?", True),
        ("How can I use postgres?", False),
        ("canary releases", False),
        ("is", False),
        ("", False),
    ],
)
def test_a_question_asks_whether_or_not(text: str, value: bool) -> None:
    assert asks_whether(text) is value
