"""How long the worst questions take: every expression that meets a question, and the repair of its words."""

from __future__ import annotations

import random
import re
import time
from importlib import import_module
from pkgutil import iter_modules

import pytest
from tests.conftest import SEED

from trueref_server import retrieval
from trueref_server.records import Question
from trueref_server.retrieval.corpus import Statistics
from trueref_server.retrieval.plan import make_plan
from trueref_server.retrieval.reading import halves, is_courtesy, names, telling_part, without_courtesy

LONG = 20_000
"""Characters: ten times as many as a question may have."""

SECONDS = 1.0
"""A linear expression needs some 0.02 s for the worst of the texts below; a quadratic one needs minutes."""

PIECES = (
    "thanks ",
    "thanks     ",
    "thank you very much, ",
    "any help would be ",
    "hi ",
    "hello there, ",
    "dear all, good morning ",
    "how does a ",
    "what is a ",
    "what do a",
    "why a ",
    "which a ",
    "when to use a ",
    "and how ",
    ", ",
    "; how do ",
    "or ",
    "error",
    "error [a",
    "ERROR   ",
    "error:",
    "aError",
    "a.b.",
    "npm ERR! code",
    "panicked at '",
    "panicked at a",
    "at a",
    "at (",
    "\n  at a ",
    "\n[10:00:00.",
    "\n2025-01-01",
    "\n---- ",
    "\n^ ~",
    "\n1 |",
    "`",
    "``a",
    '"',
    "'a ",
    "«",
    "“",
    "in a ",
    "in a+#",
    "c++",
    "a",
    "A",
    "_",
    "-",
    ".",
    " ",
    "\n",
    "1",
    "v1",
    "version 1",
    "upgrade ",
    "のか",
    "怎",
    "각",
    "\u0300",
)


def patterns() -> list[tuple[str, re.Pattern[str]]]:
    """All expressions of the rooms of retrieval, those that are yet to be written too."""
    modules = [import_module(f"{retrieval.__name__}.{found.name}") for found in iter_modules(retrieval.__path__)]
    return [
        (f"{module.__name__.rpartition('.')[2]}.{name}", value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
    ]


def seconds_of(pattern: re.Pattern[str], text: str) -> float:
    started = time.process_time()
    for _ in pattern.finditer(text):
        pass
    pattern.match(text)
    return time.process_time() - started


@pytest.mark.parametrize(("name", "pattern"), patterns())
def test_every_expression_is_linear(name: str, pattern: re.Pattern[str]) -> None:
    for piece in PIECES:
        for end in ("", "x", "!\n?"):
            # A short one first: an exponential expression would not come back from a long one.
            for length in (40, 160, 400, LONG):
                text = piece * (length // len(piece)) + end
                assert seconds_of(pattern, text) < SECONDS, f"{name} on {piece!r} * {length // len(piece)} + {end!r}"


@pytest.mark.parametrize("piece", PIECES)
def test_reading_is_linear(piece: str) -> None:
    text = piece * (LONG // len(piece))
    started = time.process_time()
    for read in (without_courtesy, is_courtesy, telling_part, halves, names):
        read(text)
    assert time.process_time() - started < SECONDS


def test_repairs_do_not_look_at_every_word_of_the_site_for_every_word_of_the_question() -> None:
    random_letters = random.Random(SEED)

    def word(length: int) -> str:
        # Few first letters: the worst that an index by the first letter can meet.
        return random_letters.choice("acps") + "".join(random_letters.choices("aeinorst", k=length - 1))

    statistics = Statistics(sections=50_000)
    statistics.words.update({word(random_letters.randint(4, 12)): 5 for _ in range(70_000)})
    assert len(statistics.words) > 50_000
    started = time.process_time()
    make_plan(Question("warm"), "en", statistics)
    assert time.process_time() - started < 1
    unknown = " ".join(f"{word(7)}x" for _ in range(222))[:2_000]
    started = time.process_time()
    make_plan(Question(unknown), "en", statistics)
    # 0.05 s; looking at every word takes 10 ms for each, 2 s for all.
    assert time.process_time() - started < 0.3
