"""PDFs as sources: cited by page, and given by their ids: whole, in parts, and never by a path."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from tests.plugin.pdfs import write_pdf, write_site
from tests.server.connecting import PREFIX, connect
from tests.server.serving.test_companion import serving

from trueref_plugin.build.build import index_site
from trueref_server.http.responses.file_responses import RangedFileResponse

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

pytestmark = pytest.mark.anyio

NAME = 'Größe "57".pdf'


@pytest.fixture(scope="module")
def manuals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a PDF of a hundred pages, an index of it, and a site with a PDF of its own."""
    folder = tmp_path_factory.mktemp("manuals")
    pages = [
        [f"Chapter {n} is about topic{n}.", "", f"The torque of bolt{n} is {n * 3} newton metres."]
        for n in range(1, 101)
    ]
    (folder / "pdf").mkdir()
    write_pdf(folder / "pdf" / NAME, pages, title="Bolts")
    site = write_site(folder / "site")
    write_pdf(site / "nuts.pdf", [["Nuts are round."], ["The wrench size of nut2 is nine."]], title="Nuts")
    index_site(site, index=folder / "index", name="docs", embedder="lexical", pdf=[folder / "pdf"])
    return folder


@pytest.fixture
async def client(manuals: Path, anyio_backend: str) -> AsyncIterator[httpx.AsyncClient]:
    async with connect(manuals / "index") as client:
        yield client


async def source_of(client: httpx.AsyncClient, question: str) -> dict[str, object]:
    answer = (await client.post(f"{PREFIX}/ask", json={"question": question})).json()
    source: dict[str, object] = answer["sources"][0]
    return source


async def address(client: httpx.AsyncClient) -> str:
    """Where the unpublished PDF is."""
    return str((await source_of(client, "torque of bolt57"))["href"]).partition("#")[0]


async def test_an_answer_from_page_57_is_cited_as_page_57(client: httpx.AsyncClient) -> None:
    source = await source_of(client, "What is the torque of bolt57?")
    assert source["section"] == f"Page 57 of {NAME}"
    assert (source["title"], source["kind"], source["page_number"], source["url"]) == ("Bolts", "pdf", 57, None)
    href = str(source["href"])
    assert href.startswith(f"{PREFIX}/documents/")
    assert href.endswith("#page=57")
    assert "171 newton metres" in str(source["quote"])


async def test_a_pdf_of_the_site_is_cited_at_its_own_address(client: httpx.AsyncClient) -> None:
    source = await source_of(client, "wrench size of nut2")
    assert (source["section"], source["href"], source["page_number"]) == ("Page 2 of nuts.pdf", "nuts.pdf#page=2", 2)


async def test_at_most_five_sources_and_none_twice(client: httpx.AsyncClient) -> None:
    answer = (await client.post(f"{PREFIX}/ask", json={"question": "torque newton metres chapter topic"})).json()
    hrefs = [source["href"] for source in answer["sources"]]
    assert 1 < len(hrefs) <= 5
    assert len(set(hrefs)) == len(hrefs)


async def test_search_has_the_same_labels_and_addresses(client: httpx.AsyncClient) -> None:
    found = (await client.get(f"{PREFIX}/search", params={"q": "bolt57"})).json()["results"][0]
    assert found["section"] == f"Page 57 of {NAME}"
    assert found["href"].startswith(f"{PREFIX}/documents/")


async def test_a_document_is_sent_to_be_shown_and_not_saved(client: httpx.AsyncClient, manuals: Path) -> None:
    where = await address(client)
    data = (manuals / "pdf" / NAME).read_bytes()
    for method in ("GET", "HEAD"):
        response = await client.request(method, where)
        assert response.status_code == 200
        assert response.content == (data if method == "GET" else b"")
        assert response.headers["content-length"] == str(len(data))
        assert response.headers["content-type"] == "application/pdf"
        assert response.headers["content-disposition"] == "inline; filename*=utf-8''Gr%C3%B6%C3%9Fe%20%2257%22.pdf"
        assert response.headers["x-content-type-options"] == "nosniff"
        assert "sandbox" in response.headers["content-security-policy"]
        assert response.headers["accept-ranges"] == "bytes"


async def test_parts_of_a_pdf_are_given(client: httpx.AsyncClient, manuals: Path) -> None:
    where, data = await address(client), (manuals / "pdf" / NAME).read_bytes()
    size = len(data)
    tag = (await client.head(where)).headers["etag"]
    for asked, start, end in [("0-99", 0, 100), ("100-", 100, size), ("-10", size - 10, size)]:
        response = await client.get(where, headers={"Range": f"bytes={asked}", "If-Range": tag})
        assert response.status_code == 206
        assert response.content == data[start:end]
        assert response.headers["content-range"] == f"bytes {start}-{end - 1}/{size}"
    whole = await client.get(where, headers={"Range": "bytes=0-99", "If-Range": '"another"'})
    assert (whole.status_code, whole.content) == (200, data)


