"""The reader that is part of the package: how well passages answer a question, both read together.

It begins as the bundled embedder: question and passage are each read by its lower layers, and then both together by
layers that were trained further for this. So the package holds no second copy of what both share. The reader's file has
two graphs with gaps, and says which bytes of the embedder's file fill them; the trained layers are those of the
embedder with a small change, which is kept as two narrow matrices. See docs/decisions/reader.md.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import msgspec

from trueref_core.embedding.bundled_model import BUNDLED_FOLDER, read_files
from trueref_core.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

READER_FOLDER: Final = BUNDLED_FOLDER.parent / "MiniLM-L6-reader"
READER_FILE: Final = "reader.gz"
READER_SHA256: Final = "e581f805f124a78d6d678ac7ac5c5292b30b975599a05098942680e1cf6d4187"
"""Of the file as it is when unpacked."""

QUESTION_WORDPIECES: Final = 48
PASSAGE_WORDPIECES: Final = 112
"""What is read of each, as in training: headings and the first 60 to 80 words of a passage."""

LARGEST: Final = 127
"""The largest weight in 8 bits, as the quantiser makes them."""


class Copied(msgspec.Struct, frozen=True, array_like=True):
    """Bytes of the embedder's file that fill a gap of a graph: where they go, where they stand, and how many."""

    to: int
    begin: int
    size: int


class Changed(msgspec.Struct, frozen=True, array_like=True):
    """A matrix of the embedder with a change.

    `weights_to` and `scales_to` say where in the graph the 8-bit weights and the scale of each column go; `weights` and
    `scales` where the embedder's stand. The change is the product of `left` and `right`, `rank` columns and rows of 8
    bits, each pair multiplied by its number in `sizes` (32 bits).
    """

    rows: int
    columns: int
    weights_to: int
    scales_to: int
    weights: int
    scales: int
    rank: int
    left: bytes
    right: bytes
    sizes: bytes


class ReaderFile(msgspec.Struct, frozen=True):
    """What the reader's file holds: the graph that reads a text alone, the one for both together, and their gaps."""

    alone: bytes
    together: bytes
    alone_copied: list[Copied]
    together_copied: list[Copied]
    together_changed: list[Changed]


class Graph:
    """A part of the model, run on one thread."""

    def __init__(self, graph: bytes) -> None:
        import onnxruntime  # pyright: ignore[reportMissingTypeStubs]

        runtime: Any = onnxruntime
        options = runtime.SessionOptions()
        # As for the embedder: a second thread saves little time and takes much of a processor.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._session: Any = runtime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])

    def run(self, **given: NDArray[Any]) -> NDArray[np.float32]:
        """Its output for some inputs, by their names."""
        output: NDArray[np.float32] = self._session.run(None, given)[0]
        return output


class ReaderModel:
    """The model with its tokenizer. May be asked from several threads.

    Args:
        folder: Where its file is.
        embedder: Where the embedder's files are.

    Raises:
        EmbedderError: A file is missing or damaged.
    """

    def __init__(self, folder: Path = READER_FOLDER, embedder: Path = BUNDLED_FOLDER) -> None:
        from tokenizers import Tokenizer

        told = msgspec.msgpack.decode(_read(folder / READER_FILE), type=ReaderFile)
        files = read_files(embedder)
        source = files["model.onnx.gz"]
        self._alone = Graph(_filled(told.alone, told.alone_copied, (), source))
        self._together = Graph(_filled(told.together, told.together_copied, told.together_changed, source))
        self._tokenizer: Tokenizer = Tokenizer.from_str(files["tokenizer.json.gz"].decode())
        self._tokenizer.no_padding()

    def scores(self, question: str, passages: Sequence[str]) -> list[float]:
        """How well each passage answers, in logarithms of odds: the score of one does not depend on the others."""
        asked = self._state(question, QUESTION_WORDPIECES)
        found: list[float] = []
        for passage in passages:
            # One pair a run: the scales of 8-bit products depend on all that is read in it.
            score = self._together.run(question=asked, passage=self._state(passage, PASSAGE_WORDPIECES))
            found.append(float(score.reshape(-1)[0]))
        return found

    def _state(self, text: str, most: int) -> NDArray[np.float32]:
        """What the lower layers make of the first wordpieces of a text."""
        import numpy as np

        ids = self._tokenizer.encode(text[: 30 * most]).ids
        # The last one closes a text.
        ids = ids if len(ids) <= most else [*ids[: most - 1], ids[-1]]
        return self._alone.run(ids=np.array([ids], dtype=np.int64))


def _filled(graph: bytes, copied: Sequence[Copied], changed: Sequence[Changed], source: bytes) -> bytes:
    """A graph with its gaps filled from the embedder's file."""
    filled = bytearray(graph)
    for one in copied:
        filled[one.to : one.to + one.size] = source[one.begin : one.begin + one.size]
    for matrix in changed:
        weights, scales = _changed(matrix, source)
        filled[matrix.weights_to : matrix.weights_to + len(weights)] = weights
        filled[matrix.scales_to : matrix.scales_to + len(scales)] = scales
    return bytes(filled)


def _changed(one: Changed, source: bytes) -> tuple[bytes, bytes]:
    """The 8-bit weights of a changed matrix, and the scale of each column."""
    import numpy as np

    weights = np.frombuffer(source, np.int8, one.rows * one.columns, one.weights).reshape(one.rows, one.columns)
    scales = np.frombuffer(source, np.float32, one.columns, one.scales)
    left = np.frombuffer(one.left, np.int8).reshape(one.rows, one.rank).astype(np.float32)
    right = np.frombuffer(one.right, np.int8).reshape(one.rank, one.columns).astype(np.float32)
    whole = weights * scales + (left * np.frombuffer(one.sizes, np.float32)) @ right
    new = np.abs(whole).max(axis=0) / np.float32(LARGEST)
    return np.rint(whole / new).astype(np.int8).tobytes(), new.astype(np.float32).tobytes()


def _read(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EmbedderError(f"The reader lacks {path.name}. Install trueref again.") from error
    try:
        data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        data = b""
    if hashlib.sha256(data).hexdigest() != READER_SHA256:
        raise EmbedderError(f"The reader's {path.name} is damaged. Install trueref again.")
    return data
