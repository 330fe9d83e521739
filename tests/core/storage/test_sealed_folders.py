from __future__ import annotations

from pathlib import Path

import pytest

from trueref_core.errors import IndexDamaged
from trueref_core.storage.atomic_files import write_file
from trueref_core.storage.sealed_folders import SUMS, read_verified, seal, verify


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    write_file(tmp_path / "a b.json", b"{}")
    write_file(tmp_path / "inner" / "empty", b"")
    write_file(tmp_path / "inner" / "data", b"abc")
    seal(tmp_path)
    return tmp_path


def test_files_are_verified_against_their_sums(folder: Path) -> None:
    verify(folder)
    assert (folder / SUMS).read_text().splitlines()[0].endswith("  a b.json")
    assert read_verified(folder, "inner/data") == b"abc"


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("inner/data", b"abd", "data has changed since it was written"),
        ("inner/data", b"ab", "data has changed since it was written"),
        ("inner/data", None, "data is missing"),
        ("inner/empty", b"x", "empty has changed since it was written"),
        ("inner/more", b"", "more was not there when the index was built"),
        (SUMS, None, "SHA256SUMS cannot be read \\(No such file or directory\\)"),
        (SUMS, b"", "was not there when the index was built"),
        (SUMS, b"\xff", "SHA256SUMS has changed since it was written"),
        (SUMS, b"0  a\n", "SHA256SUMS has changed since it was written"),
    ],
)
def test_a_damaged_file_is_named_with_what_to_do(folder: Path, name: str, data: bytes | None, message: str) -> None:
    (folder / name).unlink() if data is None else (folder / name).write_bytes(data)
    with pytest.raises(
        IndexDamaged, match=rf"{message}\. Build it again with `mkdocs build`, or `trueref index SITE`\."
    ):
        verify(folder)


@pytest.mark.parametrize("name", ["inner/data", "gone", "../outside"])
def test_one_file_is_verified_alone(folder: Path, name: str) -> None:
    (folder.parent / "outside").write_bytes(b"abc")
    (folder / "inner/data").write_bytes(b"abd")
    with pytest.raises(IndexDamaged):
        read_verified(folder, name)


def test_every_bit_of_the_sums_counts(folder: Path) -> None:
    good = (folder / SUMS).read_bytes()
    for at in range(len(good)):
        for bit in (0, 5):
            flipped = bytearray(good)
            flipped[at] ^= 1 << bit
            (folder / SUMS).write_bytes(flipped)
            with pytest.raises(IndexDamaged):
                verify(folder)
