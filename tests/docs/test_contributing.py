"""What CONTRIBUTING.md names is there, and its commands find what they promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
PACKAGES = [ROOT / name for name in ("core", "plugin", "server", "cli", "widget", "docs", "tests", "scripts")]
WALKS = re.findall(r"^\*\*(To .+?)\*\*(.+?)(?=^\*\*|^## )", TEXT, re.MULTILINE | re.DOTALL)


def sources() -> list[Path]:
    """The files of the program, its tests and its docs."""
    return [path for package in PACKAGES for path in package.rglob("*") if "node_modules" not in path.parts]


@pytest.mark.parametrize("walk", [text for _, text in WALKS], ids=[name for name, _ in WALKS])
def test_the_files_of_a_walk_are_there(walk: str) -> None:
    paths = set(re.findall(r"`([\w./-]+(?:\.(?:py|ts|md)|/))`", walk))
    known = [str(path) for path in sources()]
    assert {path for path in paths if not any(name.endswith(f"/{path.rstrip('/')}") for name in known)} == set()


def test_every_table_that_a_walk_names_is_there() -> None:
    names = {name for _, walk in WALKS for name in re.findall(r"`([A-Z_]{4,})`", walk)}
    code = "".join(path.read_text(encoding="utf-8") for path in sources() if path.suffix in (".py", ".ts"))
    assert len(names) > 10
    assert {
        name for name in names if not re.search(rf"^(?:export )?(?:const )?{name}\b.* = ", code, re.MULTILINE)
    } == set()


def test_the_command_that_names_the_tests_of_a_module_names_some() -> None:
    (module,) = re.findall(r"grep -rl ([\w.]+) tests", TEXT)
    tests = (ROOT / "tests").rglob("test_*.py")
    assert any(module in path.read_text(encoding="utf-8") for path in tests if path != Path(__file__))
