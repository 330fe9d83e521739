"""The questions for left-out sites: what can be told of them without their sites."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from trueref_server.evaluation.cases import Case, read_cases

TRAINING = Path(__file__).parents[2] / "training"
WRITTEN = sorted((TRAINING / "questions").glob("*.jsonl"))
REAL = sorted((TRAINING / "questions" / "real").glob("*.jsonl"))
LANGUAGES = sorted((TRAINING / "languages").glob("*.jsonl"))
FILES = [*WRITTEN, *REAL]
KINDS = {"how-to", "error", "option", "definition", "yes-no", "two-parts", "not-in-docs"}


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    """The questions of all sites; reading them refuses equal ids and lines that are no cases."""
    return read_cases(FILES)


def test_every_file_is_of_a_site_that_can_be_fetched() -> None:
    sites = tomllib.loads((TRAINING / "sites.toml").read_text("utf-8"))
    assert WRITTEN
    assert REAL
    assert {path.stem for path in FILES} <= sites.keys()


def test_a_question_with_an_answer_says_where_it_stands_and_what_shows_it(cases: list[Case]) -> None:
    for case in cases:
        assert case.kind in KINDS, case.id
        assert bool(case.gold) == bool(case.nuggets) == case.answerable, case.id
        assert case.answerable == (case.kind != "not-in-docs"), case.id


def test_no_question_is_asked_twice_and_no_kind_is_missing(cases: list[Case]) -> None:
    asked = Counter(" ".join(case.question.lower().split()) for case in cases)
    assert [question for question, times in asked.items() if times > 1] == []
    assert {case.kind for case in cases} == KINDS


@pytest.mark.parametrize("path", REAL, ids=lambda path: path.stem)
def test_a_real_question_names_the_thread_where_it_was_asked_and_is_no_long_quotation(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        asked = json.loads(line)
        assert asked["id"].startswith(f"{path.stem}-r"), asked["id"]
        thread = urlsplit(asked["source"])
        assert (thread.scheme, bool(thread.netloc), len(thread.path) > 1) == ("https", True, True), asked["id"]
        assert len(asked["question"]) <= 300, asked["id"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [([], "the following arguments are required: folder"), (["here", "nowhere"], "sites.toml has no site nowhere. It has: flask")],
)  # fmt: skip
def test_what_is_missing_is_said_before_anything_is_fetched(arguments: list[str], said: str, tmp_path: Path) -> None:
    command = [sys.executable, str(TRAINING / "fetch_sites.py"), *arguments]
    run = subprocess.run(command, check=False, capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 2
    assert said in run.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_a_question_in_another_language_says_in_which(path: Path) -> None:
    cases = read_cases([path])
    assert all(case.gold and case.language == path.stem for case in cases)
    assert len({case.question for case in cases}) == len(cases)
