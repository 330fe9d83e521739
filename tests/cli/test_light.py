"""A fresh interpreter imports what a command needs, and no more."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

QUESTION_NEEDS = frozenset(
    "cachetools click jellyfish lancedb msgspec numpy onnxruntime prometheus_client py_rust_stemmers pyarrow rapidfuzz "
    "regex tokenizers trueref trueref_core trueref_server trueref_widget".split()
)
"""What a question asked on the command line loads; imports are most of its time. LanceDB brings some of its own."""

HEAVY = ("lancedb", "fastembed", "starlette", "onnxruntime", "numpy", "pyarrow", "trueref_server", "trueref_plugin")


def loaded_by(code: str) -> list[str]:
    """The heavy packages that are loaded after some code."""
    program = f"import sys\n{code}\nprint(*[name for name in {HEAVY} if name in sys.modules])"
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()


def running(*args: str) -> str:
    """Code that runs the command line, which ends in good order."""
    return (
        "import trueref.cli\n"
        f"try:\n    trueref.cli.main({list(args)})\nexcept SystemExit as ended:\n    assert not ended.code"
    )


@pytest.mark.parametrize("args", [("--version",), ("--help",), ("ask", "--help"), ("index", "--help")])
def test_asking_for_help_or_version_loads_nothing_heavy(args: tuple[str, ...]) -> None:
    code = f"import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n    exec({running(*args)!r})"
    assert loaded_by(code) == []


def test_a_question_loads_what_it_needs_and_what_the_tables_need(tmp_path_factory: pytest.TempPathFactory) -> None:
    from tests.server.handmade import publish_demo

    index = tmp_path_factory.mktemp("light") / "index"
    publish_demo(index)
    asked = running("ask", "How do I switch on dark mode?", "--index", str(index))
    silent = f"import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n    exec({asked!r})"
    assert packages_after(silent) - packages_after("import lancedb, pyarrow") <= QUESTION_NEEDS


def test_answers_without_a_model_load_nothing_of_models() -> None:
    program = "import sys, trueref_server.service\nprint('trueref_server.model' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "False\n"
    )


def packages_after(code: str) -> set[str]:
    """The packages outside of the standard library that are loaded after some code, by the names of their folders."""
    program = (
        f"import sys\n{code}\nprint(*{{name.partition('.')[0] for name in sys.modules}} - sys.stdlib_module_names)"
    )
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    # What Cython and virtualenv put beside their packages has names of its own.
    return {name for name in printed.split() if not name.startswith("_")}


def test_the_library_loads_nothing_before_it_is_used() -> None:
    assert loaded_by("import trueref") == []


def test_the_library_has_every_name_that_it_lists_and_no_other() -> None:
    import trueref

    assert {name for name in trueref.__all__ if getattr(trueref, name) is None} == set()
    assert dir(trueref) == sorted(trueref.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = trueref.nothing


@pytest.mark.parametrize("args", [("resolve", "install/"), ("export", "--format", "llms-full", "-o", os.devnull)])
def test_reading_json_needs_no_table_engine(tmp_path_factory: pytest.TempPathFactory, args: tuple[str, ...]) -> None:
    from tests.server.handmade import publish_demo

    index = tmp_path_factory.mktemp("light") / "index"
    publish_demo(index)
    code = f"import io, contextlib\nwith contextlib.redirect_stdout(io.StringIO()):\n    exec({running(*args, '--index', str(index))!r})"
    assert not {"lancedb", "pyarrow", "fastembed", "starlette"} & set(loaded_by(code))