async def test_a_client_that_has_the_document_is_sent_it_no_second_time(client: httpx.AsyncClient) -> None:
    where = await address(client)
    tag = (await client.get(where)).headers["etag"]
    response = await client.get(where, headers={"If-None-Match": tag})
    assert (response.status_code, response.content) == (304, b"")


async def test_a_range_that_there_is_not_is_refused_as_json(client: httpx.AsyncClient, manuals: Path) -> None:
    response = await client.get(await address(client), headers={"Range": "bytes=9999999-"})
    assert response.status_code == 416
    assert response.headers["content-range"] == f"bytes */{(manuals / 'pdf' / NAME).stat().st_size}"
    assert response.json()["error"]["code"] == "no-such-range"


@pytest.mark.parametrize("asked", ["bytes=5-1", "lines=1-2", "bytes=x", "x", ""])
async def test_a_range_that_cannot_be_understood_is_ignored(
    client: httpx.AsyncClient, manuals: Path, asked: str
) -> None:
    response = await client.get(await address(client), headers={"Range": asked})
    assert (response.status_code, response.content) == (200, (manuals / "pdf" / NAME).read_bytes())


@pytest.mark.parametrize("headers", [{}, {"Range": "bytes=0-9"}, {"Range": "bytes=0-1,5-9"}, {"Range": "bytes=x"}])
async def test_a_document_that_is_deleted_before_its_bytes_are_read_is_missing(
    manuals: Path, tmp_path: Path, anyio_backend: str, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    """As when a build removes the generation meanwhile."""
    shutil.copytree(manuals / "index", tmp_path / "copy")
    open_file = RangedFileResponse.__call__

    async def delete_first(response: RangedFileResponse, scope: Scope, receive: Receive, send: Send) -> None:
        Path(response.path).unlink()
        await open_file(response, scope, receive, send)

    monkeypatch.setattr(RangedFileResponse, "__call__", delete_first)
    async with connect(tmp_path / "copy") as client:
        response = await client.get(await address(client), headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (404, "not-found")


async def test_a_page_of_another_origin_may_fetch_any_range(manuals: Path, anyio_backend: str) -> None:
    """Browsers ask first for a range of the last bytes; then the page has to know which bytes came."""
    origin = "https://docs.example.org"
    asked = {"origin": origin, "access-control-request-method": "GET"}
    async with connect(manuals / "index", allowed_origins=(origin,)) as client:
        where = await address(client)
        preflight = await client.options(where, headers={**asked, "access-control-request-headers": "if-range,range"})
        part = await client.get(where, headers={"origin": origin, "Range": "bytes=-10"})
    assert preflight.status_code == 200
    assert part.status_code == 206
    exposed = part.headers["access-control-expose-headers"].split(", ")
    assert {"Accept-Ranges", "Content-Range", "ETag"} <= {*exposed}


@pytest.mark.parametrize(
    "key",
    [
        "0" * 32,
        "nuts.pdf",
        "..%2f..%2fgeneration.json",
        "..",
        "%2e%2e%2fmanifest.json",
        "%00",
        "_documents",
        "d" * 5000,
        "%ff",
    ],
)
async def test_a_key_that_is_no_id_of_a_document_leads_nowhere(client: httpx.AsyncClient, key: str) -> None:
    response = await client.get(f"{PREFIX}/documents/{key}")
    assert response.status_code == 404
    assert "%PDF" not in response.text


async def test_a_response_that_is_no_document_has_the_strict_policy(client: httpx.AsyncClient) -> None:
    response = await client.get(f"{PREFIX}/healthz")
    assert response.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'"


async def test_a_copied_index_has_its_documents(manuals: Path, tmp_path: Path, anyio_backend: str) -> None:
    shutil.copytree(manuals / "index", tmp_path / "copy")
    async with connect(tmp_path / "copy") as client:
        assert (await client.get(await address(client))).content == (manuals / "pdf" / NAME).read_bytes()


def test_a_preview_gives_parts_too(manuals: Path) -> None:
    with serving(manuals / "index") as (host, port):
        base = f"http://{host}:{port}"
        answer = httpx.post(f"{base}{PREFIX}/ask", json={"question": "torque of bolt57"}, timeout=None).json()
        response = httpx.get(
            base + answer["sources"][0]["href"].partition("#")[0], headers={"Range": "bytes=0-4"}, timeout=None
        )
    assert (response.status_code, response.content) == (206, b"%PDF-")
