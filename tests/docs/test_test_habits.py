"""Tests wait for what they need instead of for a time, judge by no clock, and look at an index through public functions."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

PAUSES = frozenset({"tests/waiting.py", "tests/server/scripted_model.py"})
"""Where a pause may be: the one place that waits, and a model that answers as slowly as a test wants."""

PAUSE_CALLS = frozenset({"sleep", "wait_for_timeout"})
"""Calls that only let time pass, whoever has them."""

LIMITED_CALLS = frozenset({"wait", "join", "select", "acquire", "wait_for"})
"""Calls that wait for something and, given a number, for no longer than that: a test that goes on then judges the clock."""

CLOCKS = frozenset({"process_time", "perf_counter", "monotonic", "thread_time", "getrusage", "time.time"})
"""The clocks of Python, those of the processor too. Some may have `_ns` behind their names. `time` alone is the name of
much else: it is a clock only with its module."""

TIMED: Mapping[str, str] = {
    "tests/work.py": "compares two times of one process, where one call of C does the work and no lines can be counted",
    "tests/plugin/reading/test_linear.py": "compares two times of one process, where lexbor does the work",
    "tests/plugin/processor_time.py": "measures what a child has spent that is to be ended for it: the limit is such a time",
    "tests/cli/test_processor_time.py": "compares two commands that run by turns, most of which is loading libraries",
    "tests/core/generations/test_publication.py": "gives files and entries a time long ago, which a build compares with now",
    "tests/core/storage/test_integrity_cache.py": "gives files a time two seconds ago: younger ones are not remembered",
    "tests/e2e/browsing.py": "ends waiting for a page in vain, as the browser does: it decides only when a test fails",
    "tests/llm/measure_nuggets.py": "prints how long a real model takes; it is no test",
}
"""The files that look at a clock, and what for. Any other counts work: lines of our own code, calls, searches."""

DATABASES = frozenset({"lance", "lancedb", "sqlite3", "aiosqlite", "apsw", "sqlalchemy", "psycopg", "redis"})

OPENING_CALLS = frozenset({"open_table", "lance_dataset"})
"""Calls that open a table of LanceDB, whoever has imported it."""

NAMED: Mapping[str, set[str]] = {
    # These start programs that import LanceDB, to see what that loads and costs; they open nothing with it.
    "tests/packaging/test_imports.py": {"lancedb"},
    "tests/cli/test_light.py": {"lancedb"},
    "tests/cli/test_processor_time.py": {"lancedb"},
    # This reads tables that are made for other programs, as these do.
    "tests/another_program.py": {"lancedb"},
    # This does what who runs a server of PostgreSQL does: it empties a database and ends connections.
    "tests/services.py": {"psycopg"},
    # Another program puts something under a key of Redis there, and Redis itself removes an answer when its time is over.
    "tests/server/test_cache_backends.py": {"redis"},
    # This makes a database of another program, which `trueref report` refuses.
    "tests/cli/test_report.py": {"sqlite3"},
}
"""The files that import the module of a database, and which."""


def pauses(code: str) -> list[int]:
    """The lines of code that wait for a time: by a call that does nothing else, or by one with a limit."""
    if not any(name in code for name in PAUSE_CALLS | LIMITED_CALLS):
        return []
    return sorted({node.lineno for node in nodes_of(code) if isinstance(node, ast.Call) and _is_pause(node)})


def name_of(call: ast.Call) -> str:
    """The name of the function that is called, without the object that has it."""
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _is_pause(call: ast.Call) -> bool:
    name, limits = name_of(call), [*call.args, *(word.value for word in call.keywords if word.arg == "timeout")]
    numbers = [it.value for it in limits if isinstance(it, ast.Constant) and isinstance(it.value, int | float)]
    if name == "sleep":
        return numbers != [0]
    return name in PAUSE_CALLS or (name in LIMITED_CALLS and any(it is not True and it is not False for it in numbers))


def clocks(code: str) -> list[int]:
    """The lines of code that look at a clock, or import one."""
    if not any(name.partition(".")[0] in code for name in CLOCKS):
        return []
    return sorted(
        {node.lineno for node in nodes_of(code) if isinstance(node, CLOCK_NODES) and _names_of(node) & CLOCKS}
    )


CLOCK_NODES = (ast.Attribute, ast.Name, ast.ImportFrom)


def _names_of(node: ast.Attribute | ast.Name | ast.ImportFrom) -> set[str]:
    if isinstance(node, ast.ImportFrom):
        names = {item.name for item in node.names}
        names |= {f"{node.module}.{name}" for name in names}
    elif isinstance(node, ast.Attribute):
        names = {node.attr, f"{node.value.id}.{node.attr}" if isinstance(node.value, ast.Name) else ""}
    else:
        names = {node.id}
    return {name.removesuffix("_ns") for name in names}


def databases(code: str) -> set[str]:
    """The modules of databases that code imports, by a statement or by name, and the calls that open one."""
    if not any(name in code for name in DATABASES | OPENING_CALLS):
        return set()
    names = set[str]()
    for node in nodes_of(code):
        if isinstance(node, ast.Import):
            names.update(item.name for item in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
        elif isinstance(node, ast.Call) and name_of(node) in ("import_module", "__import__", "importorskip"):
            names.update(it.value for it in node.args if isinstance(it, ast.Constant) and isinstance(it.value, str))
        elif isinstance(node, ast.Call) and name_of(node) in OPENING_CALLS:
            names.add("lancedb")
    return {name.partition(".")[0] for name in names} & DATABASES


def private_names(code: str) -> set[str]:
    """The private names of Trueref's modules that code imports or replaces: `_name` of a module, or as a text."""
    if "trueref" not in code:
        return set()
    names, modules = set[str](), set[str]()
    nodes = list(nodes_of(code))
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("trueref"):
            modules.update(item.asname or item.name for item in node.names)
            names.update(part for part in (node.module or "").split("."))
            names.update(item.name for item in node.names)
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in modules:
            names.add(node.attr)
        elif isinstance(node, ast.Call) and name_of(node) in ("setattr", "getattr"):
            texts = [it.value for it in node.args if isinstance(it, ast.Constant) and isinstance(it.value, str)]
            of_module = bool(node.args) and isinstance(node.args[0], ast.Name) and node.args[0].id in modules
            names.update(part for text in texts if of_module or text.startswith("trueref") for part in text.split("."))
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


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


