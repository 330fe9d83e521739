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

from collect_examples import OF_VECTORS, RANKED
from training_data import FOUND_WRONG, VECTOR_WEIGHT, WRONG_SECTIONS, ranked_texts, read_examples, read_ranked
from trueref_server.ranking.rank import WEIGHTS

SEED = 11
TRAINING = Path(__file__).parents[2] / "training"


def _section(number: int, *, gold: bool = False) -> dict[str, Any]:
    score = 1 - number / 100
    return {"text": f"text {number}", "answers": gold, "gold": gold, "score": score, "score_without_vectors": score / 2}


def _text(text: str, *, answers: bool = False, gold: bool = False) -> dict[str, Any]:
    return {"text": text, "answers": answers, "gold": gold}


def test_what_answers_is_told_from_what_is_near_it_and_from_other_sections(tmp_path: Path) -> None:
    both = [_text("answer", answers=True, gold=True), _text("beside it", gold=True), _text("elsewhere")]
    only_in_a_chunk = [_text("beside it", gold=True), _text("elsewhere")]
    chunks = [_text("whole chunk", answers=True, gold=True), _text("other chunk")]
    without_wrong = [_text("answer", answers=True, gold=True)]
    rows = [
        {"question": str(at), "passages": passages, "chunks": chunks}
        for at, passages in enumerate([both, only_in_a_chunk, without_wrong])
    ]
    rows.append({"question": "nothing answers", "passages": [_text("elsewhere")], "chunks": [_text("other chunk")]})
    (tmp_path / "flask.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    first, second = read_examples(tmp_path, frozenset(), 1.0, SEED)

    assert (first.right, first.right_chunks) == (["answer"], ["whole chunk"])
    assert (first.wrong_near, first.wrong) == (["beside it"], ["elsewhere"])
    assert (second.right, second.right_chunks) == (["whole chunk"], ["whole chunk"])
    assert first.also_right == {"answer", "whole chunk"}


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
    assert [text.text for text in question.right] == ["text 9", "text 19", "text 29"]
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


def test_what_is_collected_has_the_best_sections_and_one_that_answers_from_further_down(tmp_path: Path) -> None:
    site, cases, nuggets = tmp_path / "site", tmp_path / "tea.jsonl", tmp_path / "nuggets.jsonl"
    site.mkdir()
    sections = "".join(
        f"<h2 id='cake-{number}'>Cake {number}</h2><p>Bake the cake number {number} for {number + 10} minutes.</p>"
        for number in range(80)
    )
    tea = "<h2 id='tea'>Tea</h2><p>Let it stand for a while.</p>"
    (site / "index.html").write_text(f"<html><body><main><h1>Cakes</h1>{sections}{tea}</main></body></html>")
    gold = [{"page": "", "anchor": "tea"}]
    case = {"id": "tea", "question": "How many minutes do I bake the cake?", "gold": gold, "answerable": True}
    cases.write_text(json.dumps(case) + "\n")
    nuggets.write_text(json.dumps({"id": "tea", "nuggets": [["Let it stand for a while."]]}) + "\n")
    index = tmp_path / "index"
    _run("-m", "trueref", "index", site, "--index", index, "--base-url", "https://example.org/")

    _run(TRAINING / "collect_examples.py", "--site", "cakes", index, cases, nuggets, tmp_path)

    (example,) = map(json.loads, (tmp_path / "cakes.jsonl").read_text().splitlines())
    found = example["ranked"]
    assert len(found) == RANKED + 1
    assert [section["score"] for section in found] == sorted((section["score"] for section in found), reverse=True)
    assert [section["gold"] for section in found] == [False] * RANKED + [True]
    assert found[-1]["answers"]
    assert "stand for a while" in found[-1]["text"]
    assert all(section["score_without_vectors"] < section["score"] for section in found)


def test_the_weight_of_a_cosine_in_training_is_that_of_the_program() -> None:
    of_vectors = sum(weight for signal, weight in WEIGHTS.items() if signal.__name__ in OF_VECTORS)
    assert of_vectors == pytest.approx(VECTOR_WEIGHT)


def _run(*arguments: object) -> None:
    subprocess.run([sys.executable, *map(str, arguments)], check=True, capture_output=True)
