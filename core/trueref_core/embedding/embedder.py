"""From texts to vectors. Only this module uses fastembed, and imports it only to load one of its models.

With the bundled model, an index is built without a model hub or any download. The model's name in an index contains a
digest of its weights, so that a question is never embedded with other weights than the index.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from difflib import get_close_matches
from functools import cache
from itertools import chain, islice
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar, cast

import msgspec

from trueref_core.embedding.bundled_model import BUNDLED_DIMENSIONS, BUNDLED_FOLDER, BUNDLED_NAME, BundledModel
from trueref_core.embedding.packed_wordpieces import Wordpieces, pack
from trueref_core.errors import EmbedderError
from trueref_core.records import TextVectors

if TYPE_CHECKING:
    import numpy as np
    from fastembed import TextEmbedding
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

LEXICAL = "lexical"

GOLDEN_COSINE = 0.98
"""The least cosine to an expected vector. int8 kernels differ a little between processors, while wrong weights or
pooling give far lower cosines: 0.94 with weights quantized per tensor, 0.5 with CLS pooling."""
MAX_THREADS = 4

_PREFIXES = {
    "e5-": ("query: ", "passage: "),
    "multilingual-e5-": ("query: ", "passage: "),
    "nomic-embed-text-": ("search_query: ", "search_document: "),
}
"""By the beginning of a model's name, the prefix of a question and the prefix of a text. Source: the cards of the
models. fastembed adds neither prefix."""


Output = TypeVar("Output")


def resolve_embedder_name(option: str) -> str:
    """The embedder's name in an index for the value of an option: `bundled`, `lexical`, or a model of fastembed.

    Imports no model. The name in an index is returned as it is.
    """
    if option == "bundled":
        return BUNDLED_NAME
    if option == LEXICAL or option.startswith(("bundled/", "fastembed/")):
        return option
    return f"fastembed/{option}"


def prefix_of(model: str, *, for_questions: bool) -> str:
    """The prefix that a model was trained to expect before each text, "" for most models.

    Args:
        model: Name of the model in fastembed.
        for_questions: Whether questions are embedded, and not texts of pages.
    """
    family = model.rpartition("/")[2].lower()
    question, text = next((prefixes for name, prefixes in _PREFIXES.items() if family.startswith(name)), ("", ""))
    return question if for_questions else text


def load_embedder(name_or_option: str, threads: int | None = None, *, for_questions: bool = False) -> Embedder | None:
    """The embedder with this name, ready for use; None for `lexical`.

    Args:
        name_or_option: The value of an option, or the name in a generation.
        threads: How many texts are embedded at the same time. By default one for each processor, at most 4.
        for_questions: Whether questions are embedded, and not texts of pages. Some models need another prefix for them.

    Raises:
        EmbedderError: The name is unknown, files are damaged or missing, or vectors are not the expected ones.
    """
    name = resolve_embedder_name(name_or_option)
    if name == LEXICAL:
        return None
    # Set before the import: otherwise onnxruntime 1.31 stores an id for the machine and reports its use to Microsoft.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    threads = threads or min(os.cpu_count() or 1, MAX_THREADS)
    if name.startswith("bundled/"):
        return _load_bundled(name, threads)
    return _load_fastembed(name, threads, for_questions=for_questions)


class Model(Protocol):
    """A model that makes the vector of one text at a time. The vectors may have any length."""

    tokenizer: Tokenizer

    def vector(self, text: str) -> NDArray[np.float32]:
        """The vector of a text. Its length need not be 1, since `Embedder` scales every vector to length 1."""
        ...

    def rows(self, text: str) -> NDArray[np.float32] | None:
        """One row for each wordpiece of a text that the model reads, None if the model gives no such rows."""
        ...


class Embedder:
    """Turns texts into vectors with a model.

    `name` is the name kept in a generation. Vectors have `dimensions` components; text after the first `max_tokens`
    wordpieces does not change them. `prefix` is put before each text.
    """

    def __init__(self, name: str, model: Model, dimensions: int, threads: int, prefix: str = "") -> None:
        self.name = name
        self.dimensions = dimensions
        self._model = model
        self._threads = threads
        self._prefix = prefix
        self._counter, self.max_tokens = _token_counter(model.tokenizer)

    def embed(self, texts: Iterable[str]) -> Iterator[NDArray[np.float32]]:
        """One vector of length 1 for each text, in order, computed as the iterator is read."""
        return self._in_threads(self._embed_one, texts)

    def embed_words(self, texts: Iterable[str]) -> Iterator[Wordpieces]:
        """The first `max_tokens` wordpieces of each text, in order; nothing if the model has no rows for wordpieces."""
        return (pieces for pieces in self._in_threads(self._embed_words_of_text, texts) if pieces is not None)

    def _in_threads(self, make: Callable[[str], Output], texts: Iterable[str]) -> Iterator[Output]:
        """Call `make` for each text, of several texts in threads, and yield the results in the order of the texts."""
        unread = iter(texts)
        first = list(islice(unread, 2))
        if len(first) < 2:
            # A question alone needs no threads: on a busy machine it takes milliseconds until one starts.
            yield from map(make, first)
            return
        with ThreadPoolExecutor(self._threads) as pool:
            pending: deque[Future[Output]] = deque()
            for text in chain(first, unread):
                pending.append(pool.submit(make, text))
                # The queue is short, so that the texts and vectors of a large site are never all in memory.
                if len(pending) > self._threads:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()

    def embed_chunks(self, texts: Iterable[str]) -> Iterator[TextVectors]:
        """What an index has of each text of a chunk, in order, computed as the iterator is read."""
        return self._in_threads(self._embed_chunk, texts)

    def count_tokens(self, text: str) -> int:
        """The number of wordpieces of a text, not cut off at `max_tokens`, with the two special ones."""
        return len(self._counter.encode(self._prefix + text))

    def _embed_one(self, text: str) -> NDArray[np.float32]:
        """The vector of a text, of length 1."""
        import numpy as np

        # One text per run: int8 scales are computed for a whole batch, so other texts in it would change the vector.
        vector = self._model.vector(self._prefix + text)
        return vector / max(float(np.linalg.norm(vector)), 1e-12)

    def _embed_chunk(self, text: str) -> TextVectors:
        """The vector of a text; of the bundled embedder also those of its wordpieces."""
        vector = self._embed_one(text)
        # Nothing compares the wordpieces of other embedders: see `late_interaction.FITTED`.
        wordpieces = self._embed_words_of_text(text) if self.name == BUNDLED_NAME else None
        return TextVectors(vector, pack(text, wordpieces) if wordpieces is not None else b"")

    def _embed_words_of_text(self, text: str) -> Wordpieces | None:
        """The vectors of the wordpieces of a text, each with its span and word; None if the model has none."""
        import numpy as np

        rows = self._model.rows(self._prefix + text)
        if rows is None:
            return None
        encoded = self._model.tokenizer.encode(self._prefix + text)
        begin = len(self._prefix)
        offsets = encoded.offsets
        word_of_position = {at: word for at, word in enumerate(encoded.word_ids) if word is not None}
        positions = [at for at in word_of_position if offsets[at][0] >= begin]
        spans = tuple((offsets[at][0] - begin, offsets[at][1] - begin) for at in positions)
        vectors = rows[positions]
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return Wordpieces(spans, tuple(word_of_position[at] for at in positions), vectors)


_loading: Final = Lock()
"""Held by the thread that loads the bundled model."""


def _load_bundled(name: str, threads: int) -> Embedder:
    """The bundled model. A name with other weights is refused, since vectors of two models cannot be compared."""
    if name != BUNDLED_NAME:
        raise EmbedderError(f"{name} is not the bundled embedder, {BUNDLED_NAME}. Use `bundled`.")
    return Embedder(name, checked_bundled_model(), BUNDLED_DIMENSIONS, threads)


def checked_bundled_model() -> BundledModel:
    """The bundled model, once its vectors were compared with the expected ones.

    A process loads it once, for all its builds and indexes: loading takes a third of a second, and the model some 80 MB
    of memory. Its session may run in several threads at once.

    Raises:
        EmbedderError: Files are damaged or missing, or vectors are not the expected ones.
    """
    # Under the preview of MkDocs, a build and the server beside it may both be the first to ask.
    with _loading:
        return _load_once()


@cache
def _load_once() -> BundledModel:
    """The bundled model. Only one thread at a time may call this."""
    model = BundledModel()
    check_golden(Embedder(BUNDLED_NAME, model, BUNDLED_DIMENSIONS, threads=1))
    return model


class FastembedModel:
    """A model of fastembed as a `Model`."""

    def __init__(self, model: TextEmbedding) -> None:
        self._model = model
        # fastembed declares this attribute for ONNX models only, but all its text models have it.
        self.tokenizer: Tokenizer = cast("Any", model.model).tokenizer

    def vector(self, text: str) -> NDArray[np.float32]:
        """The vector of a text, not scaled to length 1."""
        import numpy as np

        return np.asarray(next(iter(self._model.embed([text], batch_size=1))), dtype=np.float32)

    def rows(self, text: str) -> NDArray[np.float32] | None:
        """One row for each wordpiece of a text that the model reads, None if the model gives no such rows."""
        import numpy as np

        output = cast("Any", self._model.model).onnx_embed([text]).model_output
        return np.asarray(output[0], dtype=np.float32) if output.ndim == 3 else None


def _load_fastembed(name: str, threads: int, *, for_questions: bool) -> Embedder:
    """A model of fastembed, which downloads it if this machine does not have it yet."""
    from fastembed import TextEmbedding
    from loguru import logger

    model_name = name.removeprefix("fastembed/")
    sizes = {str(model["model"]): int(model["dim"]) for model in TextEmbedding.list_supported_models()}
    if model_name not in sizes:
        raise EmbedderError(_unknown_model_message(model_name, list(sizes)))
    # fastembed logs every attempt to download; the error below says the same in one line.
    logger.disable("fastembed")
    try:
        model = TextEmbedding(model_name, threads=1)
    except (ValueError, OSError, RuntimeError) as error:
        reason = " ".join(str(error).split()).rstrip(".") or type(error).__name__
        message = (
            f"The embedding model {model_name} could not be loaded: {reason:.200}. "
            "Download it once with a network, or set `embedder: bundled`."
        )
        raise EmbedderError(message) from error
    prefix = prefix_of(model_name, for_questions=for_questions)
    return Embedder(name, FastembedModel(model), sizes[model_name], threads, prefix)


def _unknown_model_message(model_name: str, model_names: list[str]) -> str:
    """The message for a model that fastembed does not have, with the most similar names."""
    lowered = {name.lower(): name for name in model_names if not name.startswith("bundled/")}
    similar_names = get_close_matches(model_name.lower(), lowered, n=5, cutoff=0.3) or sorted(lowered)[:5]
    names = ", ".join(f"`{lowered[name]}`" for name in similar_names)
    return (
        f"Unknown embedder {model_name!r}. Use `bundled`, `lexical`, or one of the {len(lowered)} text models of "
        f"fastembed, such as {names}."
    )


def _token_counter(tokenizer: Tokenizer) -> tuple[Tokenizer, int]:
    """A copy of a model's tokenizer that cuts no text off, for counting, and how many wordpieces the model reads."""
    from tokenizers import Tokenizer

    limit = (cast("Any", tokenizer).truncation or {}).get("max_length", 0)
    counter = Tokenizer.from_str(tokenizer.to_str())
    counter.no_truncation()
    counter.no_padding()
    return counter, int(limit)


def check_golden(embedder: Embedder) -> None:
    """Compare an embedder's vectors with the expected ones, which are shipped with the bundled model.

    Vectors can be wrong although all files are right: another runtime, pooling or truncation is noticed only here.

    Raises:
        EmbedderError: A vector's cosine to the expected one is below 0.98.
    """
    import numpy as np

    golden: list[dict[str, Any]] = msgspec.json.decode((BUNDLED_FOLDER / "golden.json").read_bytes())
    vectors = embedder.embed(entry["text"] for entry in golden)
    least = min(float(np.dot(vector, entry["vector"])) for entry, vector in zip(golden, vectors, strict=True))
    if least < GOLDEN_COSINE:
        message = (
            f"The embedder {embedder.name} gives other vectors here than where it was made (cosine {least:.3f}, not "
            f"{GOLDEN_COSINE} at least). Check the versions of fastembed and onnxruntime, or set `embedder: lexical`."
        )
        raise EmbedderError(message)
