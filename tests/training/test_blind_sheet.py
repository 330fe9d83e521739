"""The sheet of questions with passages to pick from, and the count of what was picked."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

TRAINING = Path(__file__).parents[2] / "training"
OTHERS = [f"The cake number {number} of the grandmother is eaten on a Sunday with tea and milk." for number in range(8)]


def _run(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(TRAINING / "blind_sheet.py"), *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def _asked(site: str = "flask") -> list[dict[str, object]]:
    lines = (TRAINING / "questions" / f"{site}.jsonl").read_text("utf-8").splitlines()
    return [asked for asked in map(json.loads, lines) if asked["answerable"]][:4]


def _answer(asked: dict[str, object]) -> str:
    nuggets = asked["nuggets"]
    assert isinstance(nuggets, list)
    return f"A passage that was marked as it says the following: {nuggets[0][0]}"


@pytest.fixture
def examples(tmp_path: Path) -> Path:
    """What was collected of four questions, the last of them without enough that does not answer."""
    _collect(tmp_path / "examples", "flask")
    return tmp_path / "examples"


def _collect(folder: Path, site: str) -> None:
    lines: list[str] = []
    for asked in _asked(site):
        others = OTHERS if len(lines) < 3 else OTHERS[:4]
        passages = [{"text": text, "answers": False, "gold": False} for text in others]
        passages.append({"text": _answer(asked), "answers": True, "gold": True})
        lines.append(json.dumps({"id": asked["id"], "question": "", "passages": passages, "chunks": []}))
    file = folder / f"{site}.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("\n".join(lines), "utf-8")


def _written(examples: Path, *options: object) -> str:
    sheet = examples.parent / "sheet.txt"
    run = _run("write", examples, sheet, *options)
    assert run.returncode == 0, run.stderr
    return sheet.read_text("utf-8")


def _picks(examples: Path, sheet: str, wrong: str = "") -> Path:
    """Picks of who knows each answer, but errs in one question."""
    lines = ["# picked from the sheet alone"]
    for block in re.split(r"(?m)^## ", sheet)[1:]:
        numbered = re.findall(r"(?m)^  (\d)\. (.*)$", block)
        right = next(int(number) for number, text in numbered if text.startswith("A passage that was marked"))
        name = block.split("\n", 1)[0]
        lines.append(f"{name} {right % 6 + 1 if name == wrong else right}")
    path = examples.parent / "picks.txt"
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_a_question_stands_with_six_passages_and_without_a_mark(examples: Path) -> None:
    sheet = _written(examples)
    blocks = re.split(r"(?m)^## ", sheet)[1:]
    assert [block.split("\n", 1)[0] for block in blocks] == [asked["id"] for asked in _asked()[:3]]
    for block, asked in zip(blocks, _asked(), strict=False):
        assert str(asked["question"]) in block
        assert re.findall(r"(?m)^  (\d)\. ", block) == list("123456")
        assert len(set(re.findall(r"(?m)^  \d\. (.*)$", block))) == 6
    assert not re.search(r"true|answers|gold", re.sub(r"(?m)^  \d\. .*$|^## .*\n.*$", "", sheet))


def test_where_no_passage_that_was_found_answers_the_part_of_a_longer_text_around_the_span_does(tmp_path: Path) -> None:
    asked = _asked()[0]
    passages = [{"text": text, "answers": False, "gold": False} for text in OTHERS]
    long = f"{'Much stands before it. ' * 60}{_answer(asked)}{' And much behind it.' * 60}"
    chunks = [{"text": text, "answers": text == long, "gold": True} for text in ("Another chunk of the section.", long)]
    line = json.dumps({"id": asked["id"], "question": "", "passages": passages, "chunks": chunks})
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "flask.jsonl").write_text(line, "utf-8")
    sheet = _written(tmp_path / "examples")
    nuggets = asked["nuggets"]
    assert isinstance(nuggets, list)
    (part,) = (text for text in re.findall(r"(?m)^  \d\. (.*)$", sheet) if nuggets[0][0] in text)
    assert len(part) <= 400
    assert part in long


def test_the_order_is_of_the_seed(examples: Path) -> None:
    first, again, other = (_written(examples, "--most", 2, "--seed", seed) for seed in (1, 1, 2))
    assert first == again != other
    assert first.count("## ") == 2


def test_agreement_is_counted_for_each_site_and_what_was_picked_otherwise_is_named(examples: Path) -> None:
    sheet = _written(examples)
    second = str(_asked()[1]["id"])
    run = _run("count", examples, _picks(examples, sheet, wrong=second))
    assert run.returncode == 0, run.stderr
    first, *table = run.stdout.splitlines()
    assert first.startswith(f"{second}: picked ")
    assert first.endswith(str(_asked()[1]["question"]).splitlines()[-1])
    assert table[2:] == ["| flask | 3 | 2 | .67 |", "| all | 3 | 2 | .67 |"]


def test_real_questions_are_a_site_of_their_own(examples: Path) -> None:
    _collect(examples, "real/flask")
    real = _written(examples, "real/flask")
    assert re.findall(r"(?m)^## (.*)$", real) == [asked["id"] for asked in _asked("real/flask")[:3]]
    table = _run("count", examples, _picks(examples, _written(examples))).stdout
    assert table.splitlines()[2:] == [
        "| flask | 3 | 3 | 1.00 |",
        "| real/flask | 3 | 3 | 1.00 |",
        "| all | 6 | 6 | 1.00 |",
    ]


def test_picks_for_what_is_not_on_the_sheet_are_refused(examples: Path) -> None:
    picks = examples.parent / "picks.txt"
    picks.write_text("flask-999 1\n", "utf-8")
    run = _run("count", examples, picks)
    assert run.returncode == 1
    assert "There is nothing to pick from for flask-999." in run.stderr
