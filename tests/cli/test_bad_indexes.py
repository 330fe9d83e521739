"""Whatever is wrong with an index, every command says so in one line and exits with 2."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.running import run


def nothing(index: Path) -> None:
    shutil.rmtree(index)


def empty(index: Path) -> None:
    nothing(index)
    index.mkdir()


def a_file(index: Path) -> None:
    nothing(index)
    index.write_text("not a folder")


def no_build(index: Path) -> None:
    shutil.rmtree(index / "builds")


def garbage(index: Path) -> None:
    (index / "current.json").write_bytes(b"\xff\x00")


def a_path_for_an_id(index: Path) -> None:
    (index / "current.json").write_text('{"schema":2,"generation":"../../etc"}')


def flipped_byte(index: Path) -> None:
    data = max(index.rglob("*.lance"), key=lambda path: path.stat().st_size)
    content = bytearray(data.read_bytes())
    content[len(content) // 2] ^= 1
    data.chmod(0o644)
    data.write_bytes(content)


def flipped_byte_in_json(index: Path) -> None:
    for name in ("manifest.json", "generation.json"):
        (file,) = index.rglob(name)
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        file.chmod(0o644)
        file.write_bytes(content)


@pytest.mark.parametrize("spoil", [nothing, empty, a_file, no_build, garbage, a_path_for_an_id, flipped_byte_in_json])
@pytest.mark.parametrize(
    "args",
    [["info"], ["resolve", "install/"], ["export", "--format", "json"], ["ask", "dark mode"]],
    ids=lambda args: args[0],
)
def test_an_index_that_cannot_be_read_is_one_line(
    index: Path, tmp_path: Path, spoil: Callable[[Path], None], args: list[str]
) -> None:
    copy = tmp_path / "index"
    shutil.copytree(index, copy)
    spoil(copy)
    done = run(*args, "--index", copy)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("trueref: ")
    assert done.stderr.count("\n") == 1


def test_a_question_to_an_index_with_a_flipped_byte_is_refused_in_one_line(index: Path, tmp_path: Path) -> None:
    copy = tmp_path / "index"
    shutil.copytree(index, copy)
    flipped_byte(copy)
    done = run("ask", "dark mode", "--index", copy)
    assert done.returncode == 2
    assert done.stderr.startswith("trueref: ")
    assert done.stderr.count("\n") == 1
