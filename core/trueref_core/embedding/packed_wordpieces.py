"""The wordpieces of a text with their vectors, and the form in which an index has those of its chunks.

With them a passage is compared with a question word by word, and no model reads it when the question comes. An index
has one bit for each dimension: the sign of the number. The vectors of a question stay whole, and the cosine of the two
is estimated. What this costs and brings is in `docs/decisions/choice.md`.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

COUNT: Final = struct.Struct("<H")
"""How packed bytes begin: the number of wordpieces of the text."""

ALONG_SIGNS: Final = 0.79
"""The cosine of a vector to its own signs. For the bundled embedder it is between .757 and .817 for all but 2 % of the
wordpieces of 400 chunks of Material for MkDocs; for random vectors it is the root of 2/pi, .798."""

_MEANINGFUL: Final = re.compile(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Wordpieces:
    """The wordpieces of a text, each with a vector of its meaning in the text.

    `spans` has the start and end of each wordpiece in the text. `words` has the number of the word that each wordpiece
    belongs to, in ascending order. `vectors` has one row for each wordpiece: a vector of length 1 with the embedder's
    dimensions. Special wordpieces are left out.
    """

    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class PackedWordpieces:
    """Some wordpieces of a text, as an index has them.

    `count` is the number of all wordpieces of the text. `positions` has the numbers of the packed ones among these, in
    ascending order. `bits` has a row for each of them, with eight dimensions in each byte: 1 for a number above 0.
    """

    count: int
    positions: NDArray[np.intp]
    bits: NDArray[np.uint8]


def pack(text: str, wordpieces: Wordpieces) -> bytes:
    """The wordpieces of a text that have a letter or a digit, packed.

    The bytes are the number of all wordpieces, a bit for each of them that is 1 if it is packed, and then the signs of
    the vectors of those that are packed.
    """
    import numpy as np

    is_packed = np.array([bool(_MEANINGFUL.search(text, *span)) for span in wordpieces.spans], dtype=bool)
    signs = np.packbits(wordpieces.vectors[is_packed] > 0, axis=1)
    return b"".join([COUNT.pack(len(is_packed)), np.packbits(is_packed).tobytes(), signs.tobytes()])


def unpack(data: bytes, dimensions: int) -> PackedWordpieces | None:
    """The wordpieces of packed bytes; None for bytes that `pack` cannot have made of vectors of this length."""
    import numpy as np

    if len(data) < COUNT.size:
        return None
    (count,) = COUNT.unpack_from(data)
    mask_end = COUNT.size + -(-count // 8)
    positions = np.flatnonzero(np.unpackbits(np.frombuffer(data[COUNT.size : mask_end], dtype=np.uint8))[:count])
    bits = np.frombuffer(data[mask_end:], dtype=np.uint8)
    if len(data) < mask_end or bits.size * 8 != len(positions) * dimensions:
        return None
    return PackedWordpieces(count, positions, bits.reshape(len(positions), dimensions // 8))


def estimated_cosines(vectors: NDArray[np.float32], bits: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The cosines of vectors to packed ones, estimated: a row for each vector, a column for each packed one.

    Args:
        vectors: Vectors of length 1, a row for each.
        bits: See `PackedWordpieces`.
    """
    import numpy as np

    signs = np.unpackbits(bits, axis=1).astype(np.float32) * 2 - 1
    # Not `@`: BLAS would wake its threads for a product of a few rows.
    along_signs: NDArray[np.float32] = np.einsum("ij,kj->ik", vectors, signs)
    return along_signs / np.float32(ALONG_SIGNS * vectors.shape[1] ** 0.5)
