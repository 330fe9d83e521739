from __future__ import annotations

import logging
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.sites import site_of

from trueref_core.export.published_site import published
from trueref_core.manifest.codec import encode_file
from trueref_core.manifest.history import (
    HISTORY_FILE,
    SET_ASIDE,
    Entry,
    History,
    decode,
    encode,
    read_history,
    read_or_reset_history,
    write_history,
)
from trueref_core.manifest.lookup import Manifest

HISTORY = History(
    [
        Entry("docs", "old/", to_page="new/", proof="its content is the same"),
        Entry("docs", "new/", "gone"),
        Entry("docs", "new/", "Ärger", to_page="new/", to_anchor="ärger", proof="its text is the same"),
        Entry("docs", "secret/", hidden=True),
    ]
)

entries = st.builds(
    Entry,
    site=st.text(max_size=5),
    page=st.text(max_size=8),
    anchor=st.text(max_size=8),
    to_page=st.none() | st.text(max_size=8),
    to_anchor=st.text(max_size=8),
    proof=st.text(max_size=8),
    hidden=st.booleans(),
)


@given(st.lists(entries, max_size=6).map(History))
def test_a_history_is_read_as_it_was_written(history: History) -> None:
    data = encode(history)
    assert decode(data).entries == history.entries
    assert encode(decode(data)) == data


@given(st.data())
def test_every_flipped_bit_is_noticed(data: st.DataObject) -> None:
    whole = bytearray(encode(HISTORY))
    at = data.draw(st.integers(0, len(whole) - 1))
    whole[at] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(ValueError):  # noqa: PT011 - of JSON, of UTF-8 or of the digest
        decode(bytes(whole))


@given(st.data())
def test_what_is_cut_off_or_added_is_noticed(data: st.DataObject) -> None:
    whole = encode(HISTORY)
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    for damaged in (cut, whole + b" ", b" " + whole):
        with pytest.raises(ValueError):  # noqa: PT011
            decode(damaged)


def test_another_schema_is_named() -> None:
    with pytest.raises(ValueError, match="it has schema 2, this version reads 1"):
        decode(encode(HISTORY).replace(b'"schema":1', b'"schema":2'))


def test_entries_of_the_history_are_found_by_site_page_and_anchor() -> None:
    assert HISTORY.find("docs", "old/") == HISTORY.entries[0]
    assert HISTORY.find("docs", "new/", "gone") == HISTORY.entries[1]
    assert HISTORY.find("other", "old/") is None
    assert HISTORY.find("docs", "new/") is None
    assert HISTORY.page_spelled("docs", "Old.md") == HISTORY.entries[0]
    assert HISTORY.page_spelled("docs", "new.md") is None
    assert HISTORY.page_spelled("other", "old.md") is None


def test_a_spelling_that_two_former_pages_share_finds_neither() -> None:
    history = History([Entry("docs", "old/"), Entry("docs", "old.html")])
    assert history.page_spelled("docs", "old.md") is None
    assert history.find("docs", "old.html") == history.entries[1]


def test_the_history_is_written_only_where_it_says_something_new(tmp_path: Path) -> None:
    path = tmp_path / HISTORY_FILE
    write_history(tmp_path, History())
    assert not path.exists()
    write_history(tmp_path, HISTORY)
    before = path.stat().st_mtime_ns, path.stat().st_ino
    write_history(tmp_path, History(HISTORY.entries))
    assert (path.stat().st_mtime_ns, path.stat().st_ino) == before
    write_history(tmp_path, History())
    assert read_history(tmp_path).entries == ()
    assert path.exists()


def test_a_damaged_history_is_read_as_empty_with_a_warning(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / HISTORY_FILE
    path.write_bytes(encode(HISTORY).replace(b"gone", b"gene"))
    with caplog.at_level(logging.WARNING, "trueref"):
        assert read_history(tmp_path).entries == ()
    assert caplog.messages == [
        f"{path} is not used: it has changed since it was written. The next build sets it aside."
    ]
    assert path.exists()


def test_a_build_sets_a_damaged_history_aside(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    path = tmp_path / HISTORY_FILE
    path.write_bytes(b"{")
    with caplog.at_level(logging.WARNING, "trueref"):
        assert read_or_reset_history(tmp_path).entries == ()
    assert "is set aside as history.damaged.json: " in caplog.text
    assert (tmp_path / SET_ASIDE).read_bytes() == b"{"
    assert not path.exists()


def test_a_folder_with_the_name_of_the_history_stops_neither_readers_nor_builds(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / HISTORY_FILE).mkdir()
    with caplog.at_level(logging.WARNING, "trueref"):
        assert read_history(tmp_path).entries == ()
        assert read_or_reset_history(tmp_path).entries == ()
    write_history(tmp_path, HISTORY)
    assert read_history(tmp_path).entries == HISTORY.entries


def published_file(manifest: Manifest) -> bytes:
    """A manifest with its history as it is published."""
    return encode_file(published(msgspec.structs.replace(manifest.rows(), history=manifest.history.entries)))


def test_a_manifest_has_its_history_only_where_it_is_published() -> None:
    known = site_of({"new/": ["Ärger #ärger"]}, history=HISTORY)
    assert b"history" not in known.encode()
    assert known.encode() == site_of({"new/": ["Ärger #ärger"]}).encode()
    public = Manifest.decode(published_file(known))
    assert public.history.entries == HISTORY.entries[:3]
    assert published_file(public) == published_file(known)


def test_a_published_history_leaves_out_successors_that_are_not_published() -> None:
    # The exporter leaves hidden pages out: the entry would name one.
    assert published_file(site_of({"b/": []}, history=HISTORY)).count(b'"to_page"') == 0
