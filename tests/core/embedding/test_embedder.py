from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.blocked import WITHOUT_NETWORK
from tests.sharing import bundled_embedder
from tokenizers import Tokenizer

from trueref_core.embedding import embedder
from trueref_core.embedding.bundled_model import (
    BUNDLED_DIMENSIONS,
    BUNDLED_FILES,
    BUNDLED_FOLDER,
    BundledModel,
    read_files,
    read_tokenizer,
)
from trueref_core.embedding.embedder import (
    Embedder,
    FastembedModel,
    load_embedder,
    prefix_of,
    resolve_embedder_name,
)
from trueref_core.errors import EmbedderError

if TYPE_CHECKING:
    from numpy.typing import NDArray


@pytest.fixture
def bundled() -> Embedder:
    return bundled_embedder()


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("bundled", "bundled/MiniLM-L6-docs@454eb4c4ed0d"),
        ("bundled/MiniLM-L6-docs@454eb4c4ed0d", "bundled/MiniLM-L6-docs@454eb4c4ed0d"),
        ("lexical", "lexical"),
        ("BAAI/bge-small-en-v1.5", "fastembed/BAAI/bge-small-en-v1.5"),
        ("fastembed/BAAI/bge-small-en-v1.5", "fastembed/BAAI/bge-small-en-v1.5"),
    ],
)
def test_an_option_is_resolved_to_the_name_of_an_embedder(option: str, name: str) -> None:
    assert resolve_embedder_name(option) == name


def test_lexical_is_no_embedder() -> None:
    assert load_embedder("lexical") is None


def test_vectors_have_length_one_and_their_size(bundled: Embedder) -> None:
    (vector,) = bundled.embed(["How do I change the color?"])
    assert vector.shape == (bundled.dimensions,) == (384,)
    assert vector.dtype == np.float32
    assert abs(float(np.linalg.norm(vector)) - 1) < 1e-5


def test_a_text_has_one_vector_whatever_is_embedded_with_it(bundled: Embedder) -> None:
    texts = [
        "short",
        "a rather longer text about anchors " * 20,
        "",
        "中文文档",
        "\0\ud800".encode("utf-8", "replace").decode(),
    ]
    together = list(bundled.embed(texts))
    alone = [next(bundled.embed([text])) for text in texts]
    assert all(np.array_equal(one, other) for one, other in zip(together, alone, strict=True))


def test_near_meanings_are_near(bundled: Embedder) -> None:
    color, palette, kernel = bundled.embed(["change the color", "set another palette", "compile a kernel module"])
    assert color @ palette > color @ kernel


def test_texts_are_taken_as_vectors_are_asked_for(bundled: Embedder) -> None:
    taken = 0

    def texts() -> Iterator[str]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield f"text {number}"

    vectors = bundled.embed(texts())
    next(vectors)
    assert taken < 10


def test_wordpieces_say_where_they_stand(bundled: Embedder) -> None:
    text = "Leave out with --no-deps, reproducibly"
    (read,) = bundled.embed_words([text])
    assert [text[start:end] for start, end in read.spans][:8] == ["Leave", "out", "with", "-", "-", "no", "-", "de"]
    assert read.words[7] == read.words[8]
    assert read.vectors.shape == (len(read.spans), 384)


def test_a_word_means_what_its_sentence_says(bundled: Embedder) -> None:
    texts = ["the bank of a river", "the bank lends money", "the bank of a lake"]
    river, money, lake = (read.vectors[1] for read in bundled.embed_words(texts))
    assert river @ lake > river @ money


@given(st.lists(st.text(max_size=400), max_size=3))
def test_wordpieces_of_any_text_lie_in_it_in_order_with_vectors_of_length_one(texts: list[str]) -> None:
    clean = [text.encode("utf-8", "replace").decode() for text in texts]
    embedder = bundled_embedder()
    for text, read in zip(clean, embedder.embed_words(clean), strict=True):
        assert len(read.spans) == len(read.words) == len(read.vectors) <= embedder.max_tokens
        assert all(0 <= start <= end <= len(text) for start, end in read.spans)
        assert list(read.words) == sorted(read.words)
        assert np.allclose(np.linalg.norm(read.vectors, axis=1), 1, atol=1e-5)


def test_the_prefix_of_a_model_changes_vectors_and_moves_no_span(bundled: Embedder) -> None:
    prefixed = Embedder("test", BundledModel(), BUNDLED_DIMENSIONS, 1, "query: ")
    (plain,), (read,) = bundled.embed_words(["dark mode"]), prefixed.embed_words(["dark mode"])
    assert read.spans == plain.spans == ((0, 4), (5, 9))
    assert not np.allclose(read.vectors, plain.vectors, atol=0.01)


def test_counts_all_wordpieces_of_a_long_text(bundled: Embedder) -> None:
    assert bundled.count_tokens("hello world") == 4
    assert bundled.count_tokens("word " * 600) == 602
    assert bundled.max_tokens == 256


