"""The vectors by which a site without a server compares a question with its sections, as the files have them."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pytest

from trueref_plugin.build.build import index_site
from trueref_server.serving import static_vectors
from trueref_server.serving.static_answers import static_files

if TYPE_CHECKING:
    from numpy.typing import NDArray

PAGES = {
    "uninstall": ("en", "Uninstall", "The tool is deleted from the computer with all of its caches."),
    "colors": ("en", "Colors", "The palette has a dark scheme. The header is blue."),
    "speed": ("en", "Parallel runs", "Several workers run the tests at once, so that they end earlier."),
    "farben": ("de", "Farben", "Die Palette hat ein dunkles Schema. Der Kopf ist blau."),
}


def files_of(tmp_path: Path, embedder: str = "lexical") -> dict[str, Any]:
    """The files that a build of the pages leaves, decoded, by their names without digests."""
    site = tmp_path / "site"
    site.mkdir(exist_ok=True)
    for name, (language, title, text) in PAGES.items():
        body = f"<main><h1 id=one>{title}</h1><p>{text}</p></main>"
        (site / f"{name}.html").write_text(f"<!doctype html><html lang={language}><title>{title}</title>{body}")
    index_site(site, index=tmp_path / "index", embedder=embedder, name="demo")
    decoded: dict[str, Any] = {"terms": {}}
    for file in static_files(tmp_path / "index", "demo"):
        name = file.path.rpartition("/")[2].partition("-")[0].removesuffix(".json")
        content = msgspec.json.decode(file.data)
        if name == "terms":
            decoded["terms"].update({row[0]: row for row in content["rows"]})
        else:
            decoded[name] = content
    return decoded


def numbers_of(packed: str) -> NDArray[np.float64]:
    data = np.frombuffer(base64.b64decode(packed + "=" * (-len(packed) % 4)), dtype=np.uint8)
    return np.stack([data >> 4, data & 15], axis=1).reshape(-1) - 8.0


def word_of(files: dict[str, Any], word: str) -> NDArray[np.float64]:
    packed = files["terms"][word][3]
    weight = base64.b64decode(packed + "=" * (-len(packed) % 4))[0]
    return numbers_of(packed)[2:] * weight


def nearest(files: dict[str, Any], question: str) -> str:
    """The page of the section whose vector is nearest to the sum of the words of a question."""
    asked = np.sum([word_of(files, word) for word in question.split()], axis=0)
    sections = np.array([numbers_of(row) for row in files["vectors"]["rows"]])
    lengths = np.linalg.norm(sections, axis=1)
    cosines = sections @ asked[: sections.shape[1]] / np.where(lengths > 0, lengths, 1)
    page: str = files["sections"]["rows"][int(cosines.argmax())]["page"]
    return page.removesuffix(".html")


@pytest.mark.parametrize("embedder", ["lexical", "bundled"])
def test_a_question_in_other_words_is_near_what_answers(tmp_path: Path, embedder: str) -> None:
    """Whether the index has vectors of its own or not. The site has none of these words."""
    files = files_of(tmp_path, embedder)
    words = "remove program", "faster testing"
    asked = {word for question in words for word in question.split()}
    assert not {word for word in asked if files["terms"][word][2]}
    assert [nearest(files, question) for question in words] == ["uninstall", "speed"]


def test_a_form_of_a_word_of_the_site_has_its_stem(tmp_path: Path) -> None:
    """A common word that the site does not have is found by the postings of another form."""
    files = files_of(tmp_path)
    word, stem, postings, vector = files["terms"]["header"]
    assert (word, stem, bool(postings)) == ("header", "", True)
    assert vector
    assert files["terms"]["testing"][1:3] == ["test", []]
    assert files["terms"]["remove"][1:3] == ["", []]


def test_stop_words_have_no_vector(tmp_path: Path) -> None:
    files = files_of(tmp_path)
    assert files["terms"]["the"][3] == ""


def test_a_page_in_another_language_is_compared_by_words_alone(tmp_path: Path) -> None:
    files = files_of(tmp_path)
    pages = [row["page"] for row in files["sections"]["rows"]]
    (packed,) = [
        row for page, row in zip(pages, files["vectors"]["rows"], strict=True) if page.removesuffix(".html") == "farben"
    ]
    assert not numbers_of(packed).any()


def test_a_large_site_has_half_the_dimensions_and_a_larger_one_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = len(numbers_of(files_of(tmp_path)["vectors"]["rows"][0]))
    monkeypatch.setattr(static_vectors, "HALF_FROM", len(PAGES))
    halved = files_of(tmp_path)
    assert len(numbers_of(halved["vectors"]["rows"][0])) == whole // 2
    assert nearest(halved, "remove program") == "uninstall"
    monkeypatch.setattr(static_vectors, "NONE_FROM", len(PAGES))
    none = files_of(tmp_path)
    assert none["index"]["vectors"] == ""
    assert {row[3] for row in none["terms"].values()} == {""}
    assert "remove" not in none["terms"]


def test_a_site_in_another_language_has_no_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.PAGES", {"farben": PAGES["farben"]})
    files = files_of(tmp_path)
    assert (files["index"]["vectors"], "vectors" in files) == ("", False)
    assert "remove" not in files["terms"]


def test_a_section_names_the_language_of_its_page(tmp_path: Path) -> None:
    """A screen reader speaks the card of a page in German on an English page."""
    rows = files_of(tmp_path)["sections"]["rows"]
    assert {row["page"].removesuffix(".html"): row["language"] for row in rows} == {
        name: language for name, (language, _, _) in PAGES.items()
    }


def test_a_large_index_has_the_vectors_of_the_embedder_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The vectors of an index of many chunks are not kept in memory, though a site of it may have few sections."""
    in_memory = files_of(tmp_path, "bundled")["vectors"]["rows"]
    monkeypatch.setattr("trueref_core.tables.table_writer.MAX_FLAT", 1)
    assert files_of(tmp_path, "bundled")["vectors"]["rows"] == in_memory
    assert files_of(tmp_path, "lexical")["vectors"]["rows"] != in_memory


