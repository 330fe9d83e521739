"""Each command that measures can be called as it is written, and each decision with a figure names what gives it."""

from __future__ import annotations

import io
import re
import runpy
import sys
from contextlib import redirect_stdout, suppress
from functools import cache
from pathlib import Path

import click
import pytest
from scripts.count_tests import main as count_tests
from scripts.figures import INPUTS, MEASUREMENTS, Row, argv, main
from tests.docs.test_docs import PAGES

from trueref.cli import cli

ROOT = Path(__file__).resolve().parent.parent.parent
DECISIONS = sorted(path for path in (ROOT / "docs" / "decisions").glob("*.md") if path.name != "index.md")
SCRIPTS = "(?:scripts|training)/\\w+\\.(?:py|mjs)"

PROGRAM = re.compile(rf"(?:python3?|node|\}}) (?:-m )?((?:scripts|tests\.llm)\.\w+|{SCRIPTS})([^`\n]*)")
"""A program of the repository with what it is called with, as pages and the table write it."""

FIGURE = re.compile(
    r"\d (?:s|ms|MB|KB|%|CPU-seconds|seconds|microseconds|bytes|lines|points|anchors|marks|questions)\b"
    r"|(?<![\w.`])\.\d\d\b|\| [\d.,]+ \|"
)
"""What a measured figure looks like: with a unit, a share, or a cell of a table."""

SOURCE = re.compile(
    rf"scripts\.\w+|python -(?:m timeit|c)\b|tests\.llm\.\w+|{SCRIPTS}|`trueref (?:eval|index|check|diff)\b|`(?:make|npm) |`tests/[\w/]+(?:\.py|/)`"
)
"""A command or a test that gives a figure again."""

GONE = re.compile(r"\b(?:was|were|is|are) not (?:kept|in the repository)\b")
"""What a page says of a program that is gone."""

RECORDS = {"reader", "judged-answers"}
"""The pages that may quote figures which nothing gives again: records of trainings, which are long and not repeated, and
verdicts of people, who read sheets that are gone. The index of the decisions names them."""

WITHOUT_SCRIPT = [
    "trueref eval",
    "trueref index",
    "run size",
    "make other-sites",
    "make figures",
    "python -m timeit",
    "python -c",
]
"""What measures without a program of `scripts/`, as pages name it."""


@cache
def help_of(program: str) -> str:
    """What a program says with `--help`. One that needs torch is read instead, and so is one for Node.js."""
    path = ROOT / (program if "/" in program else f"{program.replace('.', '/')}.py")
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".mjs" or "\nimport torch\n" in text:
        return text
    printed, before = io.StringIO(), sys.argv
    sys.argv = [str(path), "--help"]
    try:
        with redirect_stdout(printed), suppress(SystemExit):
            runpy.run_path(str(path), run_name="__main__")
    finally:
        sys.argv = before
    return printed.getvalue()


def unknown(program: str, arguments: str, pattern: str = r"--[a-z-]+") -> set[str]:
    """The words of a pattern, options as a rule, that a program is called with and does not name in its help."""
    words = re.findall(rf"(?<!\S){pattern}(?!\S)", arguments)
    return {word for word in words if not re.search(rf"(?<![\w-]){word}(?![\w-])", help_of(program))}


