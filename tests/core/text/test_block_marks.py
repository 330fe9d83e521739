"""Marks of blocks beside the text of a chunk: what is written is what is read."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.samples import chunk

from trueref_core.records import BlockRole, ChunkKind
from trueref_core.text.block_marks import BlockMark, read_marks, write_mark

tokens = st.builds("{}{}".format, st.sampled_from("alodfqb"), st.integers(1, 5000)) | st.builds(
    "t{}.{}".format, st.integers(1, 5000), st.integers(1, 99)
)
marks = st.builds(
    BlockMark,
    st.integers(0, 100_000),
    st.sampled_from(get_args(BlockRole)),
    st.sampled_from(get_args(ChunkKind)),
    st.lists(tokens, max_size=6).map("/".join),
    st.booleans(),
)


@given(st.lists(marks).map(tuple))
def test_any_marks_are_read_as_they_were_written(written: tuple[BlockMark, ...]) -> None:
    assert read_marks(chunk(1, blocks=tuple(map(write_mark, written)))) == written


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        (BlockMark(0, "text", "prose"), "0 text prose"),
        (BlockMark(120, "caption", "prose", "o4/t2.2/f1"), "120 caption prose o4/t2.2/f1"),
        (BlockMark(0, "text", "table", continued=True), "0 text+ table"),
        (BlockMark(7, "text", "list", notes=((1, 11), (12, 0))), "7 text list ^1:11,12:0"),
        (BlockMark(7, "text", "table", "a1", notes=((1, -1),)), "7 text table a1 ^1:-1"),
        (BlockMark(0, "furniture", "table", "a1", continued=True), "0 furniture+ table a1"),
    ],
)
def test_a_mark_has_its_written_form_and_is_read_from_it(mark: BlockMark, text: str) -> None:
    assert write_mark(mark) == text
    assert read_marks(chunk(1, blocks=(text,))) == (mark,)


def test_a_chunk_without_marks_has_none() -> None:
    assert read_marks(chunk(1)) == ()
