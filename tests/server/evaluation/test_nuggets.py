from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from tests.server.judged import DARK, answerable, unanswerable, with_nuggets

from trueref_core.errors import OptionError
from trueref_server.evaluation.cases import Case
from trueref_server.evaluation.evaluation_report import by_form, by_kind, report_on
from trueref_server.evaluation.judgements import NotShown, judge, not_shown
from trueref_server.evaluation.nuggets import ShownNuggets, add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome

PADDING = "word " * 180


def rows(folder: Path, *lines: dict[str, Any], name: str = "nuggets.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    return path


def row(name: str, **fields: Any) -> dict[str, Any]:
    return {"id": name, "nuggets": [["a b", "c"]]} | fields


def problem_of(cases: list[Case], *paths: Path) -> str:
    with pytest.raises(OptionError) as caught:
        add_nuggets(cases, paths)
    return str(caught.value)


def test_nuggets_are_joined_by_id(tmp_path: Path) -> None:
    one = rows(tmp_path, row("a", misleading=["d"], form="code", source="x"), name="one")
    two = rows(tmp_path, row("b", nuggets=[], excerpt=False), row("unknown"), name="two")
    cases, notes = add_nuggets([answerable("a"), answerable("b"), answerable("c"), unanswerable("d")], [one, two])
    assert cases[0] == Case(
        "a",
        "where is a",
        answerable=True,
        gold=(DARK,),
        nuggets=(("a b", "c"),),
        misleading=("d",),
        form="code",
    )
    assert [case.has_nuggets for case in cases] == [True, False, False, False]
    assert notes == ["Lines of nuggets that are for no case, and do not count: 1."]


def test_without_files_cases_stay_as_they_are() -> None:
    cases = [with_nuggets("a", "b"), unanswerable("c")]
    assert add_nuggets(cases, []) == (cases, [])


def test_a_line_takes_nothing_from_its_case(tmp_path: Path) -> None:
    case = Case("a", "where?", answerable=True, gold=(DARK,), form="steps", misleading=("d",))
    joined = add_nuggets([case], [rows(tmp_path, row("a"))])[0][0]
    assert (joined.form, joined.misleading) == ("steps", ("d",))


@pytest.mark.parametrize(
    ("bad", "expected"),
    [
        ({"nuggets": []}, "missing required field `id`. A line of nuggets is {"),
        (row(" "), "Write that of the case"),
        (row("a", nuggets=["a b"]), "Expected `array`, got `str` - at `$.nuggets[0]`"),
        (row("a", nuggets=[[]]), "A nugget has no span"),
        (row("a", nuggets=[["…"]]), "The span '…' has no word"),
        (row("a", misleading=["a", "--"]), "The span '--' has no word"),
        (row("a", nuggets=[]), "There are no `nuggets`. Write one, or set `excerpt` to false"),
        (row("has"), "The case has `nuggets` of its own"),
        (row("not"), "The case is not answerable. Take this line away"),
        (row("first"), "nuggets.jsonl:1 has the same id"),
    ],
)
def test_a_bad_line_is_named_with_what_to_do(bad: dict[str, Any], expected: str, tmp_path: Path) -> None:
    cases = [answerable("first"), answerable("a"), with_nuggets("has", "b"), unanswerable("not")]
    message = problem_of(cases, rows(tmp_path, row("first"), bad))
    assert message.startswith(f"{tmp_path}/nuggets.jsonl:2: ")
    assert expected in message
    assert "\n" not in message


def test_every_problem_has_its_line_over_all_files(tmp_path: Path) -> None:
    one, two = rows(tmp_path, {}, row("a"), name="one"), rows(tmp_path, row("a"), {}, name="two")
    message = problem_of([answerable("a")], one, two)
    assert [line.split(": ")[0].rpartition("/")[2] for line in message.splitlines()] == ["one:1", "two:1", "two:2"]
    assert "Cannot read" in problem_of([], tmp_path / "none")


@pytest.mark.parametrize(
    ("shown", "cards", "expected"),
    [
        ("one and two", (), ShownNuggets((), (), 1, in_cards=True)),
        ("ONE, then [1] two.", (), ShownNuggets((), (), 1, in_cards=True)),
        ("one", (), ShownNuggets((("two",),), (), 0.5, in_cards=False)),
        ("one", ("one", "two"), ShownNuggets((("two",),), (), 0.5, in_cards=True)),
        # Cards are all that there is to open, the open one among them.
        ("one two", ("two",), ShownNuggets((), (), 1, in_cards=False)),
        (f"two {PADDING} one", (), ShownNuggets((("one",),), (), 0.5, in_cards=True)),
        (f"two {PADDING}\n```\none\n```", (), ShownNuggets((), (), 1, in_cards=True)),
        ("bad", (), ShownNuggets((("one",), ("two",)), ("bad",), 0, in_cards=False)),
        (f"{PADDING} bad", (), ShownNuggets((("one",), ("two",)), (), 0, in_cards=False)),
        ("", (), ShownNuggets((("one",), ("two",)), (), 0, in_cards=False)),
        (None, (), ShownNuggets((("one",), ("two",)), (), 0, in_cards=False)),
    ],
)
def test_nuggets_are_seen_in_the_text_and_cards_of_an_answer(
    shown: str | None, cards: tuple[str, ...], expected: ShownNuggets
) -> None:
    case = with_nuggets("a", "one", "two", misleading=("bad",))
    assert see(case, Outcome("a", shown=shown, cards=cards)) == expected


def test_any_span_of_a_nugget_will_do() -> None:
    case = Case("a", "where?", answerable=True, gold=(DARK,), nuggets=(("one", "first"), ("two",)))
    assert see(case, Outcome("a", shown="the first two")).is_full


@pytest.mark.parametrize(("shown", "misleads"), [("bad", True), ("bad one", False), ("one", False), ("", False)])
def test_an_answer_that_shows_every_nugget_does_not_mislead(shown: str, misleads: bool) -> None:
    assert see(with_nuggets("a", "one", misleading=("bad",)), Outcome("a", shown=shown)).misleads is misleads


def test_nuggets_that_an_answer_does_not_show_are_listed() -> None:
    cases = [with_nuggets("a", "one", "two", misleading=("bad",), form="code"), with_nuggets("b", "x"), answerable("c")]
    outcomes = [Outcome("a", (), 0.5, "answer", shown="bad one\n" + "y" * 200, cards=("two one",)), Outcome("b")]
    first, second = not_shown(judge(cases, outcomes))
    assert first == NotShown(
        id="a",
        form="code",
        question="where is a",
        nuggets=("two",),
        in_cards=True,
        misleading=("bad",),
        verdict="answer",
        confidence=0.5,
        card="bad one " + "y" * 151 + "…",
    )
    assert (second.id, second.nuggets, second.card) == ("b", ("x",), "")


def test_figures_by_form_begin_with_the_weakest() -> None:
    cases = [with_nuggets(str(n), "x", form="code" if n % 4 else "list") for n in range(40)]
    cases += [with_nuggets("bare", "x"), answerable("none"), unanswerable("not")]
    outcomes = [Outcome(str(n), shown="x" if n % 2 else "") for n in range(40)] + [Outcome("bare", shown="x")]
    forms = by_form(judge(cases, outcomes), 0)
    assert [(it.form, it.n, it.shown) for it in forms] == [("list", 10, 0), ("code", 30, 0.667), ("", 1, 1)]
    low, high = forms[1].interval
    assert (forms[0].interval, forms[2].interval) == ((0, 0), (1, 1))
    assert (low, high) == pytest.approx((15 / 30, 25 / 30), abs=0.04)


def test_kinds_are_counted_apart_and_those_without_an_answer_only_by_what_is_wrong() -> None:
    cases = [
        replace(with_nuggets("a", "x"), kind="how-to"),
        replace(with_nuggets("b", "x"), kind="how-to"),
        replace(unanswerable("c"), kind="not here"),
        replace(unanswerable("d"), kind="not here"),
        answerable("e"),
    ]
    places = (DARK,)
    outcomes = [
        Outcome("a", places, 0.5, "answer", shown="x"),
        Outcome("b", (), 0.5, "answer", shown="y"),
        Outcome("c", places, 0.5, "answer"),
        Outcome("d", places, 0.5, "closest"),
        Outcome("e", places, 0.5, "answer"),
    ]
    how_to, not_here, unnamed = by_kind(judge(cases, outcomes))
    assert (how_to.kind, how_to.n) == ("how-to", 2)
    assert how_to.figures == {"section@1": 0.5, "section@5": 0.5, "shown": 0.5, "answer": 0.5}
    assert (not_here.kind, not_here.n, not_here.figures) == ("not here", 2, {"wrong": 0.5})
    assert (unnamed.kind, unnamed.n, unnamed.figures) == ("", 1, {"section@1": 1, "section@5": 1})
    assert report_on(cases, outcomes).kinds == [how_to, not_here, unnamed]
    assert report_on([unanswerable("c")], outcomes[2:3]).kinds is None
