"""Vectors of a published index, from a folder and from a real web server."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest
from tests.plugin.pages import page

from trueref_core.errors import OptionError
from trueref_core.generations.content import IndexContent
from trueref_core.generations.publication import publish
from trueref_core.generations.served_generation import (
    open_index,
    read_generation,
    read_manifest,
    served_build,
    verified_vectors,
)
from trueref_core.records import Chunk, TextVectors
from trueref_core.storage.sealed_folders import SUMS, seal
from trueref_core.version import SCHEMA_VERSION
from trueref_plugin.build.build import IndexReport, index_site
from trueref_plugin.progress import Reporter


class Heard(Reporter):
    def __init__(self) -> None:
        self.lines: list[str] = []

    def note(self, line: str) -> None:
        self.lines.append(line)

    def warn(self, line: str) -> None:
        self.lines.append(line)


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name is the base class's
        """Says nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "site"
    folder.mkdir()
    parts = "".join(f'<h2 id="s{number}">Section {number}</h2><p>Text {number}.</p>' for number in range(45))
    (folder / "index.html").write_text(page(f'<h1 id="home">Home</h1>{parts}'))
    return folder


@pytest.fixture
def published(site: Path, tmp_path: Path) -> Path:
    index_site(site, index=tmp_path / "published")
    return tmp_path / "published"


@pytest.fixture
def server(published: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(published))) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{running.server_address[1]}"
        running.shutdown()


def build(site: Path, folder: Path, reuse: str, heard: Reporter | None = None) -> IndexReport:
    return index_site(site, index=folder / "new", reuse=reuse, report=heard)


def stored(index: Path) -> dict[str, tuple[bytes, bytes]]:
    """The vector and the packed wordpieces of each text of an index, by its hash."""
    vectors = verified_vectors(served_build(index), None)
    return {key: (of_text.vector.tobytes(), of_text.wordpieces) for key, of_text in vectors.items()}


def test_vectors_of_a_published_folder_are_reused(site: Path, published: Path, tmp_path: Path) -> None:
    assert build(site, tmp_path, str(published)).embedded == 0
    assert stored(tmp_path / "new") == stored(published)


def test_vectors_at_an_address_are_reused(site: Path, published: Path, server: str, tmp_path: Path) -> None:
    heard = Heard()
    assert build(site, tmp_path, f"{server}/", heard).embedded == 0
    assert heard.lines[-1] == f"Reused 45 of 45 vectors from {server}/."
    assert stored(tmp_path / "new") == stored(published)
    assert all(len(wordpieces) > 48 for _, wordpieces in stored(published).values())


@pytest.mark.parametrize("by", ["address", "folder"])
def test_vectors_of_another_layout_are_not_reused(
    site: Path, published: Path, server: str, tmp_path: Path, by: str
) -> None:
    file = served_build(published) / "generation.json"
    file.write_text(file.read_text().replace(f'"schema":{SCHEMA_VERSION}', f'"schema":{SCHEMA_VERSION - 1}'))
    reseal(published)
    heard = Heard()
    assert build(site, tmp_path, server if by == "address" else str(published), heard).embedded == 45
    (line,) = [line for line in heard.lines if line.startswith("Nothing is reused from ")]
    assert f"has schema {SCHEMA_VERSION - 1}, this version reads {SCHEMA_VERSION}" in line


def test_an_unchanged_site_fetches_no_vectors(site: Path, server: str, tmp_path: Path) -> None:
    build(site, tmp_path, server)
    heard = Heard()
    assert build(site, tmp_path, "http://127.0.0.1:1/gone", heard).changed is False
    assert heard.lines == []


@pytest.mark.parametrize(
    ("address", "warning"),
    [
        ("{server}/elsewhere", "the server answers 404"),
        ("http://127.0.0.1:1/", "Connection refused"),
        ("missing/folder", "No index at missing/folder."),
    ],
)
def test_where_nothing_is_published_all_is_embedded_and_the_reason_said(
    site: Path, server: str, tmp_path: Path, address: str, warning: str
) -> None:
    """A first build has nothing to go on from: that is no mistake."""
    heard = Heard()
    assert build(site, tmp_path, address.format(server=server), heard).embedded == 45
    assert heard.lines[0].startswith("Nothing is reused from ")
    assert warning in heard.lines[0]


@pytest.mark.parametrize("file", ["generation.json", "tables/chunks.lance", "SHA256SUMS", "../../current.json"])
def test_a_damaged_index_is_not_used(site: Path, published: Path, server: str, tmp_path: Path, file: str) -> None:
    path = served_build(published) / file
    path = next(item for item in path.rglob("*.lance") if item.is_file()) if path.is_dir() else path
    path.write_bytes(b"{" + path.read_bytes()[1:-9] + b"123456789")
    heard = Heard()
    assert build(site, tmp_path, server, heard).embedded == 45
    assert heard.lines[0].startswith(f"Nothing is reused from {server}: ")


def test_vectors_of_another_embedder_are_not_reused(site: Path, server: str, tmp_path: Path, published: Path) -> None:
    index_site(site, index=published, embedder="lexical")
    heard = Heard()
    assert build(site, tmp_path, server, heard).embedded == 45
    assert heard.lines[0] == f"Nothing is reused from {server}: it has no vectors (embedder lexical)."