PAGES_OF_SITES: dict[str, dict[str, tuple[str, str, str]]] = {
    "no section": {"empty": ("en", "", "")},
    "one section": {"one": ("en", "Colors", "The palette has a dark scheme.")},
    "no word": {"signs": ("", "?!", "→ ✓ …")},
    "stop words": {"to": ("en", "How to", "It is what it is.")},
}


@pytest.mark.parametrize("pages", PAGES_OF_SITES.values(), ids=PAGES_OF_SITES)
@pytest.mark.parametrize("embedder", ["lexical", "bundled"])
def test_a_site_of_hardly_anything_has_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pages: dict[str, tuple[str, str, str]], embedder: str
) -> None:
    monkeypatch.setattr(f"{__name__}.PAGES", pages)
    files = files_of(tmp_path, embedder)
    count = files["index"]["sections"]
    assert len(files.get("sections", {"rows": []})["rows"]) == count
    assert len(files.get("vectors", {"rows": []})["rows"]) in (0, count)


def test_words_in_other_scripts_are_compared_as_words_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A theme calls a page English that nobody translated: letters of other scripts mean nothing to the embedder."""
    pages = {"zh": ("en", "代理", "配置代理服务器 proxy"), "ru": ("en", "Файл", "Файл настройки")}
    monkeypatch.setattr(f"{__name__}.PAGES", pages)
    files = files_of(tmp_path)
    assert {word: bool(row[3]) for word, row in files["terms"].items() if row[2]} == {
        word: word.isascii() for word, row in files["terms"].items() if row[2]
    }
    by_page = {
        row["page"].removesuffix(".html"): packed
        for row, packed in zip(files["sections"]["rows"], files["vectors"]["rows"], strict=True)
    }
    assert by_page["zh"] != by_page["ru"]
    assert numbers_of(by_page["zh"]).any()
