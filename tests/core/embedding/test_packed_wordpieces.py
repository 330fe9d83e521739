"""The wordpieces of a text as an index has them: one bit for each dimension of those with a letter or a digit."""

from __future__ import annotations

import struct
from itertools import takewhile
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sharing import bundled_embedder

from trueref_core.embedding.bundled_model import MAX_WORDPIECES
from trueref_core.embedding.packed_wordpieces import (
    MAX_PACKED,
    MAX_PRODUCT,
    Wordpieces,
    estimated_cosines,
    pack,
    unpack,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXT = (
    "Proxy > Behind a corporate proxy\nSet `proxy_url` to the address, e.g. `http://10.0.0.1:3128`.\n\n---\n- Restart."
)
QUESTION = "How do I install behind a corporate proxy?"


def unit_vectors(seed: int, count: int, dimensions: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    vectors: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return vectors


def unpacked(data: bytes, dimensions: int = 384) -> list[NDArray[np.uint8]]:
    lines = unpack(data, dimensions)
    assert lines is not None
    return lines


def test_wordpieces_with_a_letter_or_a_digit_are_packed_by_line_and_no_others() -> None:
    (read,) = bundled_embedder().embed_words([TEXT])
    lines = unpacked(pack(TEXT, read))
    texts = [TEXT[slice(*span)] for span in read.spans]
    kept = [at for at, text in enumerate(texts) if text[0].isalnum()]
    assert {texts[at] for at in range(len(texts)) if at not in kept} == {">", "`", "_", ",", ".", ":", "/", "-"}
    # `e.g.` and the address are several wordpieces.
    assert [len(line) for line in lines] == [5, len(kept) - 6, 0, 0, 1]
    signs = np.unpackbits(np.concatenate(lines), axis=1).astype(bool)
    assert np.array_equal(signs, read.vectors[kept] > 0)


@pytest.mark.parametrize("text", ["", "...", "\n", "中文\n中文", "🦆", "a\u200b", "One line. " * 20])
def test_all_lines_of_a_text_that_is_read_whole_are_packed(text: str) -> None:
    embedder = bundled_embedder()
    (found,) = embedder.embed_chunks([text])
    assert len(unpacked(found.wordpieces)) == len(text.split("\n"))
    assert np.array_equal(found.vector, next(embedder.embed([text])))


@pytest.mark.parametrize(
    ("text", "lines"), [("word " * 400, 0), ("five words in this line\n" * 90, 50), ("a" * 9000, 1)]
)
def test_of_a_long_text_only_lines_that_were_read_whole_are_packed(text: str, lines: int) -> None:
    (found,) = bundled_embedder().embed_chunks([text])
    packed = unpacked(found.wordpieces)
    assert len(packed) == lines
    assert sum(map(len, packed)) <= MAX_WORDPIECES <= MAX_PACKED


def test_the_estimate_is_near_the_cosine_and_says_which_text_has_the_words() -> None:
    embedder = bundled_embedder()
    texts = [TEXT, "The kiln has three shelves and a table of temperatures"]
    asked, *read = embedder.embed_words([QUESTION, *texts])
    nearest: list[NDArray[np.float32]] = []
    for text, wordpieces in zip(texts, read, strict=True):
        estimated = estimated_cosines(asked.vectors, np.concatenate(unpacked(pack(text, wordpieces))))
        kept = [at for at, span in enumerate(wordpieces.spans) if text[slice(*span)][0].isalnum()]
        errors = np.abs(estimated - asked.vectors @ wordpieces.vectors[kept].T)
        assert (errors.mean() < 0.04, errors.max() < 0.2) == (True, True)
        nearest.append(estimated.max(axis=1))
    assert nearest[0].mean() > nearest[1].mean() + 0.2


@given(
    st.text("ab1 .\n\u4e2d", max_size=60),
    st.integers(0, 2**32 - 1),
    st.sampled_from([8, 64, 384]),
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 3)), max_size=40),
)
def test_what_is_packed_is_unpacked(text: str, seed: int, dimensions: int, places: list[tuple[int, int]]) -> None:
    """Wordpieces lie one behind the other, each in one line, as those of an embedder do."""
    spans = list[tuple[int, int]]()
    for start, length in sorted(places):
        end = start + length
        if end <= len(text) and "\n" not in text[start:end] and (not spans or spans[-1][1] <= start):
            spans.append((start, end))
    vectors = unit_vectors(seed, len(spans), dimensions)
    data = pack(text, Wordpieces(tuple(spans), tuple(range(len(spans))), vectors))
    lines = unpacked(data, dimensions)
    read_until = spans[-1][1] if spans else 0
    starts = [0, *(at + 1 for at, sign in enumerate(text) if sign == "\n")]
    whole = takewhile(
        lambda line: not any(map(str.isalnum, text[max(line[0], read_until) : line[0] + len(line[1])])),
        zip(starts, text.split("\n"), strict=True),
    )
    assert len(lines) == len([*whole])
    expected = [
        [
            at
            for at, span in enumerate(spans)
            if start <= span[0] < start + len(line) and any(map(str.isalnum, text[slice(*span)]))
        ]
        for start, line in zip(starts, text.split("\n")[: len(lines)], strict=False)
    ]
    assert [len(line) for line in lines] == list(map(len, expected))
    kept = [at for line in expected for at in line]
    bits = np.concatenate([*lines, np.zeros((0, dimensions // 8), np.uint8)])
    assert np.array_equal(np.unpackbits(bits, axis=1).astype(bool), vectors[kept] > 0)
    assert len(data) == 2 + 2 * len(lines) + len(kept) * dimensions // 8
    # Bytes that were cut off or have others behind them are no wordpieces.
    assert unpack(data + b"\0", dimensions) is None
    assert unpack(data[:-1], dimensions) is None


@given(st.binary(max_size=300))
def test_other_bytes_are_refused_or_have_the_size_that_they_say(data: bytes) -> None:
    lines = unpack(data, 64)
    if lines is not None:
        assert 2 + 2 * len(lines) + 8 * sum(map(len, lines)) == len(data)


@pytest.mark.parametrize(("count", "is_taken"), [(MAX_PACKED, True), (MAX_PACKED + 1, False)])
def test_more_wordpieces_than_any_embedder_reads_are_refused(count: int, is_taken: bool) -> None:
    data = struct.pack("<HH", 1, count) + bytes(count * 48)
    assert (unpack(data, 384) is not None) is is_taken


@given(st.integers(0, 2**32 - 1))
def test_estimates_of_random_vectors_are_near_and_1_at_most(seed: int) -> None:
    asked, read = unit_vectors(seed, 3, 384), unit_vectors(seed + 1, 5, 384)
    # The cosine of a vector to itself: without a bound its estimate would be above 1 half of the time.
    read[0] = asked[0]
    estimated = estimated_cosines(asked, np.packbits(read > 0, axis=1))
    assert np.abs(estimated - asked @ read.T).max() < 0.25
    assert estimated.max() <= 1


@pytest.mark.parametrize("rows", [1, 55, 56, 57, 400])
@pytest.mark.parametrize("words", [1, 12])
def test_cosines_are_the_same_however_many_are_computed_at_once(words: int, rows: int) -> None:
    asked, read = unit_vectors(3, words, 384), unit_vectors(4, rows, 384)
    bits = np.packbits(read > 0, axis=1)
    # With twelve words 56 rows are one product, 57 are two, the second with one row, and 400 are eight.
    assert MAX_PRODUCT // (12 * 384) == 56
    alone = np.concatenate([estimated_cosines(asked, bits[row : row + 1]) for row in range(rows)], axis=1)
    assert estimated_cosines(asked, bits) == pytest.approx(alone, abs=1e-6)


def test_a_text_without_wordpieces_has_no_cosines() -> None:
    assert estimated_cosines(unit_vectors(3, 2, 384), np.empty((0, 48), np.uint8)).shape == (2, 0)