@pytest.fixture(autouse=True)
def found_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts of training import one another by their bare names."""
    monkeypatch.syspath_prepend(str(ROOT / "training"))


@pytest.mark.parametrize("row", MEASUREMENTS, ids=lambda row: row.command)
def test_a_measurement_can_be_called_as_the_table_writes_it(row: Row) -> None:
    for program, arguments in PROGRAM.findall(row.command):
        assert unknown(program, arguments) == set()
        assert not program.startswith("scripts.") or unknown(program, arguments, "[a-z]+") == set()
    command = argv(row.command, {name: name.lower() for name in INPUTS} | {"PYTHON": sys.executable})
    if "trueref" in command:
        name, *rest = command[command.index("trueref") + 1 :]
        found = cli.get_command(click.Context(cli), name)
        assert found is not None
        found.make_context(name, rest, parent=click.Context(cli))


@pytest.mark.parametrize("row", MEASUREMENTS, ids=lambda row: row.command)
def test_the_page_of_a_measurement_names_its_program(row: Row) -> None:
    for page in row.pages:
        path, _, anchor = page.partition("#")
        text = (ROOT / path).read_text(encoding="utf-8")
        titles = {re.sub(r"\W+", "-", title.lower()) for title in re.findall(r"^## (.*)$", text, re.MULTILINE)}
        assert not anchor or anchor in titles
    programs = [program for program, _ in PROGRAM.findall(row.command)] or WITHOUT_SCRIPT
    text = (ROOT / row.pages[0].partition("#")[0]).read_text(encoding="utf-8")
    assert any(program.removeprefix("scripts.") in text for program in programs)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_the_programs_that_a_page_names_take_what_it_gives_them(path: Path) -> None:
    for program, arguments in PROGRAM.findall(path.read_text(encoding="utf-8")):
        assert unknown(program, arguments) == set()


def test_the_index_of_the_decisions_names_the_pages_that_are_records() -> None:
    text = (ROOT / "docs" / "decisions" / "index.md").read_text(encoding="utf-8").replace("\n", " ")
    _, _, named = text.partition("keep figures that no command gives again, because they are records:")
    assert set(re.findall(r"\]\(([\w-]+)\.md\)", named.partition(". ")[0])) == RECORDS


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_with_a_figure_says_what_measures_it(path: Path) -> None:
    text = " ".join(path.read_text(encoding="utf-8").split())
    assert not FIGURE.search(text) or SOURCE.search(text)
    assert not GONE.search(text) or path.stem in RECORDS
    named = re.findall(r"`((?:tests|scripts|training|docs/examples)/[\w/.-]+)`", text)
    assert {name for name in named if not (ROOT / name).exists()} == set()


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit code of the script."""
    monkeypatch.setattr(sys, "argv", ["figures.py", *arguments])
    return main()


def test_a_figure_is_printed_beside_its_page(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "ONLY=code_layout") == 0
    printed = capsys.readouterr().out
    assert re.search(r"^  docs/decisions/folders\.md \| \| modules \| \d+", printed, re.MULTILINE)
    assert printed.endswith("\n1 measured, 0 not measured, 0 failed\n")


def test_a_command_that_fails_is_named_at_the_end_and_the_others_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(monkeypatch, "ONLY=gate.md", f"INDEX={tmp_path / 'none'}") == 1
    printed = capsys.readouterr().out
    assert "  docs/decisions/gate.md | " in printed
    assert printed.endswith(
        "\n0 measured, 1 not measured, 1 failed\n  failed: docs/decisions/gate.md: milliseconds of the gate\n"
    )


def test_questions_that_cannot_be_made_end_it_with_one_line(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(monkeypatch, "ONLY=measure search", f"INDEX={tmp_path / 'none'}") == 1
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith("trueref: ")


def test_tests_are_counted_by_the_first_marker_that_they_have(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    marked = (("long", "browser"), ("browser", "slow"), ("slow", "shared"), ("long", "shared"), ("shared",), ())
    lines = [
        "".join(f"@pytest.mark.{name}\n" for name in names) + f"def test_{number}(): ...\n"
        for number, names in enumerate(marked)
    ]
    file = tmp_path / "test_marked.py"
    file.write_text("import pytest\n\n" + "\n".join(lines), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["count_tests.py", str(file)])
    assert count_tests() == 0
    assert capsys.readouterr().out.splitlines() == [
        "llm: 0 tests", "long: 2 tests", "browser: 1 tests", "slow: 1 tests", "none: 2 tests", "shared, not long: 2 tests",
    ]  # fmt: skip


def test_what_a_measurement_lacks_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "ONLY=topics") == 0
    assert "not measured: give PAIRS= (uv=INDEX or mkdocs-material=INDEX, " in capsys.readouterr().out
    assert run(monkeypatch, "ONLY=measure build", "INDEX=x", "LONG=1") == 0
    assert "not measured: give PROJECT= " in capsys.readouterr().out
    assert run(monkeypatch, "ONLY=other-sites") == 0
    assert "not measured: give LONG=1 " in capsys.readouterr().out


@pytest.mark.parametrize("argument", ["INDICES=x", "uv", "ONLY=nothing-has-this"])
def test_a_wrong_name_is_refused(
    argument: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, argument)
    assert argument.partition("=")[2] in capsys.readouterr().err
