from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.judged import DARK, outcome

from trueref_core.errors import OptionError
from trueref_server.evaluation.cases import Case, SectionAddress, read_cases, ready
from trueref_server.evaluation.outcomes import Outcome, read_outcomes, write_outcomes
from trueref_server.records import Exchange

GOLD = [{"page": "a/", "anchor": "x"}]


def line(**fields: Any) -> str:
    return json.dumps({"id": "a", "question": "where?", "gold": GOLD, "answerable": True} | fields)


def written(folder: Path, *lines: str, name: str = "cases.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_every_field_of_a_case_is_read(tmp_path: Path) -> None:
    history = [{"question": "before", "answer": "said"}, {"question": "then"}]
    path = written(
        tmp_path, line(kind="how-to", page="a/", version="2", language="de", history=history, source="elsewhere")
    )
    assert read_cases([path]) == [
        Case(
            "a",
            "where?",
            answerable=True,
            gold=(SectionAddress("a/", "x"),),
            kind="how-to",
            page="a/",
            version="2",
            language="de",
            history=(Exchange("before", "said"), Exchange("then")),
        )
    ]


def test_empty_lines_and_a_byte_order_mark_are_passed_over(tmp_path: Path) -> None:
    path = written(tmp_path, "\ufeff" + line(), "", "  ", line(id="b"))
    assert [case.id for case in read_cases([path])] == ["a", "b"]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("x", "JSON is malformed"),
        ("{}", "missing required field `id`"),
        (line(gold=[{"anchor": "x"}]), "missing required field `page`"),
        (line(answerable="yes"), "Expected `bool`, got `str`"),
        (line(id=" "), "Give the case a name"),
        (line(question=" "), "Write one, or take the line away"),
        (line(gold=[]), "Name one, or set `answerable` to false"),
        (line(answerable=False), "Take it away, or set `answerable` to true"),
        (line(id="first"), "cases.jsonl:1 has the same id. Give each case its own"),
        (line() + "\udcff", "malformed"),
    ],
)
def test_a_bad_line_is_named_with_what_to_do(bad: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "cases.jsonl"
    path.write_bytes(f"{line(id='first')}\n\n{bad}\n".encode("utf-8", "surrogateescape"))
    with pytest.raises(OptionError) as caught:
        read_cases([path])
    message = str(caught.value)
    assert message.startswith(f"{path}:3: ")
    assert problem in message
    assert "\n" not in message


def test_every_problem_has_its_line(tmp_path: Path) -> None:
    path = written(tmp_path, *["{}"] * 3)
    with pytest.raises(OptionError) as caught:
        read_cases([path])
    assert [message.split(": ")[0] for message in str(caught.value).splitlines()] == [f"{path}:{n}" for n in (1, 2, 3)]


def test_a_file_of_something_else_is_not_told_in_full(tmp_path: Path) -> None:
    path = written(tmp_path, *["x"] * 1000)
    with pytest.raises(OptionError, match=r"and 980 more$") as caught:
        read_cases([path])
    assert len(str(caught.value).splitlines()) == 21


def test_an_id_that_two_files_share_is_refused(tmp_path: Path) -> None:
    one, two = written(tmp_path, line(), name="one"), written(tmp_path, line(), name="two")
    with pytest.raises(OptionError, match=r"two:1: a: .*one:1 has the same id"):
        read_cases([one, two])


def test_a_file_without_cases_or_that_is_missing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="no case was found"):
        read_cases([written(tmp_path)])
    with pytest.raises(OptionError, match=r"Cannot read .*none: No such file"):
        read_cases([tmp_path / "none"])


@pytest.mark.parametrize("page", ["a/", "a", "/a/", "a/index.html", "a.html", "/a.html"])
def test_spellings_of_a_page_are_one_place(page: str) -> None:
    assert SectionAddress(page, "x").key == ("a", "x")


def test_cases_that_the_template_left_unedited_are_told() -> None:
    edited = Case("a", "where?", answerable=True, gold=(DARK,))
    quoted = Case("b", "Dark mode?", answerable=True, gold=(DARK,), edit="do")
    blank = Case("c", "", answerable=False, edit="do")
    asked, notes = ready([edited, quoted, blank])
    assert asked == [edited, quoted]
    assert [note.partition(". ")[0] for note in notes] == [
        "Cases without a question, which were left out: 1",
        "Cases that still quote a title (field `edit`): 1",
    ]
    assert ready([edited]) == ([edited], [])
    with pytest.raises(OptionError, match="No case has a question yet"):
        ready([blank])


places = st.builds(SectionAddress, st.text(), st.text(), st.text())
outcomes = st.builds(
    Outcome,
    st.text(),
    st.lists(places, max_size=3).map(tuple),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.none() | st.sampled_from(["answer", "closest", "not-found"]),
    st.none() | st.floats(0, 1e6),
)


@given(st.lists(outcomes, max_size=4, unique_by=lambda found: found.id))
def test_outcomes_are_read_as_they_were_written(tmp_path_factory: pytest.TempPathFactory, found: list[Outcome]) -> None:
    path = tmp_path_factory.getbasetemp() / "outcomes.jsonl"
    write_outcomes(path, found)
    assert read_outcomes(path) == found


def test_results_of_another_system_are_read(tmp_path: Path) -> None:
    path = written(tmp_path, '{"id": "a", "results": [{"page": "a", "anchor": ""}], "score": [1]}')
    assert read_outcomes(path) == [outcome("a", ("a", ""), confidence=None)]


@pytest.mark.parametrize(
    ("bad", "problem"),
    [("x", ":1: JSON is malformed.*A result is"), ('{"id": "a"}\n{"id": "a"}', ":2: There are two results for a")],
)
def test_a_file_that_holds_no_results_is_refused_with_its_line(bad: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=problem):
        read_outcomes(written(tmp_path, bad))


def test_results_that_cannot_be_written_are_told(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="Cannot write"):
        write_outcomes(tmp_path / "none" / "results", [])
