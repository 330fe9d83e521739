"""Starting stays fast: in a fresh interpreter, the heavy libraries wait until they are needed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = {
    "fastembed",
    "lancedb",
    "mkdocs",
    "onnxruntime",
    "openai",
    "pyarrow",
    "redis",
    "sqlalchemy",
    "starlette",
    "uvicorn",
}

LOADED = "; import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"


def loaded_by(code: str) -> set[str]:
    """The top-level modules in a fresh interpreter after `code`."""
    done = subprocess.run([sys.executable, "-c", code + LOADED], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize("module", ["trueref", "trueref_core", "trueref_plugin", "trueref_widget", "trueref.cli"])
def test_importing_a_package_loads_nothing_heavy(module: str) -> None:
    assert loaded_by(f"import {module}") & HEAVY == set()


def test_the_version_option_loads_nothing_heavy() -> None:
    code = "import sys; sys.argv = ['trueref', '--version']\ntry:\n import trueref.cli; trueref.cli.main()\nexcept SystemExit:\n pass\n"
    assert loaded_by(code + "pass") & HEAVY == set()


def test_server_is_imported_without_the_table_engine() -> None:
    assert loaded_by("import trueref_server") & HEAVY == set()


def test_the_client_of_table_servers_is_not_imported_for_one_question() -> None:
    code = "from trueref_core.tables.table_writer import import_lancedb_lightly; import_lancedb_lightly(); import sys, lancedb"
    names = "; print(type(sys.modules['lance_namespace_urllib3_client']) is type(sys), lancedb.connect.__name__)"
    done = subprocess.run([sys.executable, "-c", code + names], capture_output=True, text=True, check=True)
    assert done.stdout == "False connect\n"
    assert "urllib3" not in loaded_by(code)


def test_where_a_light_import_fails_the_whole_one_follows(tmp_path: Path) -> None:
    """Another LanceDB may call what is only named here."""
    (tmp_path / "lancedb.py").write_text("from lance_namespace_urllib3_client import Client\nwhole = Client().whole\n")
    (tmp_path / "lance_namespace_urllib3_client.py").write_text("class Client:\n    whole = True\n")
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from trueref_core.tables.table_writer import import_lancedb_lightly, lancedb_module\n"
        "import_lancedb_lightly(); print(lancedb_module().whole)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True\n"


def test_the_list_of_loaded_modules_has_what_was_imported() -> None:
    assert "starlette" in loaded_by("import starlette")
