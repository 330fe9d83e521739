"""What the worst questions cost: every expression that meets a question, and the repair of its words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pkgutil import walk_packages

import pytest
from tests.conftest import SEED
from tests.work import is_linear

from trueref_core.embedding.vocabulary import common_words
from trueref_server import answering, corpus, question, ranking, search
from trueref_server.corpus.corpus import Statistics
from trueref_server.corpus.spelling import Vocabulary
from trueref_server.question.openings import without_openings
from trueref_server.question.plan import MAX_REPAIRED, make_plan
from trueref_server.question.question_text import is_courtesy, names, split_clauses, without_courtesy, without_log_noise
from trueref_server.records import Question

pytestmark = pytest.mark.slow

PIECES = (
    "a-",
    "copy the ",
    "create a file ",
    "add `a.b` ",
    "the same ",
    "in this ",
    "you can also ",
    "no longer ",
    "- ",
    "1. ",
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
    "aB",
    "`aB",
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
    """All expressions that meet a question or its passages, those that are yet to be written too."""
    modules = [
        import_module(found.name)
        for folder in (question, corpus, search, ranking, answering)
        for found in walk_packages(folder.__path__, f"{folder.__name__}.")
    ]
    return [
        (f"{module.__name__.rpartition('.')[2]}.{name}", value)
        for module in modules
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
    ]


def looked_up(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: (sum(1 for _ in pattern.finditer(text)), pattern.match(text))


@pytest.mark.parametrize(
    ("expression", "linear"),
    [("a+", True), ("[ab]+(?=c)?", True), ("a*b", False), ("a*a*b", False), ("(?=a*b)|a", False)],
)
def test_the_measure_tells_linear_expressions_from_others(expression: str, linear: bool) -> None:
    assert is_linear(looked_up(re.compile(expression)), "a") is linear


def test_the_expressions_of_all_folders_are_found() -> None:
    modules = {name.partition(".")[0] for name, _ in patterns()}
    # One of a folder, and one of a folder in it.
    assert {"plan", "passages"} <= modules


@pytest.mark.long
@pytest.mark.parametrize(("name", "pattern"), [pytest.param(*found, id=found[0]) for found in patterns()])
def test_every_expression_is_linear(name: str, pattern: re.Pattern[str]) -> None:
    for piece in PIECES:
        for end in ("", "x", "!\n?"):
            assert is_linear(looked_up(pattern), piece, end), f"{name} on {piece!r} again and again, then {end!r}"


@pytest.mark.parametrize("piece", PIECES)
def test_a_question_is_read_in_linear_time(piece: str) -> None:
    for read in (without_courtesy, without_openings, is_courtesy, without_log_noise, split_clauses, names):
        assert is_linear(read, piece), f"{read.__name__} on {piece!r} again and again"


class Counted(Mapping[str, int]):
    """Words of a site that count how often any of them is come upon by going through them."""

    def __init__(self, known: Mapping[str, int]) -> None:
        self.known = known
        self.passed = 0

    def __getitem__(self, word: str) -> int:
        return self.known[word]

    def __len__(self) -> int:
        return len(self.known)

    def __iter__(self) -> Iterator[str]:
        for word in self.known:
            self.passed += 1
            yield word


def made_words(count: int, length: int | None = None) -> list[str]:
    """Words of four to twelve letters with few first ones: the worst that an index by the first letter can meet."""
    chance = random.Random(SEED)
    lengths = [length or chance.randint(4, 12) for _ in range(count)]
    return [chance.choice("acps") + "".join(chance.choices("aeinorst", k=size - 1)) for size in lengths]


STRANGE = [f"{word}x" for word in made_words(222, 7)]
COMMON = sorted(word for word in common_words() if word[0] in "acps" and len(word) == 8)[:222]
"""Words that are no errors, wherever they are missing: a question may have as many of them as it can hold."""


@pytest.mark.parametrize(("asked", "looked_at"), [(STRANGE, MAX_REPAIRED + 1), (COMMON, 222)])
def test_repairs_compare_few_words_of_the_site_with_each_word_of_the_question(asked: list[str], looked_at: int) -> None:
    known = Counted(dict.fromkeys(made_words(70_000), 5))
    assert len(known) > 50_000
    statistics = Statistics(sections=50_000)
    statistics.vocabulary = Vocabulary(known)
    assert known.passed == len(known)
    make_plan(Question(" ".join(asked)[:2_000]), "en", statistics)
    # Of the four first letters and nine lengths of the site, one letter and three lengths.
    assert 0 < statistics.vocabulary.compared < looked_at * len(known) / 10
    assert known.passed == len(known)
