"""The wordpieces of a text as an index has them: one bit for each dimension of those with a letter or a digit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sharing import bundled_embedder

from trueref_core.embedding.packed_wordpieces import COUNT, Wordpieces, estimated_cosines, pack, unpack

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXT = "Proxy > Behind a corporate proxy\nSet `proxy_url` to the address, e.g. `http://10.0.0.1:3128`.\n- Then restart."
QUESTION = "How do I install behind a corporate proxy?"


def unit_vectors(seed: int, count: int, dimensions: int) -> NDArray[np.float32]:
    rows = np.random.default_rng(seed).normal(size=(count, dimensions)).astype(np.float32)
    vectors: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return vectors


def test_wordpieces_with_a_letter_or_a_digit_are_packed_and_no_others() -> None:
    (read,) = bundled_embedder().embed_words([TEXT])
    packed = unpack(pack(TEXT, read), bundled_embedder().dimensions)
    assert packed is not None
    assert packed.count == len(read.spans)
    texts = [TEXT[slice(*read.spans[position])] for position in packed.positions]
    assert texts[:6] == ["Proxy", "Behind", "a", "corporate", "proxy", "Set"]
    assert {TEXT[slice(*span)] for span in read.spans} - {*texts} == {">", "`", "_", ",", ".", ":", "/", "-"}
    signs = np.unpackbits(packed.bits, axis=1).astype(bool)
    assert np.array_equal(signs, read.vectors[packed.positions] > 0)


@pytest.mark.parametrize("text", ["", "...", "\n", "中文", "🦆", "word " * 400])
def test_any_text_is_packed(text: str) -> None:
    embedder = bundled_embedder()
    (found,) = embedder.embed_chunks([text])
    packed = unpack(found.wordpieces, embedder.dimensions)
    assert packed is not None
    assert packed.count == len(embedder.spans(text)) <= embedder.max_tokens
    assert np.array_equal(found.vector, next(embedder.embed([text])))


def test_the_estimate_is_near_the_cosine_and_says_which_text_has_the_words() -> None:
    embedder = bundled_embedder()
    texts = [TEXT, "The kiln has three shelves, and a table of temperatures."]
    asked, *read = embedder.embed_words([QUESTION, *texts])
    nearest: list[NDArray[np.float32]] = []
    for text, wordpieces in zip(texts, read, strict=True):
        packed = unpack(pack(text, wordpieces), embedder.dimensions)
        assert packed is not None
        estimated = estimated_cosines(asked.vectors, packed.bits)
        errors = np.abs(estimated - asked.vectors @ wordpieces.vectors[packed.positions].T)
        assert (errors.mean() < 0.04, errors.max() < 0.2) == (True, True)
        nearest.append(estimated.max(axis=1))
    assert nearest[0].mean() > nearest[1].mean() + 0.2


@given(
    st.text(max_size=60),
    st.integers(0, 2**32 - 1),
    st.sampled_from([8, 64, 384]),
    st.lists(st.integers(0, 60), max_size=40),
)
def test_what_is_packed_is_unpacked(text: str, seed: int, dimensions: int, starts: list[int]) -> None:
    spans = tuple((min(start, len(text)), min(start + 3, len(text))) for start in sorted(starts))
    vectors = unit_vectors(seed, len(spans), dimensions)
    data = pack(text, Wordpieces(spans, tuple(range(len(spans))), vectors))
    packed = unpack(data, dimensions)
    assert packed is not None
    expected = [at for at, span in enumerate(spans) if any(sign.isalnum() for sign in text[slice(*span)])]
    assert (packed.count, packed.positions.tolist()) == (len(spans), expected)
    assert np.array_equal(np.unpackbits(packed.bits, axis=1).astype(bool), vectors[expected] > 0)
    assert len(data) == COUNT.size + -(-len(spans) // 8) + len(expected) * dimensions // 8
    # Bytes that were cut off or have others behind them are no wordpieces.
    assert unpack(data + b"\0", dimensions) is None
    assert unpack(data[:-1], dimensions) is None


@given(st.binary(max_size=300))
def test_other_bytes_are_refused_or_have_the_size_that_they_say(data: bytes) -> None:
    packed = unpack(data, 64)
    if packed is not None:
        assert packed.bits.shape == (len(packed.positions), 8)
        assert all(0 <= position < packed.count for position in packed.positions)


@given(st.integers(0, 2**32 - 1))
def test_estimates_of_random_vectors_are_near(seed: int) -> None:
    asked, read = unit_vectors(seed, 3, 384), unit_vectors(seed + 1, 5, 384)
    # The cosine of a vector to itself is the largest error: it is estimated as 1 only on average.
    read[0] = asked[0]
    estimated = estimated_cosines(asked, np.packbits(read > 0, axis=1))
    assert np.abs(estimated - asked @ read.T).max() < 0.25
