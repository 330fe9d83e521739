from __future__ import annotations

from pathlib import Path

import pytest

from trueref_core.errors import IndexUnwritable
from trueref_core.storage.atomic_files import replace_file, write_file, writing


def test_replacing_leaves_no_other_file(tmp_path: Path) -> None:
    for data in (b"one", b"two"):
        replace_file(tmp_path / "x.json", data)
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("x.json", b"two")]


def test_a_full_disk_is_said_so(tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    with pytest.raises(IndexUnwritable, match="disk is full"), writing(tmp_path):
        full.write_bytes(b"x")


def test_any_other_refusal_gives_its_reason(tmp_path: Path) -> None:
    with pytest.raises(IndexUnwritable, match=r"cannot be written \(No such file or directory\)"), writing(tmp_path):
        write_file(tmp_path / "no" / "file", b"")
