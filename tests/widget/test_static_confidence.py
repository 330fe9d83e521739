"""The verdicts of answers without a server beside those of a server."""

from __future__ import annotations

import re
from pathlib import Path

from trueref_server.ranking.confidence import ANSWER_FROM

SOURCE = Path(__file__).parents[2] / "widget" / "src" / "static" / "confidence.ts"


def test_an_answer_is_as_sure_as_that_of_a_server() -> None:
    bound = re.search(r"const ANSWER_FROM = ([\d.]+);", SOURCE.read_text("utf-8"))
    assert bound is not None
    assert float(bound[1]) == ANSWER_FROM
