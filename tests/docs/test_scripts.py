"""Each script says what it does when it is asked with `--help`, and what is wrong with its arguments in one line."""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FILES = sorted([*(ROOT / "scripts").glob("*.py"), *(ROOT / "training").glob("*.py")])


SCRIPTS = [
    path
    for path in FILES
    # Those that import torch run in an environment of their own, and `measured_server.py` is `trueref serve`.
    if "__main__" in (text := path.read_text(encoding="utf-8"))
    and "\nimport torch\n" not in text
    and path.name != "measured_server.py"
]


@pytest.fixture(autouse=True)
def found_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts of training import one another by their bare names."""
    monkeypatch.syspath_prepend(str(ROOT / "training"))


def ends_with(path: Path, *arguments: str) -> object:
    """The exit code of a script."""
    sys.argv = [str(path), *arguments]
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(path), run_name="__main__")
    return ended.value.code


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_help_is_the_text_at_the_top(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [])
    assert ends_with(path, "--help") == 0
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    assert text
    assert text in capsys.readouterr().out


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_wrong_argument_is_said_in_one_line(
    path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", [])
    assert ends_with(path, "--no-such-option") == 2
    assert ": error: " in capsys.readouterr().err.splitlines()[-1]
