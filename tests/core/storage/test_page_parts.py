from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trueref_core.errors import IndexDamaged
from trueref_core.generations.page_values import TEXTS, decode_links
from trueref_core.records import PageKey
from trueref_core.storage.page_parts import PAGES_A_PART, Parts, part_of, parts_for, write_parts
from trueref_core.storage.sealed_folders import read_sums, seal

texts = st.dictionaries(st.tuples(st.text(), st.text()), st.text(), max_size=20)
counts = st.sampled_from([1, 2, 8])


def written(folder: Path, count: int, new: dict[PageKey, Any], *rest: Any) -> Parts:
    folder.mkdir()
    write_parts(folder, TEXTS, count, new, *rest)
    seal(folder)
    return Parts(folder, TEXTS, count, read_sums(folder))


@settings(max_examples=40)
@given(texts, counts)
def test_values_of_pages_are_read_as_they_were_written(given_texts: dict[PageKey, str], count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        parts = written(Path(name) / "build", count, given_texts)
        assert list(parts.decoded(str).items()) == sorted(given_texts.items())
        assert all(bytes(parts.get(key) or b"") == msgspec.json.encode(text) for key, text in given_texts.items())
        assert parts.get(("no such site", "page")) is None


@settings(max_examples=40)
@given(texts, texts, counts, counts, st.randoms(use_true_random=False))
def test_a_change_gives_the_files_of_a_whole_build(
    before: dict[PageKey, str], new: dict[PageKey, str], count: int, later: int, chance: Any
) -> None:
    """Also where the number of parts changes with it."""
    stale = {key for key in before if chance.random() < 0.3}
    now = {key: text for key, text in before.items() if key not in stale} | new
    with tempfile.TemporaryDirectory() as name:
        earlier = written(Path(name) / "before", count, before)
        changed = written(Path(name) / "changed", later, new, earlier, stale)
        whole = written(Path(name) / "whole", later, now)
        assert read_sums(changed.build) == read_sums(whole.build)
        assert changed.decoded(str) == dict(sorted(now.items()))


def test_parts_without_a_change_are_the_same_files(tmp_path: Path) -> None:
    pages = {("docs", f"{number}/"): "text" for number in range(100)}
    earlier = written(tmp_path / "before", 8, pages)
    changed = written(tmp_path / "changed", 8, {("docs", "7/"): "new"}, earlier, set())
    same = [
        file.name
        for file in (tmp_path / "before/texts").iterdir()
        if (tmp_path / "changed/texts" / file.name).samefile(file)
    ]
    assert len(same) == 7
    is_same = {key: earlier.has_same_file(changed, key) for key in pages}
    assert not is_same["docs", "7/"]
    assert sum(is_same.values()) > 70
    assert changed.decoded(str) == dict(sorted((pages | {("docs", "7/"): "new"}).items()))


@pytest.mark.parametrize(("pages", "parts"), [(0, 1), (1, 1), (128, 1), (129, 2), (256, 2), (257, 4), (10_000, 128)])
def test_the_number_of_parts_is_a_power_of_two(pages: int, parts: int) -> None:
    assert parts_for(pages) == parts
    assert pages / parts <= PAGES_A_PART


def test_pages_are_spread_over_the_parts() -> None:
    found = [part_of(("docs", f"guide/page-{number}/"), 16) for number in range(1600)]
    assert min(found.count(part) for part in range(16)) > 60


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[1]", b'[{"site": "docs"}]', b"\xff", b'[{"site":"a","page":"b","value":1}]']
)
@pytest.mark.parametrize("decode", [lambda parts: parts.decoded(str), decode_links])
def test_what_holds_no_values_is_refused(tmp_path: Path, decode: Any, data: bytes) -> None:
    (tmp_path / TEXTS).mkdir()
    (tmp_path / TEXTS / "0000.json").write_bytes(data)
    with pytest.raises(IndexDamaged, match="Build it again"):
        decode(Parts(tmp_path, TEXTS, 1, None))


def test_a_part_that_is_not_the_one_that_was_written_is_refused(tmp_path: Path) -> None:
    parts = written(tmp_path / "build", 1, {("docs", ""): "text"})
    file = tmp_path / "build/texts/0000.json"
    file.write_bytes(file.read_bytes().replace(b"text", b"tent"))
    with pytest.raises(IndexDamaged, match="has changed since it was written"):
        parts.get(("docs", ""))
