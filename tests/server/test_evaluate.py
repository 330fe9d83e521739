from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from trueref_core.errors import OptionError
from trueref_server.evaluate import Case, Outcome, Place, rate, read_cases, run_cases, write_outcomes
from trueref_server.service import Service
from trueref_server.settings import Settings

GOLD = [Place("setup/colors/", "dark-mode")]


def outcome(case: str, *places: tuple[str, str], confidence: float = 0.5) -> Outcome:
    return Outcome(case, [Place(*place) for place in places], confidence, 1.0)


def test_rates() -> None:
    cases = [
        Case("first", "?", GOLD, True),
        Case("third", "?", GOLD, True),
        Case("page", "?", GOLD, True),
        Case("none", "?", GOLD, True),
        Case("not", "?", [], False),
    ]
    dark, other, same_page = ("setup/colors/", "dark-mode"), ("install/", ""), ("setup/colors/", "custom-colors")
    figures = rate(
        cases,
        [
            outcome("first", dark, confidence=0.9),
            outcome("third", other, other, dark, confidence=0.8),
            outcome("page", same_page, confidence=0.4),
            outcome("none", confidence=0.1),
            outcome("not", other, confidence=0.4),
        ],
    )
    assert figures["n"] == 4
    assert [figures[f"section@{k}"] for k in (1, 3, 5, 10)] == [0.25, 0.5, 0.5, 0.5]
    assert [figures[f"page@{k}"] for k in (1, 3, 5, 10)] == [0.5, 0.75, 0.75, 0.75]
    assert figures["mrr@10"] == round((1 + 1 / 3) / 4, 3)
    assert figures["abstain_auroc"] == 0.625


@pytest.mark.parametrize("page", ["a/", "a", "/a/", "a/index.html", "a.html", "/a.html"])
def test_spellings_of_a_page(page: str) -> None:
    assert Place(page, "x").key == ("a", "x")


def test_without_unanswerable_cases_there_is_no_auroc() -> None:
    assert "abstain_auroc" not in rate([Case("a", "?", GOLD, True)], [outcome("a")])


def test_no_cases_and_bad_lines_are_named(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text('{"id": "a", "question": "?", "gold": [], "answerable": true}\n\n{"id": 1}\nx\n')
    with pytest.raises(OptionError, match=r"line 3: .*line 4: ") as caught:
        read_cases(file)
    assert "\n" not in str(caught.value)
    file.write_text("")
    with pytest.raises(OptionError, match="it is empty"):
        read_cases(file)
    with pytest.raises(OptionError, match="Cannot read"):
        read_cases(tmp_path / "none")


@pytest.mark.anyio
async def test_cases_are_run(index: Path) -> None:
    service = Service(Settings(index=index))
    cases = [Case("a", "how do I switch on dark mode", GOLD, True)]
    outcomes = await run_cases(service, cases)
    assert rate(cases, outcomes)["section@1"] == 1
    assert outcomes[0].milliseconds > 0
    await service.close()


@pytest.mark.shared
def test_figures_are_those_of_the_scorer(shared: Path, tmp_path: Path) -> None:
    """Random results for real cases, scored by both."""
    path = shared / "uv.jsonl"
    cases = read_cases(path)
    chance = random.Random(7)
    gold = [place for case in cases for place in case.gold]
    outcomes = [
        Outcome(
            case.id,
            chance.sample(gold, 6) + chance.sample(case.gold, min(len(case.gold), chance.randint(0, 1))),
            round(chance.random(), 1),
            1.0,
        )
        for case in cases
    ]
    write_outcomes(tmp_path / "results.jsonl", outcomes)
    command = [sys.executable, str(shared / "score.py"), str(path), str(tmp_path / "results.jsonl")]
    scored = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    ours = rate(cases, outcomes)
    assert {name: ours[name] for name in scored} == scored