def test_one_embedder_serves_several_threads(bundled: Embedder) -> None:
    found: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: found.extend(bundled.embed(["one text"]))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(np.array_equal(vector, found[0]) for vector in found)


@dataclass
class Crowd:
    """A model that gives no vector before as many texts are with it at once as the barrier has parties."""

    tokenizer: Tokenizer
    together: threading.Barrier

    def vector(self, text: str) -> NDArray[np.float32]:
        self.together.wait()
        return np.ones(3, np.float32)

    def rows(self, text: str) -> None:
        """None."""


@pytest.mark.parametrize("processors", [2, 3])
def test_as_many_texts_are_embedded_at_once_as_there_are_processors(
    monkeypatch: pytest.MonkeyPatch, processors: int
) -> None:
    tokenizer = Tokenizer.from_str(read_tokenizer().decode())
    crowd = Crowd(tokenizer, threading.Barrier(processors, timeout=60))
    monkeypatch.setattr(embedder, "checked_bundled_model", lambda: crowd)
    monkeypatch.setattr("os.cpu_count", lambda: processors)
    loaded = load_embedder("bundled")
    assert loaded is not None
    assert len(list(loaded.embed(str(number) for number in range(2 * processors)))) == 2 * processors


def test_a_text_alone_is_embedded_without_another_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A question need not wait until a busy machine starts a thread."""
    threads: list[int] = []

    class Noting(Crowd):
        def vector(self, text: str) -> NDArray[np.float32]:
            threads.append(threading.get_ident())
            return np.ones(3, np.float32)

    tokenizer = Tokenizer.from_str(read_tokenizer().decode())
    monkeypatch.setattr(embedder, "checked_bundled_model", lambda: Noting(tokenizer, threading.Barrier(1)))
    loaded = load_embedder("bundled")
    assert loaded is not None
    assert len(list(loaded.embed(iter(["one text"])))) == 1
    assert threads == [threading.get_ident()]
    assert len(list(loaded.embed(["one text", "another"]))) == 2
    assert threading.get_ident() not in threads[1:]
    assert list(loaded.embed([])) == []


def test_the_bundled_model_is_loaded_by_its_option_and_by_its_name() -> None:
    assert load_embedder("bundled", threads=1)
    assert load_embedder(resolve_embedder_name("bundled"), threads=1)


IN_THREADS = """
import threading
from trueref_core.embedding import embedder

first, loaded = embedder.BundledModel, []

def load():
    loaded.append(first())
    return loaded[-1]

embedder.BundledModel = load
at_once = threading.Barrier(4)
models = []

def ask(threads):
    at_once.wait()
    models.append(embedder.load_embedder("bundled", threads=threads))

asking = [threading.Thread(target=ask, args=(number,)) for number in (1, 2, 1, 2)]
for thread in asking:
    thread.start()
for thread in asking:
    thread.join()
print(len(models), len(loaded))
"""


def test_a_process_loads_the_bundled_model_once() -> None:
    """The preview of MkDocs builds, and answers beside it: it had the model twice, and again after each build."""
    done = subprocess.run([sys.executable, "-c", IN_THREADS], capture_output=True, text=True, check=True)
    assert done.stdout == "4 1\n"


def test_the_bundled_model_is_refused_where_it_gives_other_vectors() -> None:
    code = (
        "from trueref_core.embedding import embedder\n"
        "embedder.BundledModel = lambda model=embedder.BundledModel: model(max_wordpieces=64)\n"
        "embedder.load_embedder('bundled')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "gives other vectors here" in done.stderr


@pytest.mark.parametrize("file", list(BUNDLED_FILES))
def test_a_damaged_model_file_is_refused(tmp_path: Path, file: str) -> None:
    folder = shutil.copytree(BUNDLED_FOLDER, tmp_path / "model")
    data = bytearray((folder / file).read_bytes())
    data[len(data) // 2] ^= 1
    (folder / file).write_bytes(data)
    with pytest.raises(EmbedderError, match=re.escape(f"{file} is damaged")):
        read_files(folder)


def test_a_missing_model_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"lacks model\.onnx\.gz"):
        read_files(tmp_path)


def by_fastembed(pooling: str, folder: Path) -> Embedder:
    """The bundled model as fastembed runs it."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    (folder / "model.onnx").write_bytes(read_files(BUNDLED_FOLDER)["model.onnx.gz"])
    (folder / "tokenizer.json").write_bytes(read_tokenizer())
    (folder / "tokenizer_config.json").write_text('{"model_max_length": 256, "pad_token": "[PAD]"}')
    name = f"test/{pooling}-{folder.name}"
    source = ModelSource(url="file:test")
    TextEmbedding.add_custom_model(name, PoolingType(pooling), True, source, 384, model_file="model.onnx")
    model = TextEmbedding(name, specific_model_path=str(folder), threads=1)
    return Embedder(name, FastembedModel(model), 384, 1)


