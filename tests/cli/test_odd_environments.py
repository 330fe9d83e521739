"""Bytes that are no text, a disk without room, an encoding without a letter, a user without a home: no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.cli.running import run


def trueref(*args: str | Path | bytes, stdin: bytes = b"", **env: str) -> subprocess.CompletedProcess[bytes]:
    """`trueref` with bytes that need not be UTF-8."""
    command = [sys.executable, "-m", "trueref", *args]
    return subprocess.run(command, input=stdin, capture_output=True, env=os.environ | env, check=False)


@pytest.mark.parametrize("errors", ["strict", "surrogateescape"])
def test_a_byte_that_is_not_utf_8_in_a_link_of_stdin_does_not_end_the_others(index: Path, errors: str) -> None:
    stdin = b"a\xffb\ninstall/\n"
    done = trueref("resolve", "--index", index, "--json", stdin=stdin, PYTHONIOENCODING=f"utf-8:{errors}")
    assert (done.returncode, done.stderr) == (1, b"")
    verdicts = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(verdict["given"], verdict["status"]) for verdict in verdicts] == [
        ("a\\udcffb", "unlinked"),
        ("install/", "exact"),
    ]


def test_a_byte_that_is_not_utf_8_in_an_argument_is_printed_as_an_escape(index: Path) -> None:
    as_json = trueref("resolve", b"a\xffb", "install/", "--index", index, "--json")
    assert json.loads(as_json.stdout.splitlines()[0])["given"] == "a\\udcffb"
    assert len(as_json.stdout.splitlines()) == 2
    assert trueref("resolve", b"a\xffb", "--index", index).stdout.startswith(b"unlinked          a\\udcffb (")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("args", [["--help"], ["search", "dark mode"], ["export", "--format", "json"]])
def test_output_to_a_full_disk_is_one_line(index: Path, args: list[str]) -> None:
    command = [sys.executable, "-m", "trueref", *args]
    with Path("/dev/full").open("wb") as full:
        env = os.environ | {"TRUEREF_INDEX": str(index)}
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=env, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "trueref: The output cannot be written (No space left on device).\n",
    )


def test_output_that_its_encoding_does_not_have_is_one_line(index: Path) -> None:
    done = trueref("resolve", "a→b", "--index", index, PYTHONIOENCODING="latin-1")
    assert (done.returncode, done.stdout) == (2, b"")
    message = "The output has characters that iso8859-1 does not have. Set PYTHONIOENCODING=utf-8."
    assert done.stderr.decode() == f"trueref: {message}\n"


@pytest.mark.parametrize(
    ("args", "env"),
    [
        (["info"], {"TRUEREF_INDEX": "~nosuchuser/x"}),
        (["info", "--index", "~nosuchuser/x"], {}),
        (["report"], {"TRUEREF_STORE": "sqlite:///~nosuchuser/x.db"}),
    ],
)
def test_the_home_of_a_user_who_does_not_exist_is_one_line(
    args: list[str], env: dict[str, str], tmp_path: Path
) -> None:
    done = run(*args, env=env, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "trueref: A path begins with ~ and the name of a user who does not exist. Write the whole path.\n"
    )
