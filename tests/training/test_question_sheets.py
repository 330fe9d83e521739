"""Sheets of texts to write questions for, and the cases that what was written becomes."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
from tests.core.samples import chunk

from trueref_core.records import Chunk
from trueref_server.evaluation.cases import read_cases

TRAINING = Path(__file__).parents[2] / "training"
sys.path.insert(0, str(TRAINING))

from examples import LEFT_OUT  # noqa: E402
from question_sheets import Draw, Written, cases_of, draw_texts, read, sheet  # noqa: E402

ALL = Draw(most=100, page=50, seed=1, without=None)
WRITTEN = sorted((TRAINING / "questions" / "bulk").glob("*.jsonl"))


def _chunk(at: int, **fields: object) -> Chunk:
    text = f"Cake number {at} has to stand in the oven for {at} minutes. " * 4
    place = {"id": f"id{at}", "page": f"{at}.html", "anchor": f"a{at}", "section_id": f"s{at}"}
    of_text = {"text": text.strip(), "twin_key": text, "overlap": 0, "page_kind": "guide"}
    return chunk(at, **{**place, **of_text, **fields})


@pytest.mark.parametrize(
    "left_out",
    [
        _chunk(3, page_kind="changelog"),
        _chunk(3, text="Short."),
        _chunk(3, text=_chunk(1).text, twin_key=_chunk(1).twin_key),
    ],
    ids=["of a change log", "with too little text", "that stands elsewhere too"],
)
def test_no_question_is_written_for_a_text(left_out: Chunk) -> None:
    drawn = draw_texts([_chunk(1), _chunk(2), left_out], ALL)
    assert left_out not in drawn
    assert _chunk(2) in drawn


def test_a_section_gives_one_text_and_what_was_drawn_before_gives_its_place_to_another() -> None:
    chunks = [_chunk(1, page="a.html", anchor="a"), _chunk(2, page="a.html", anchor="a")]
    (first,) = draw_texts(chunks, ALL)
    (second,) = draw_texts(chunks, ALL, frozenset([first.text]))
    assert {first.id, second.id} == {"id1", "id2"}


def test_the_draw_is_bounded_takes_a_quarter_from_api_references_at_most_and_is_of_its_seed() -> None:
    chunks = [_chunk(at, page_kind="api" if at % 2 else "guide") for at in range(60)]
    some = Draw(most=20, page=50, seed=1, without=None)
    drawn = draw_texts(chunks, some)
    assert len(drawn) == 20
    assert sum(chunk.page_kind == "api" for chunk in drawn) == 5
    assert drawn == draw_texts(reversed(chunks), some)
    assert drawn != draw_texts(chunks, replace(some, seed=2))


def test_a_sheet_shows_each_text_under_its_number_without_what_it_repeats() -> None:
    shown = sheet([_chunk(1, text="Repeated. New words.", overlap=10, title="Oven", breadcrumb=("Baking",))], 7)
    assert shown == "### 7 | Baking > Oven\nNew words.\n"


@pytest.fixture
def sheets(tmp_path: Path) -> Path:
    """The sheets of a site with two texts, and a sheet of another whose name begins alike."""
    texts = [(chunk.page, chunk.anchor, chunk.text) for chunk in (_chunk(1), _chunk(2))]
    (tmp_path / "cake.json").write_bytes(msgspec.json.encode(texts))
    (tmp_path / "cake-shop-1.tsv").write_text("1\tWhere is the shop?\tnowhere\n", "utf-8")
    return tmp_path


def test_a_line_becomes_a_case_that_eval_reads_and_keeps_its_id(sheets: Path, tmp_path: Path) -> None:
    (sheets / "cake-1.tsv").write_text("2\thow long do I bake it\tin the oven for 2 minutes\n", "utf-8")
    read(sheets, tmp_path / "out", ["cake"])
    (sheets / "cake-1.tsv").write_text("1\twhere does it stand?\thas to stand in the oven\n", "utf-8")
    read(sheets, tmp_path / "out", ["cake"])
    first, second = read_cases([tmp_path / "out" / "cake.jsonl"])
    assert (first.question, first.gold[0].key, first.nuggets) == (
        "how long do I bake it",
        ("2", "a2"),
        (("in the oven for 2 minutes",),),
    )
    assert second.gold[0].key == ("1", "a1")
    assert first.id != second.id


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1\tno span", "a line is no number, question and span"),
        ("3\tno such text\tCake", "a line is no number, question and span"),
        ("1\tanother text's span\tfor 2 minutes", "text 1 has no span 'for 2 minutes'"),
    ],
)
def test_a_line_that_names_no_text_or_no_words_of_it_is_left_out(sheets: Path, line: str, said: str) -> None:
    (sheets / "cake-1.tsv").write_text(line + "\n", "utf-8")
    (fault,) = cases_of("cake", sheets)
    assert isinstance(fault, str)
    assert said in fault


@pytest.mark.parametrize("name", sorted(LEFT_OUT))
def test_no_sheet_is_written_of_a_site_that_only_measures(name: str, tmp_path: Path) -> None:
    command = [sys.executable, str(TRAINING / "question_sheets.py"), "write", str(tmp_path), str(tmp_path), name]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert run.returncode == 2
    assert f"only ever measured on: {name}" in run.stderr


@pytest.mark.parametrize("path", WRITTEN, ids=[path.stem for path in WRITTEN])
def test_written_questions_are_of_sites_that_are_trained_on_and_name_section_and_span(path: Path) -> None:
    sites = tomllib.loads((TRAINING / "sites.toml").read_text("utf-8"))
    assert path.stem in sites
    assert path.stem not in LEFT_OUT
    cases = [msgspec.json.decode(line, type=Written) for line in path.read_bytes().splitlines()]
    assert len({case.id for case in cases}) == len(cases)
    assert all(case.gold and case.nuggets and len(case.question) > 4 for case in cases)
