"""What is remembered of files that were read, and for how long."""

from __future__ import annotations

from pathlib import Path

from tests.plugin.forked import remembered

from trueref_plugin.files.read_cache import BUILDS_KEPT, ReadCache


def known(index: Path, *digests: str) -> list[str]:
    memory = ReadCache(index, None)
    return [digest for digest in digests if memory.summary(digest) is not None and memory.content(digest) is not None]


def build(index: Path, *digests: str) -> None:
    """A build of a site with these files."""
    memory = ReadCache(index, None)
    for digest in digests:
        if memory.summary(digest) is None:
            memory.put(digest, *remembered(digest))
    memory.save(digests)


def test_a_file_that_no_build_sees_again_is_forgotten(tmp_path: Path) -> None:
    build(tmp_path, "kept", "gone")
    for number in range(BUILDS_KEPT - 1):
        build(tmp_path, "kept", f"new {number}")
        assert known(tmp_path, "kept", "gone") == ["kept", "gone"]
    build(tmp_path, "kept", "last")
    assert known(tmp_path, "kept", "gone", "last", "new 0") == ["kept", "last", "new 0"]


def test_a_file_that_is_seen_again_is_kept_as_long_as_a_new_one(tmp_path: Path) -> None:
    """`build` and `serve` in turn give files of other bytes."""
    build(tmp_path, "one", "two")
    for number in range(3 * BUILDS_KEPT):
        build(tmp_path, ("one", "two")[number % 2], f"new {number}")
        assert known(tmp_path, "one", "two") == ["one", "two"]


def test_a_build_with_nothing_new_writes_nothing(tmp_path: Path) -> None:
    build(tmp_path, "one")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    build(tmp_path, "one")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