def test_fastembed_gives_the_same_vectors(bundled: Embedder, tmp_path: Path) -> None:
    texts = ["How do I change the color?", "", "word " * 600, "uv sync --no-dev", "\u4e2d\u6587\u6587\u6863"]
    theirs = by_fastembed("MEAN", tmp_path)
    assert (theirs.max_tokens, theirs.count_tokens(texts[2])) == (bundled.max_tokens, bundled.count_tokens(texts[2]))
    for mine, other in zip(bundled.embed(texts), theirs.embed(texts), strict=True):
        assert np.array_equal(mine, other)
    for words, others in zip(bundled.embed_words(texts), theirs.embed_words(texts), strict=True):
        assert (words.spans, words.words) == (others.spans, others.words)
        assert np.array_equal(words.vectors, others.vectors)


def test_loading_the_bundled_model_needs_no_fastembed() -> None:
    code = "import sys; from trueref_core.embedding.embedder import load_embedder; load_embedder('bundled')\nprint('fastembed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_golden_vectors_catch_another_pooling(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match="gives other vectors here"):
        embedder.check_golden(by_fastembed("CLS", tmp_path))


def test_golden_vectors_catch_another_truncation() -> None:
    cut_off = BundledModel(max_wordpieces=64)
    with pytest.raises(EmbedderError, match="gives other vectors here"):
        embedder.check_golden(Embedder("test", cut_off, 384, 1))


@pytest.mark.parametrize(
    ("model", "question", "text"),
    [
        ("intfloat/multilingual-e5-large", "query: ", "passage: "),
        ("nomic-ai/nomic-embed-text-v1.5-Q", "search_query: ", "search_document: "),
        ("sentence-transformers/paraphrase-multilingual-mpnet-base-v2", "", ""),
        ("BAAI/bge-small-en-v1.5", "", ""),
    ],
)
def test_the_prefix_of_a_model_depends_on_whether_a_question_is_embedded(model: str, question: str, text: str) -> None:
    assert (prefix_of(model, for_questions=True), prefix_of(model, for_questions=False)) == (question, text)


def test_a_prefix_is_embedded_and_counted(bundled: Embedder) -> None:
    asking = Embedder("fastembed/e5", BundledModel(), 384, 1, "query: ")
    assert np.array_equal(next(asking.embed(["a kettle"])), next(bundled.embed(["query: a kettle"])))
    assert asking.count_tokens("a kettle") == bundled.count_tokens("query: a kettle")


def test_onnxruntime_reports_nothing(tmp_path: Path) -> None:
    """Its reports begin with an id of the machine, kept in the cache of the user and among temporary files."""
    kept = {
        name: value for name, value in os.environ.items() if name not in ("ORT_DISABLE_TELEMETRY", "XDG_CACHE_HOME")
    }
    code = "from trueref_core.embedding.embedder import load_embedder; list(load_embedder('bundled').embed(['x']))"
    run = [sys.executable, "-c", code]
    subprocess.run(run, check=True, env=kept | {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)})
    written = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*") if path.is_file()}
    assert written == set()


def test_the_bundled_model_is_loaded_without_a_network() -> None:
    code = (
        WITHOUT_NETWORK
        + "from trueref_core.embedding.embedder import load_embedder; print(load_embedder('bundled').name)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "bundled/MiniLM-L6-docs@454eb4c4ed0d\n"


@pytest.mark.parametrize("name", ["nonsense", "", "BAAI/bge-small", "sentence-transformers/all-MiniLM-L6"])
def test_an_unknown_name_gives_choices_in_one_line(name: str) -> None:
    with pytest.raises(EmbedderError, match=r"Use `bundled`, `lexical`, or one of the .* such as `.*/.*`") as caught:
        load_embedder(name)
    assert "\n" not in str(caught.value)


def test_another_bundled_model_is_refused() -> None:
    with pytest.raises(
        EmbedderError, match=r"is not the bundled embedder, bundled/MiniLM-L6-docs@.*\. Use `bundled`\."
    ):
        load_embedder("bundled/MiniLM-L6-docs@000000000000")


def test_a_model_that_cannot_be_downloaded_is_one_line(tmp_path: Path) -> None:
    code = (
        "from trueref_core.embedding.embedder import load_embedder\nfrom trueref_core.errors import EmbedderError\n"
        "try: load_embedder('BAAI/bge-small-en-v1.5')\nexcept EmbedderError as error: print(error)"
    )
    env = os.environ | {"HF_HUB_OFFLINE": "1", "FASTEMBED_CACHE_PATH": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_NETWORK + code], capture_output=True, text=True, env=env, check=True
    )
    assert run.stdout.count("\n") == 1
    assert "BAAI/bge-small-en-v1.5 could not be loaded" in run.stdout
    assert run.stderr == ""
