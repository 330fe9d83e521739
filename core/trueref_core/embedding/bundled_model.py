"""The embedding model that is part of the package, run by onnxruntime directly.

fastembed could run the model too, and gives exactly the same vectors, as a test shows. But importing fastembed takes
half a second of processor time, a quarter of an answer on the command line, and it reads weights only from unpacked
files. Here the weights are shipped compressed, which makes the package 5 MB smaller, and are unpacked into memory.
"""

from __future__ import annotations

import gzip
import hashlib
import zlib
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from trueref_core.errors import EmbedderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

BUNDLED_FOLDER = Path(__file__).parents[1] / "models" / "MiniLM-L6-docs"
TOKENIZER: Final = "tokenizer.json.gz"
BUNDLED_FILES = {
    "model.onnx.gz": "454eb4c4ed0dbf063832878af8c22d909d3d70f850ab4a60d0e94e3cea6db136",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
"""The SHA-256 of each file after it is unpacked."""
WORD_VECTORS: Final = "word_vectors.npz.gz"
WORD_VECTORS_SHA256: Final = "ca9c1967277a9120227566629081e19eec252133acbba1cb1048500f640bd3eb"
"""The file of the vectors of words, which embedding does not read, and its SHA-256 after it is unpacked."""
BUNDLED_NAME = f"bundled/MiniLM-L6-docs@{BUNDLED_FILES['model.onnx.gz'][:12]}"
BUNDLED_DIMENSIONS = 384

ROWS_KEPT: Final = 8
"""How many recent texts have their rows kept, 3 MB at most: a question is first embedded whole, and then its words."""

MAX_WORDPIECES: Final = 256
"""The length of texts that the model was trained on. Its tokenizer allows 512, but longer texts get worse vectors."""


class BundledModel:
    """The model and its tokenizer, which cuts off texts longer than `MAX_WORDPIECES` wordpieces."""

    def __init__(self, max_wordpieces: int = MAX_WORDPIECES) -> None:
        """Load the model's files. Raises `EmbedderError` if a file is missing or is not the one that was shipped."""
        import onnxruntime  # pyright: ignore[reportMissingTypeStubs]
        from tokenizers import Tokenizer

        files = read_files(BUNDLED_FOLDER)
        runtime: Any = onnxruntime
        options = runtime.SessionOptions()
        # One thread for each run: a second thread saves 20 % of the time but costs 60 % more processor time, since
        # threads spin while they wait. Instead, several texts are embedded at the same time.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        providers = ["CPUExecutionProvider"]
        self._session: Any = runtime.InferenceSession(files["model.onnx.gz"], options, providers=providers)
        self.tokenizer: Tokenizer = Tokenizer.from_str(files[TOKENIZER].decode())
        cast("Any", self.tokenizer).enable_truncation(max_wordpieces)
        self.tokenizer.no_padding()
        self._recent_rows = lru_cache(ROWS_KEPT)(self._run)

    def vector(self, text: str) -> NDArray[np.float32]:
        """The vector of a text: the mean of the vectors of its wordpieces, scaled to length 1."""
        import numpy as np

        # In 64 bits until the vector is scaled, as in fastembed, so that both agree to the last bit.
        mean = self.rows(text).mean(axis=0, dtype=np.float64)
        vector: NDArray[np.float32] = (mean / max(float(np.linalg.norm(mean)), 1e-12)).astype(np.float32)
        return vector

    def rows(self, text: str) -> NDArray[np.float32]:
        """One row for each wordpiece of a text, with the two special ones at its ends. The array is read-only."""
        return self._recent_rows(text)

    def _run(self, text: str) -> NDArray[np.float32]:
        """The rows of a text, made by a run of the model."""
        import numpy as np

        ids = np.array([self.tokenizer.encode(text).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        rows: NDArray[np.float32] = self._session.run(None, inputs)[0][0]
        rows.flags.writeable = False
        return rows


def read_files(folder: Path) -> dict[str, bytes]:
    """The bytes of the model's files, unpacked and compared with their hashes. Raises `EmbedderError`."""
    return {file: _read(folder / file, expected) for file, expected in BUNDLED_FILES.items()}


def read_tokenizer() -> bytes:
    """The bytes of the shipped tokenizer's JSON, as the model's authors published it. Raises `EmbedderError`."""
    return _read(BUNDLED_FOLDER / TOKENIZER, BUNDLED_FILES[TOKENIZER])


def read_word_vectors() -> bytes:
    """The bytes of the shipped vectors of words, a file of numpy. Raises `EmbedderError`."""
    return _read(BUNDLED_FOLDER / WORD_VECTORS, WORD_VECTORS_SHA256)


def _read(path: Path, expected: str) -> bytes:
    """One file of the model, unpacked. Raises `EmbedderError` if it is not the one that was shipped."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise EmbedderError(f"The bundled embedder lacks {path.name}. Install trueref again.") from error
    try:
        data = gzip.decompress(data)
    except (OSError, EOFError, zlib.error):
        data = b""
    if hashlib.sha256(data).hexdigest() != expected:
        raise EmbedderError(f"The bundled embedder's {path.name} is damaged. Install trueref again.")
    return data
