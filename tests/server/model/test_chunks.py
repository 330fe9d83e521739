"""What an endpoint sends is read the same however it is cut, in linear time, and whatever type it says that it has."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.work import is_linear

from trueref_server.model.asking.chunks import MAX_EVENT, ChunkReader, ModelFailure


def event(text: str) -> bytes:
    """A chunk of Chat Completions."""
    return f"data: {json.dumps({'choices': [{'delta': {'content': text}}]})}\n\n".encode()


END = b"data: [DONE]\n\n"


def read(*pieces: bytes, media_type: str = "text/event-stream") -> tuple[str, bool]:
    """The text of a body, and whether it was said to have ended."""
    reader = ChunkReader(media_type)
    said = [said for piece in pieces for said in reader.push(piece)]
    return "".join(it.text for it in (*said, *reader.close())), reader.is_done


@given(st.lists(st.text(max_size=9), max_size=5), st.lists(st.integers(0, 400), max_size=8))
def test_a_stream_is_read_the_same_wherever_it_is_cut(texts: list[str], cuts: list[int]) -> None:
    body = b"".join(map(event, texts)) + END
    places = sorted({0, len(body), *(cut for cut in cuts if cut < len(body))})
    pieces = [body[begin:end] for begin, end in pairwise(places)]
    assert read(*pieces) == read(body)
    assert read(body)[1]


@pytest.mark.parametrize("media_type", ["application/json", "text/event-stream", "text/plain", ""])
def test_a_stream_is_read_under_any_type(media_type: str) -> None:
    assert read(event("Set it."), END, media_type=media_type) == ("Set it.", True)


def test_spaces_before_the_word_of_the_end_change_nothing() -> None:
    assert read(event("Set it."), b"data:  [DONE]\n\n") == ("Set it.", True)


def test_lines_of_one_event_are_bounded_together() -> None:
    lines = [b"data: " + b"x" * (MAX_EVENT // 4) + b"\n"] * 8
    with pytest.raises(ModelFailure, match=r"an event of more than 4 MB"):
        read(*lines)


def test_a_long_line_in_small_pieces_is_read_in_linear_time() -> None:
    def push(line: str) -> None:
        reader = ChunkReader("text/event-stream")
        for at in range(0, len(line), 100):
            reader.push(line[at : at + 100].encode())

    assert is_linear(push, "x" * 100)
