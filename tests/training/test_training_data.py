"""What the embedder is trained on: the sections that were found for a question, with what ranking gives them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "training"))

from training_data import FOUND_WRONG, RIGHT_SECTIONS, WRONG_SECTIONS, ranked_texts, read_ranked

SEED = 11
TRAINING = Path(__file__).parents[2] / "training"


def _section(number: int, *, gold: bool = False) -> dict[str, Any]:
    score = 1 - number / 100
    return {"text": f"text {number}", "answers": gold, "gold": gold, "score": score, "score_without_vectors": score / 2}


def _write(folder: Path, site: str, *questions: list[dict[str, Any]]) -> None:
    rows = [
        {"question": f"{site} {at}", "passages": [], "chunks": [], "ranked": found}
        for at, found in enumerate(questions)
    ]
    (folder / f"{site}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_sections_are_sorted_by_score_and_bounded(tmp_path: Path) -> None:
    found = [_section(number, gold=number % 10 == 9) for number in range(60)]
    random.Random(SEED).shuffle(found)
    _write(tmp_path, "flask", found)

    (question,) = read_ranked(tmp_path, frozenset(), 1.0, SEED)

    assert (question.site, question.question) == ("flask", "flask 0")
    assert [text.text for text in question.right] == ["text 9", "text 19", "text 29"][:RIGHT_SECTIONS]
    assert [text.text for text in question.wrong[:3]] == ["text 0", "text 1", "text 2"]
    assert len(question.wrong) == WRONG_SECTIONS
    assert question.wrong[0].score == pytest.approx(0.5)


def test_questions_without_a_right_section_or_with_few_wrong_ones_are_left_out(tmp_path: Path) -> None:
    wrong = [_section(number) for number in range(FOUND_WRONG)]
    _write(tmp_path, "flask", wrong, [_section(9, gold=True), *wrong[1:]], [_section(9, gold=True), *wrong])

    assert [question.question for question in read_ranked(tmp_path, frozenset(), 1.0, SEED)] == ["flask 2"]


def test_sites_that_measure_are_left_out_and_a_smaller_share_is_part_of_a_larger(tmp_path: Path) -> None:
    found = [_section(0, gold=True), *(_section(number) for number in range(1, 9))]
    _write(tmp_path, "flask", *[found] * 10)
    _write(tmp_path, "uv", *[found] * 10)

    half, most = (
        {question.question for question in read_ranked(tmp_path, frozenset(["uv"]), share, SEED)}
        for share in (0.5, 0.8)
    )

    assert (len(half), len(most)) == (5, 8)
    assert half < most
    assert all(name.startswith("flask") for name in most)


def test_a_step_has_one_right_section_and_different_wrong_ones_the_first_most_often(tmp_path: Path) -> None:
    _write(tmp_path, "flask", [_section(number, gold=number == 20) for number in range(30)])
    (question,) = read_ranked(tmp_path, frozenset(), 1.0, SEED)
    rng = random.Random(SEED)

    draws = [[text.text for text in ranked_texts(question, rng)] for _ in range(400)]

    assert all(texts[0] == "text 20" and "text 20" not in texts[1:] for texts in draws)
    assert all(len(set(texts)) == FOUND_WRONG + 1 for texts in draws)
    first, last = (sum(f"text {number}" in texts for texts in draws) for number in (0, 29))
    assert first > 3 * last > 0


def test_what_is_collected_has_the_sections_that_answer_and_what_ranking_gives_them(tmp_path: Path) -> None:
    site, cases, nuggets = tmp_path / "site", tmp_path / "tea.jsonl", tmp_path / "nuggets.jsonl"
    site.mkdir()
    sections = "".join(
        f"<h2 id='cake-{number}'>Cake {number}</h2><p>Bake the cake number {number} for {number + 10} minutes.</p>"
        for number in range(80)
    )
    page = f"<html><body><main><h1>Cakes</h1>{sections}<h2 id='tea'>Tea</h2><p>Let tea stand for four minutes.</p></main></body></html>"
    (site / "index.html").write_text(page)
    case = {
        "id": "tea",
        "question": "How long do I bake the cake number 3, or let it stand?",
        "gold": [{"page": "", "anchor": "tea"}],
        "answerable": True,
    }
    cases.write_text(json.dumps(case) + "\n")
    nuggets.write_text(json.dumps({"id": "tea", "nuggets": [["Let tea stand for four minutes."]]}) + "\n")
    index = tmp_path / "index"
    indexing = [
        sys.executable,
        "-m",
        "trueref",
        "index",
        str(site),
        "--index",
        str(index),
        "--base-url",
        "https://example.org/",
    ]
    subprocess.run(indexing, check=True, capture_output=True)

    collecting = [
        sys.executable,
        str(TRAINING / "collect_examples.py"),
        "--site",
        "cakes",
        index,
        cases,
        nuggets,
        tmp_path,
    ]
    subprocess.run(list(map(str, collecting)), check=True, capture_output=True)

    (example,) = map(json.loads, (tmp_path / "cakes.jsonl").read_text().splitlines())
    found = example["ranked"]
    assert [section["score"] for section in found] == sorted((section["score"] for section in found), reverse=True)
    (right,) = (section for section in found if section["gold"])
    assert right["answers"]
    assert "four minutes" in right["text"]
    assert 60 <= len(found) <= 61
    assert all(section["score_without_vectors"] < section["score"] for section in found)