def test_another_scheme_is_refused(site: Path, tmp_path: Path) -> None:
    with pytest.raises(
        OptionError, match=r"^An index to reuse must be an http or https address, which ftp://x is not\.$"
    ):
        build(site, tmp_path, "ftp://x")


def reseal(index: Path) -> None:
    """Makes the sums fit whatever the files hold now."""
    folder = served_build(index)
    (folder / SUMS).unlink()
    seal(folder)


def publish_with(index: Path, value: float, dimensions: int, wordpieces: bytes = b"") -> None:
    """Publishes the chunks of an index again, all with a vector of so many components of this value."""

    async def chunks_of() -> tuple[Chunk, ...]:
        opened = await open_index(index)
        chunks = await opened.chunks(opened.rows.ids)
        await opened.close()
        return tuple(chunks.values())

    generation, pages, chunks = read_generation(index), read_manifest(index).pages(), asyncio.run(chunks_of())
    vectors = {chunk.text_hash: TextVectors(np.full(dimensions, value, np.float32), wordpieces) for chunk in chunks}
    content = IndexContent(
        generation.sites, tuple(pages), (), chunks, (), (), generation.recipes, generation.embedder, dimensions, vectors
    )
    assert publish(index, content).changed


def write_whole_numbers(index: Path) -> None:
    """Makes the table say that the components of its vectors are whole numbers, which take as many bytes."""
    table = served_build(index) / "tables" / "chunks.lance"
    changed = [path for path in table.rglob("*") if path.is_file() and FLOATS in path.read_bytes()]
    assert changed
    for path in changed:
        path.write_bytes(path.read_bytes().replace(FLOATS, WHOLE_NUMBERS))
    reseal(index)


FLOATS, WHOLE_NUMBERS = b"fixed_size_list:float:", b"fixed_size_list:int32:"


@pytest.mark.parametrize("by", ["address", "folder"])
@pytest.mark.parametrize(
    ("change", "warning"),
    [
        (write_whole_numbers, "45 vectors from "),
        (partial(publish_with, value=1.0, dimensions=3), "45 vectors from "),
        (partial(publish_with, value=float("inf"), dimensions=256), "45 vectors from "),
        (partial(publish_with, value=384**-0.5, dimensions=384, wordpieces=b"\1\0\2\0cut off"), "45 vectors from "),
    ],
    ids=["whole numbers", "short", "infinite", "wordpieces"],
)
def test_vectors_that_cannot_be_vectors_are_not_reused(
    site: Path, published: Path, server: str, tmp_path: Path, by: str, change: Callable[[Path], None], warning: str
) -> None:
    change(published)
    heard = Heard()
    assert build(site, tmp_path, server if by == "address" else str(published), heard).embedded == 45
    assert warning in heard.lines[0]


def test_garbage_with_right_sums_is_not_reused_and_names_no_temporary_file(
    site: Path, published: Path, server: str, tmp_path: Path
) -> None:
    for path in (served_build(published) / "tables/chunks.lance").rglob("*"):
        if path.is_file():
            path.write_bytes(b"garbage" * 99)
    reseal(published)
    heard = Heard()
    assert build(site, tmp_path, server, heard).embedded == 45
    (line,) = [line for line in heard.lines if line.startswith("Nothing is reused from ")]
    assert "cannot be read" in line
    assert "/tmp" not in line


def test_vectors_at_an_address_that_is_not_ascii_are_reused(
    site: Path, published: Path, server: str, tmp_path: Path
) -> None:
    shutil.copytree(published, published / "für uns")
    assert build(site, tmp_path, f"{server}/für uns").embedded == 0


class Elsewhere(Quiet):
    def do_GET(self) -> None:
        self.send_response(302)
        self.send_header("Location", "ftp://example.org/")
        self.end_headers()


def test_a_redirect_out_of_the_web_is_not_followed(site: Path, tmp_path: Path) -> None:
    heard = Heard()
    with ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        assert build(site, tmp_path, f"http://127.0.0.1:{running.server_address[1]}", heard).embedded == 45
        running.shutdown()
    assert "The target of a redirect must be an http or https address" in heard.lines[0]


def test_all_files_that_are_fetched_share_one_limit_of_bytes(
    site: Path, server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Each file is smaller than this, all of them are not.
    sizes = [path.stat().st_size for path in tmp_path.rglob("tables/chunks.lance/**/*") if path.is_file()]
    monkeypatch.setattr("trueref_plugin.build.published_vectors.MAX_BYTES", max(sizes) + 100)
    heard = Heard()
    assert build(site, tmp_path, server, heard).embedded == 45
    assert "MB that may still be fetched" in heard.lines[0]


def test_a_list_of_files_that_is_too_large_is_not_read(
    site: Path, published: Path, server: str, tmp_path: Path
) -> None:
    (published / "current.json").write_bytes(b" " * (4 * 1024**2 + 1))
    heard = Heard()
    assert build(site, tmp_path, server, heard).embedded == 45
    assert "current.json is larger than the 4 MB" in heard.lines[0]
