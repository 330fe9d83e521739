"""`trueref report` on what a server kept."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests import local_http
from tests.cli.running import run
from tests.server.handmade import publish_demo
from tests.server.serving.test_uvicorn_server import serving

from trueref_server.evaluation.cases import read_cases


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An index, and what a server of it kept of a few readers."""
    folder = tmp_path_factory.mktemp("kept")
    publish_demo(folder / "index")
    options: dict[str, Any] = {"STORE": f"sqlite:///{folder / 'insight.db'}", "QUESTION_DAYS": "7"}
    with serving(folder / "index", **options) as server:
        for question in ("How do I upgrade it?", "upgrade it", "How do I switch on dark mode?"):
            answer = local_http.post(f"{server.api}/ask", json={"question": question}).json()
            helpful = answer["verdict"] == "answer"
            said = {"answer_id": answer["answer_id"], "helpful": helpful, "reason": "" if helpful else "Not there."}
            assert local_http.post(f"{server.api}/feedback", json=said).status_code == 200
        # As a service manager ends it: what waits is written.
        server.process.terminate()
        server.process.wait()
    return folder / "index", folder / "insight.db"


def test_a_report_is_printed_for_people(kept: tuple[Path, Path]) -> None:
    index, store = kept
    done = run("report", "--store", f"sqlite:///{store}", "--index", index)
    assert (done.returncode, done.stderr) == (0, "")
    assert "answers         3 (" in done.stdout
    assert "ratings         1 helpful of 3" in done.stdout
    assert "    2  How do I upgrade it?" in done.stdout.splitlines()


def test_a_report_is_given_as_json_as_a_page_and_as_cases(kept: tuple[Path, Path], tmp_path: Path) -> None:
    index, store = kept
    files = ("--html", tmp_path / "report.html", "--cases", tmp_path / "cases.jsonl")
    done = run("report", "--store", f"sqlite:///{store}", "--index", index, "--days", "1", "--json", *files)
    report = json.loads(done.stdout)
    assert report["totals"]["answers"] == 3
    assert report["interval"] == "hour"
    (group,) = report["unanswered"]
    assert [asked["question"] for asked in group["questions"]] == ["How do I upgrade it?", "upgrade it"]
    (task,) = (task for task in report["tasks"] if task["work"] != "revise")
    assert task["questions"] == ["How do I upgrade it?", "upgrade it"]
    assert "<h1>What readers asked</h1>" in (tmp_path / "report.html").read_text()
    cases = read_cases([tmp_path / "cases.jsonl"])
    assert [case.kind for case in cases] == ["unanswered", "unanswered", "helpful"]
    assert run("eval", tmp_path / "cases.jsonl", "--index", index).returncode == 0


def test_without_an_index_questions_are_grouped_by_their_words(kept: tuple[Path, Path], tmp_path: Path) -> None:
    done = run("report", "--store", f"sqlite:///{kept[1]}", "--index", tmp_path / "none")
    assert done.returncode == 0
    assert done.stderr.startswith("Questions are compared by their words, and no file is named: No index at ")


def test_a_database_that_is_missing_or_damaged_is_told_in_one_line(tmp_path: Path) -> None:
    nothing = run("report")
    assert (nothing.returncode, nothing.stdout) == (2, "")
    assert nothing.stderr == (
        "trueref: No database is named. Give --store, or set TRUEREF_STORE, as for `trueref serve`.\n"
    )
    missing = run("report", "--store", f"sqlite:///{tmp_path / 'none.db'}")
    assert missing.stderr.startswith(f"trueref: There is no database at {tmp_path / 'none.db'}. ")
    (tmp_path / "text.db").write_text("no database " * 1000)
    damaged = run("report", "--store", f"sqlite:///{tmp_path / 'text.db'}")
    assert damaged.stderr == "trueref: The database cannot be read: file is not a database\n"
    assert not (tmp_path / "none.db").exists()


def test_a_database_of_another_program_gives_no_empty_report(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("CREATE TABLE kettles (name TEXT)")
    done = run("report", "--store", f"sqlite:///{tmp_path / 'other.db'}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"trueref: The database at {tmp_path / 'other.db'} has no tables of a Trueref server. Name the one of its store.\n"
    )