def test_no_test_judges_by_a_clock(files: dict[str, str]) -> None:
    assert {name for name, code in files.items() if clocks(code)} == set(TIMED)


def test_no_test_opens_a_database(files: dict[str, str]) -> None:
    assert {name: names for name, code in files.items() if (names := databases(code))} == NAMED


def test_no_test_reaches_past_the_public_functions(files: dict[str, str]) -> None:
    assert {name: names for name, code in files.items() if (names := private_names(code))} == {}


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("import time\ntime.sleep(0.1)", [2]),
        ("from time import sleep\nsleep(delay)", [2]),
        ("page.wait_for_timeout(0)", [1]),
        ("CODE = '''\nimport time\ntime.sleep(600)\n'''", [3]),
        ("await asyncio.sleep(0)", []),
        ("wait_until(done)", []),
        ("stopped.wait(0.05)", [1]),
        ("thread.join(timeout=2)", [1]),
        ("select.select([ready], [], [], 0.5)", [1]),
        ("await asyncio.wait_for(answer, 3)", [1]),
        ("thread.join()\nprocess.wait()\nselect.select([ready], [], [])\nlock.acquire(True)", []),
        ("', '.join(names)", []),
        ("'How does the quagga sleep?'", []),
    ],
)
def test_a_pause_is_seen(code: str, lines: list[int]) -> None:
    assert pauses(code) == lines


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("import time\nstarted = time.process_time()", [2]),
        ("from time import perf_counter as now", [1]),
        ("now = time.monotonic_ns", [1]),
        ("CODE = 'import time; print(time.monotonic())'", [1]),
        ("from time import time\nnow = time()", [1]),
        ("import time\nos.utime(path, ns=(0, time.time_ns()))", [2]),
        ("asked.time = entry.time()\nfrom datetime import time", []),
        ("resource.getrusage(resource.RUSAGE_CHILDREN)", [1]),
        ("'What is process_time?'\nread(clock=Clock())", []),
    ],
)
def test_a_clock_is_seen(code: str, lines: list[int]) -> None:
    assert clocks(code) == lines


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("import lancedb.index", {"lancedb"}),
        ("def opened():\n    from sqlite3 import connect", {"sqlite3"}),
        ("CODE = 'import sys, lancedb'", {"lancedb"}),
        ("HEAVY = ('lancedb', 'sqlite3')", set[str]()),
        ("importlib.import_module('lancedb.index')", {"lancedb"}),
        ("redis = pytest.importorskip('redis')", {"redis"}),
        ("lancedb_module().connect(folder).open_table('chunks')", {"lancedb"}),
        ("lancedb_module()", set[str]()),
    ],
)
def test_an_import_of_a_database_is_seen(code: str, names: set[str]) -> None:
    assert databases(code) == names


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("from trueref_core.embedding.embedder import _load", {"_load"}),
        ("from trueref_core._inner import load", {"_inner"}),
        ("from trueref_core.embedding import embedder\nembedder._load('x')", {"_load"}),
        ("from trueref_core.embedding import embedder\npatch.setattr(embedder, '_load', None)", {"_load"}),
        ("patch.setattr('trueref_core.embedding.embedder._load', None)", {"_load"}),
        ("CODE = 'from trueref_core.embedding.embedder import _load'", {"_load"}),
        ("from trueref_core import __version__\nself._load()\nfile = 'trueref/_static'", set[str]()),
    ],
)
def test_a_private_name_is_seen(code: str, names: set[str]) -> None:
    assert private_names(code) == names
