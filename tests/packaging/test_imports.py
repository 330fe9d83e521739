"""Starting stays fast: in a fresh interpreter, the heavy libraries wait until they are needed."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

HEAVY = {"fastembed", "lancedb", "mkdocs", "onnxruntime", "openai", "pyarrow", "starlette", "uvicorn"}

LOADED = "; import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"


def loaded_by(code: str) -> set[str]:
    """The top-level modules in a fresh interpreter after `code`."""
    done = subprocess.run([sys.executable, "-c", code + LOADED], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("module", ["trueref", "trueref_core", "trueref_plugin", "trueref_widget", "trueref.cli"])
def test_importing_loads_nothing_heavy(module: str) -> None:
    assert loaded_by(f"import {module}") & HEAVY == set()


def test_version_loads_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['trueref', '--version']\ntry:\n import trueref.cli; trueref.cli.main()\nexcept SystemExit:\n pass\n"
    assert loaded_by(code + "pass") & HEAVY == set()


def test_server_is_imported_without_the_table_engine() -> None:
    assert loaded_by("import trueref_server") & HEAVY == set()


def test_the_check_sees_what_is_loaded() -> None:
    assert "starlette" in loaded_by("import starlette")
