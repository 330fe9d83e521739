"""The reader of the package: its file, and that a score depends on nothing but question and passage."""

from __future__ import annotations

import re
import shutil
import threading
from pathlib import Path

import pytest

from trueref_core.embedding.bundled_model import BUNDLED_FOLDER
from trueref_core.embedding.reader_model import READER_FILE, READER_FOLDER, ReaderModel
from trueref_core.errors import EmbedderError

QUESTION = "How do I keep the token out of the configuration file?"
PASSAGES = [
    "Guide > Authentication\nStore the token in the system keyring with `tool login --keyring`, or set the environment "
    "variable TOOL_TOKEN. Then the configuration file needs no token.",
    "Guide > Tokens\nA token is a word, a number or a sign. The tokenizer splits each line of a file into tokens.",
    "Guide > Configuration\nThe configuration file is read from the current directory.\n\n```toml\n[tool]\nname = 1\n```",
    "Changelog\nReleased on Monday.",
    "",
]


@pytest.fixture(scope="module")
def reader() -> ReaderModel:
    return ReaderModel()


def test_the_passage_that_answers_has_the_best_score(reader: ReaderModel) -> None:
    best, *others = reader.scores(QUESTION, PASSAGES)
    assert best > max(others)


def test_a_score_does_not_depend_on_the_other_passages(reader: ReaderModel) -> None:
    together = reader.scores(QUESTION, PASSAGES)
    assert together == [score for passage in PASSAGES for score in reader.scores(QUESTION, [passage])]
    assert together == reader.scores(QUESTION, PASSAGES[::-1])[::-1]
    assert reader.scores(QUESTION, []) == []


def test_several_threads_get_the_same_scores(reader: ReaderModel) -> None:
    alone = reader.scores(QUESTION, PASSAGES)
    found: list[list[float]] = []
    threads = [threading.Thread(target=lambda: found.append(reader.scores(QUESTION, PASSAGES))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [alone] * 4


def test_what_stands_behind_the_wordpieces_that_are_read_changes_nothing(reader: ReaderModel) -> None:
    long = "The kiln fires at night. " * 60
    assert reader.scores(QUESTION, [long]) == reader.scores(QUESTION, [long + "Use the keyring."])
    assert reader.scores(long, PASSAGES[:1]) == reader.scores(long + "Use the keyring.", PASSAGES[:1])


@pytest.mark.parametrize("at", [0, 1000, -1])
def test_a_damaged_file_is_refused(tmp_path: Path, at: int) -> None:
    folder = shutil.copytree(READER_FOLDER, tmp_path / "reader")
    data = bytearray((folder / READER_FILE).read_bytes())
    data[at] ^= 1
    (folder / READER_FILE).write_bytes(data)
    with pytest.raises(EmbedderError, match=re.escape(f"{READER_FILE} is damaged")) as caught:
        ReaderModel(folder)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EmbedderError, match=r"lacks reader\.gz"):
        ReaderModel(tmp_path)


def test_it_is_not_made_of_a_damaged_embedder(tmp_path: Path) -> None:
    folder = shutil.copytree(BUNDLED_FOLDER, tmp_path / "embedder")
    (folder / "model.onnx.gz").write_bytes(b"")
    with pytest.raises(EmbedderError, match="damaged"):
        ReaderModel(embedder=folder)
