"""Vectors as a build packs them. The widget's tests unpack the same ones, in widget/test/vectors.test.ts."""

from __future__ import annotations

import base64
import os
import random

import msgspec
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import ROOT

from trueref_server.serving.static_vectors import LEVELS, pack

GOLDEN = ROOT / "tests" / "golden" / "packed_vectors.json"


class Packed(msgspec.Struct, frozen=True):
    """Numbers of a vector, how much its word counts, and both as they are packed."""

    numbers: list[float]
    weight: int
    packed: str


def test_the_widget_is_tested_with_what_a_build_packs() -> None:
    """`TRUEREF_GOLDEN=1` writes the vectors again."""
    chance = random.Random(20261129)
    vectors: list[Packed] = []
    for size in (2, 24, 48) * 12:
        scale = 10 ** chance.randint(-6, 6)
        numbers = [float(np.float32(chance.gauss(0, 1) * scale)) for _ in range(size)]
        weight = chance.randrange(256)
        vectors.append(Packed(numbers, weight, pack(np.array(numbers, dtype=np.float32), bytes([weight]))))
    vectors.append(Packed([0.0] * 48, 255, pack(np.zeros(48), bytes([255]))))
    data = b"[\n" + b",\n".join(map(msgspec.json.encode, vectors)) + b"\n]\n"
    if os.environ.get("TRUEREF_GOLDEN"):
        GOLDEN.write_bytes(data)
    assert GOLDEN.read_bytes() == data


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32), min_size=2, max_size=48).filter(
        lambda numbers: len(numbers) % 2 == 0
    ),
    st.binary(max_size=1),
)
def test_a_packed_vector_points_where_the_vector_points(numbers: list[float], head: bytes) -> None:
    """Each number is within half a level, and no vector is packed into something else than its head and its numbers."""
    packed = pack(np.array(numbers, dtype=np.float32), head)
    data = base64.b64decode(packed + "=" * (-len(packed) % 4), validate=True)
    assert data[: len(head)] == head
    levels = [level - 8 for byte in data[len(head) :] for level in divmod(byte, 16)]
    largest = max(map(abs, numbers)) or 1.0
    assert len(levels) == len(numbers)
    assert all(abs(level - number / largest * LEVELS) <= 0.5001 for level, number in zip(levels, numbers, strict=True))
