"""The wordpieces of a text with their vectors, and the form in which an index has those of its chunks.

With them a passage is compared with a question word by word, and no model reads it when the question comes. An index
has one bit for each dimension: the sign of the number. The vectors of a question stay whole, and the cosine of the two
is estimated. What this costs and brings is in `docs/decisions/choice.md`.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_PACKED: Final = 512
"""The most wordpieces that the packed bytes of a text may have: no embedder whose wordpieces are packed reads more."""

COSINE_TO_SIGNS: Final = 0.79
"""The cosine of a vector to its own signs. For the bundled embedder it is between .757 and .817 for all but 2 % of the
wordpieces of 400 chunks of Material for MkDocs; for random vectors it is the root of 2/pi, .798."""

MAX_PRODUCT: Final = 2**18
"""The most multiplications of one product of matrices. For a larger one OpenBLAS wakes its threads, which takes longer
than the product on busy processors. Source: `GEMM_MULTITHREAD_THRESHOLD` of OpenBLAS, 4 by default, times 65,536. In
such pieces the product takes a fourth of the time of `einsum`, which never wakes threads."""

LETTER_OR_DIGIT: Final = re.compile(r"[^\W_]")
"""What a wordpiece has to have to be packed, and a line to be compared: signs alone say nothing of a text."""


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


def pack(text: str, wordpieces: Wordpieces) -> bytes:
    """The wordpieces of a text that have a letter or a digit, packed by the lines of the text.

    Of a long text the embedder reads only the beginning, and only lines that it read whole are packed. The bytes are
    the number of these lines, the number of packed wordpieces in each line (two bytes each, the lower one first), and
    the signs of the vectors of these wordpieces, with eight dimensions in a byte: 1 for a number above 0.
    """
    import numpy as np

    begins = [start for start, _ in wordpieces.spans]
    read_until = wordpieces.spans[-1][1] if wordpieces.spans else 0
    counts, packed = list[int](), list[int]()
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        if LETTER_OR_DIGIT.search(text, max(start, read_until), end):
            break
        in_line = range(bisect_left(begins, start), bisect_left(begins, end))
        meaningful = [at for at in in_line if LETTER_OR_DIGIT.search(text, *wordpieces.spans[at])]
        counts.append(len(meaningful))
        packed += meaningful
        start = end + 1
    signs = np.packbits(wordpieces.vectors[packed] > 0, axis=1)
    return struct.pack(f"<H{len(counts)}H", len(counts), *counts) + signs.tobytes()


def unpack(data: bytes, dimensions: int) -> list[NDArray[np.uint8]] | None:
    """The packed wordpieces of each line that was read whole, a row of bits for each wordpiece.

    Args:
        data: Packed bytes.
        dimensions: The dimensions of the vectors, a multiple of 8.

    Returns:
        For each line a matrix with as many rows as packed wordpieces and `dimensions / 8` columns; None for bytes that
        `pack` cannot have made of vectors of this length.
    """
    import numpy as np

    size = 2 + 2 * int.from_bytes(data[:2], "little")
    if len(data) < size:
        return None
    counts = struct.unpack(f"<{size // 2 - 1}H", data[2:size])
    if sum(counts) > MAX_PACKED or len(data) - size != sum(counts) * dimensions // 8:
        return None
    bits = np.frombuffer(data, dtype=np.uint8, offset=size).reshape(sum(counts), dimensions // 8)
    return [bits[first:behind] for first, behind in pairwise(accumulate(counts, initial=0))]


def estimated_cosines(vectors: NDArray[np.float32], bits: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The cosines of vectors to packed ones, estimated: a row for each vector, a column for each packed one.

    An estimate is off by some .04, which is the spread for vectors of 384 dimensions, and is 1 at most.

    Args:
        vectors: Vectors of length 1, a row for each.
        bits: As `unpack` gives them.
    """
    import numpy as np

    signs = np.unpackbits(bits, axis=1).astype(np.float32) * 2 - 1
    rows = max(1, MAX_PRODUCT // max(1, vectors.size))
    products = np.empty((len(vectors), len(bits)), dtype=np.float32)
    for start in range(0, len(bits), rows):
        block = signs[start : start + rows]
        # A product with one row is another function of BLAS, which wakes threads for fewer multiplications.
        is_row = 1 in (len(vectors), len(block))
        products[:, start : start + rows] = np.einsum("ij,kj->ik", vectors, block) if is_row else vectors @ block.T
    cosines: NDArray[np.float32] = np.minimum(products / np.float32(COSINE_TO_SIGNS * vectors.shape[1] ** 0.5), 1)
    return cosines
