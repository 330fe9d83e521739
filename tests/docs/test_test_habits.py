"""Tests wait for what they need instead of for a time, and look at an index and a store through public functions."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

PAUSES = frozenset({"tests/waiting.py", "tests/server/scripted_model.py"})
"""Where a pause may be: the one place that waits, and a model that answers as slowly as a test wants."""

WAITING = ("sleep", "wait_for_timeout")

DATABASES = frozenset({"lancedb", "sqlite3"})

NAMED = frozenset({"tests/packaging/test_imports.py", "tests/cli/test_light.py", "tests/cli/test_processor_time.py"})
"""These start programs that import LanceDB, to see what that loads and costs; they open nothing with it."""


def pauses(code: str) -> list[int]:
    """The lines of code that wait for a time: `sleep` with anything but 0, or Playwright's `wait_for_timeout`."""
    if not any(name in code for name in WAITING):
        return []
    return sorted(node.lineno for node in nodes_of(code) if isinstance(node, ast.Call) and _is_pause(node))


def _is_pause(call: ast.Call) -> bool:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    is_zero = bool(call.args) and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0
    return name in WAITING and not (name == "sleep" and is_zero)


def databases(code: str) -> set[str]:
    """The modules of databases that code imports."""
    names = set[str]()
    for node in nodes_of(code) if any(name in code for name in DATABASES) else ():
        if isinstance(node, ast.Import):
            names.update(item.name for item in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return {name.partition(".")[0] for name in names} & DATABASES


def nodes_of(code: str) -> Iterator[ast.AST]:
    """The syntax of code, with that of the programs that it has in strings, which tests run in other processes."""
    for node in ast.walk(ast.parse(code)):
        yield node
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                program = ast.parse(textwrap.dedent(node.value))
            except (SyntaxError, ValueError):
                continue
            yield from ast.walk(program)


@pytest.fixture(scope="module")
def files(root: Path) -> dict[str, str]:
    """The code of every file of the tests but this one, by its path."""
    found = {path.relative_to(root).as_posix(): path for path in (root / "tests").rglob("*.py")}
    assert len(found) > 300
    return {name: path.read_text(encoding="utf-8") for name, path in found.items() if path != Path(__file__)}


def test_no_test_waits_for_a_time(files: dict[str, str]) -> None:
    assert {name: lines for name, code in files.items() if name not in PAUSES and (lines := pauses(code))} == {}
    assert all(pauses(files[name]) for name in PAUSES)


def test_no_test_opens_a_database(files: dict[str, str]) -> None:
    assert {name: names for name, code in files.items() if name not in NAMED and (names := databases(code))} == {}
    assert all(databases(files[name]) for name in NAMED)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("import time\ntime.sleep(0.1)", [2]),
        ("from time import sleep\nsleep(delay)", [2]),
        ("page.wait_for_timeout(0)", [1]),
        ("CODE = '''\nimport time\ntime.sleep(600)\n'''", [3]),
        ("await asyncio.sleep(0)", []),
        ("wait_until(done)", []),
        ("'How does the quagga sleep?'", []),
    ],
)
def test_a_pause_is_seen(code: str, lines: list[int]) -> None:
    assert pauses(code) == lines


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import lancedb.index", {"lancedb"}),
        ("def opened():\n    from sqlite3 import connect", {"sqlite3"}),
        ("CODE = 'import sys, lancedb'", {"lancedb"}),
        ("HEAVY = ('lancedb', 'sqlite3')", set[str]()),
    ],
)
def test_an_import_of_a_database_is_seen(code: str, names: set[str]) -> None:
    assert databases(code) == names
