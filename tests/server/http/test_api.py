from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.server.connecting import PREFIX, connect
from tests.server.handmade import publish_demo
from tests.waiting import wait_until_async

from trueref_widget import FILES, file_bytes

if TYPE_CHECKING:
    import httpx

pytestmark = pytest.mark.anyio

SITE = "https://docs.example.org"


async def test_a_search_gives_as_many_results_as_asked_for(client: httpx.AsyncClient) -> None:
    results = (await client.get(f"{PREFIX}/search", params={"q": "dark mode", "limit": 3})).json()["results"]
    assert 1 <= len(results) <= 3
    assert results[0]["page"] == "setup/colors/"
    assert results[0]["anchor"] == "dark-mode"
    assert results[0]["url"] == f"{SITE}/demo/setup/colors/#dark-mode"


@pytest.mark.parametrize(
    "query", ["", "q=", "q=%20", "q=a&limit=0", "q=a&limit=51", "q=a&limit=x", "limit=3", "q=" + "a" * 2001]
)
async def test_a_wrong_search_is_refused_with_a_hint(client: httpx.AsyncClient, query: str) -> None:
    response = await client.get(f"{PREFIX}/search?{query}")
    assert response.status_code == 422
    assert response.json()["error"]["hint"]


@pytest.mark.parametrize("query", ["q=zzzzzz", "q=%F0%9F%A4%94", "q=%00", "q=%ff", "q=dark&other=1"])
async def test_an_odd_search_is_answered(client: httpx.AsyncClient, query: str) -> None:
    assert (await client.get(f"{PREFIX}/search?{query}")).status_code == 200


@pytest.mark.parametrize(
    ("link", "page", "status", "href"),
    [
        ("setup/colors/#dark-mode", None, "exact", "setup/colors/#dark-mode"),
        ("#dark-mode", "setup/colors/", "exact", "setup/colors/#dark-mode"),
        ("../../install/#gr%C3%B6%C3%9Fe", "setup/colors/", "exact", "install/#gr%C3%B6%C3%9Fe"),
        ("setup/colors/#none", None, "page-only", "setup/colors/"),
        ("nowhere/", None, "unlinked", None),
        ("https://example.com/", None, "external", None),
    ],
)
async def test_a_link_is_resolved_as_from_its_page(
    client: httpx.AsyncClient, link: str, page: str | None, status: str, href: str | None
) -> None:
    parameters = {"link": link} | ({"page": page} if page is not None else {})
    reference = (await client.get(f"{PREFIX}/resolve", params=parameters)).json()
    assert (reference["status"], reference["href"]) == (status, href)


@pytest.mark.parametrize("query", ["", "link=", "link=" + "a" * 2049])
async def test_a_wrong_link_to_resolve_is_refused(client: httpx.AsyncClient, query: str) -> None:
    assert (await client.get(f"{PREFIX}/resolve?{query}")).status_code == 422


async def test_the_references_of_a_text_are_checked(client: httpx.AsyncClient) -> None:
    text = "[dark](#dark-mode) [pip](../../install/#with_pip) https://evil.net/ [1] [3]"
    body = {"text": text, "page": "setup/colors/", "sources": 2}
    checked = (await client.post(f"{PREFIX}/references", json=body)).json()
    links = f"[dark]({SITE}/demo/setup/colors/#dark-mode) [pip]({SITE}/demo/install/#with-pip)"
    assert checked["text"] == f"{links} [1]"
    assert [found["decision"] for found in checked["references"]] == ["passed", "corrected", "removed"]
    assert checked["references"][2]["status"] == "external"
    assert checked["counts"] == {"checked": 3, "corrected": 1, "removed": 1}


@pytest.mark.parametrize("body", [{}, {"text": 1}, {"text": "a", "sources": -1}, {"text": "a", "other": 1}])
async def test_a_wrong_text_to_check_is_refused_with_a_hint(client: httpx.AsyncClient, body: dict[str, object]) -> None:
    response = await client.post(f"{PREFIX}/references", json=body)
    assert response.status_code == 422
    assert response.json()["error"]["hint"]


async def test_the_probes_tell_health_and_what_is_served(client: httpx.AsyncClient) -> None:
    assert (await client.get(f"{PREFIX}/healthz")).json() == {"status": "ok"}
    ready = (await client.get(f"{PREFIX}/readyz")).json()
    assert ready["status"] == "ready"
    assert ready["embedder"] == "lexical"
    assert ready["vectors"] is False
    assert len(ready["generation"]) == 24


async def no_folder_is_shown_to_strangers(client: httpx.AsyncClient, folder: Path) -> None:
    """Whatever is asked of a server without an index that it can read; its log has the rest."""
    question = {"question": "dark mode"}
    responses = [
        await client.post(f"{PREFIX}/ask", json=question),
        await client.post(f"{PREFIX}/ask", json=question | {"stream": True}),
        await client.post(f"{PREFIX}/references", json={"text": "[a](b)"}),
        *[
            await client.get(f"{PREFIX}/{route}")
            for route in ("readyz", "search?q=dark", "resolve?link=a", "manifest", "documents/0", "widget/build.json")
        ],
    ]
    assert {response.status_code for response in responses} == {503}
    assert [
        response.text for response in responses if str(folder) in response.text or folder.name in response.text
    ] == []


async def test_the_server_is_not_ready_until_there_is_an_index(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index = tmp_path / "later"
    async with connect(index) as client:
        assert (await client.get(f"{PREFIX}/healthz")).status_code == 200
        refused = await client.get(f"{PREFIX}/readyz")
        assert refused.status_code == 503
        assert refused.json()["error"]["code"] == "index-unavailable"
        await no_folder_is_shown_to_strangers(client, tmp_path)
        assert f"No index at {index}" in caplog.text
        generation = publish_demo(index)

        async def served() -> str | None:
            ready: dict[str, str] = (await client.get(f"{PREFIX}/readyz")).json()
            return ready.get("generation")

        assert await wait_until_async(served) == generation.id


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", f"{PREFIX}/nothing", 404),
        ("GET", f"{PREFIX}/", 404),
        ("GET", f"{PREFIX}/ask/", 404),
        ("GET", "/", 404),
        ("GET", "/elsewhere", 404),
        ("GET", f"{PREFIX}/ask", 405),
        ("POST", f"{PREFIX}/search", 405),
        ("DELETE", f"{PREFIX}/healthz", 405),
        ("GET", f"{PREFIX}/widget/..%2f__init__.py", 404),
        ("GET", f"{PREFIX}/widget/none.js", 404),
    ],
)
async def test_an_unknown_route_or_method_is_refused_in_json_with_a_hint(
    client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    response = await client.request(method, path)
    assert response.status_code == status
    assert ("allow" in response.headers) is (status == 405)
    error = response.json()["error"]
    assert error["code"]
    assert error["message"]
    assert error["hint"]
    assert "location" not in response.headers


async def test_every_response_has_the_security_headers(client: httpx.AsyncClient) -> None:
    for path in (f"{PREFIX}/healthz", f"{PREFIX}/search?q=dark", f"{PREFIX}/nothing", f"{PREFIX}/search", "/nothing"):
        headers = (await client.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert "frame-ancestors 'none'" in headers["content-security-policy"]


async def test_another_site_may_not_ask_unless_it_is_allowed(client: httpx.AsyncClient) -> None:
    response = await client.get(f"{PREFIX}/search?q=dark", headers={"origin": SITE})
    assert "access-control-allow-origin" not in response.headers
    preflight = await client.options(f"{PREFIX}/ask", headers={"origin": SITE, "access-control-request-method": "POST"})
    assert preflight.status_code == 400
    assert "TRUEREF_ALLOWED_ORIGINS" in preflight.json()["error"]["hint"]
    assert preflight.headers["x-content-type-options"] == "nosniff"


async def test_who_runs_the_server_is_told_once_a_minute_which_site_was_refused(
    client: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    """A page on another host whose script is blocked shows no button, and says nothing."""
    own = {"origin": "https://ask.example.org", "host": "ask.example.org"}
    await client.post(f"{PREFIX}/references", json={"text": "x"}, headers=own)
    assert caplog.messages == []
    for origin in (SITE, "https://other.example.org"):
        await client.get(f"{PREFIX}/widget/{FILES[0]}", headers={"origin": origin})
        await client.options(f"{PREFIX}/ask", headers={"origin": origin, "access-control-request-method": "POST"})
    assert caplog.messages == [f"Browsers block answers for pages of {SITE}: add it to TRUEREF_ALLOWED_ORIGINS"]


async def test_an_allowed_site_may_ask_and_read_refusals(index: Path) -> None:
    ask = {"origin": SITE, "access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    async with connect(index, allowed_origins=(SITE,)) as client:
        preflight = await client.options(f"{PREFIX}/ask", headers=ask)
        assert preflight.status_code == 200
        assert preflight.headers["access-control-allow-origin"] == SITE
        # The widget reads refusals too.
        for path in ("search?q=dark", "search", "nothing"):
            response = await client.get(f"{PREFIX}/{path}", headers={"origin": SITE})
            assert response.headers["access-control-allow-origin"] == SITE
            assert "access-control-allow-credentials" not in response.headers
        other = await client.get(f"{PREFIX}/search?q=dark", headers={"origin": "https://docs.example.org.evil.test"})
        assert "access-control-allow-origin" not in other.headers


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        ({"access-control-request-headers": "x-foo"}, "Disallowed CORS headers"),
        ({"access-control-request-method": "DELETE"}, "Disallowed CORS method"),
        ({"access-control-request-private-network": "true"}, "Disallowed CORS private-network"),
    ],
)
async def test_an_allowed_site_is_told_what_else_it_may_not_send(
    index: Path, caplog: pytest.LogCaptureFixture, refused: dict[str, str], message: str
) -> None:
    async with connect(index, allowed_origins=(SITE,)) as client:
        headers = {"origin": SITE, "access-control-request-method": "POST"} | refused
        preflight = await client.options(f"{PREFIX}/ask", headers=headers)
    error = preflight.json()["error"]
    assert (preflight.status_code, error["code"], error["message"]) == (400, "request-not-allowed", message)
    assert error["hint"] == (
        "Send GET or POST, with no other headers than accept, accept-language, content-language, content-type, "
        "if-range, range, and not from a public into a private network."
    )
    assert caplog.messages == []


async def test_under_another_prefix_all_routes_move(index: Path) -> None:
    async with connect(index, prefix="/docs/ask-me") as client:
        assert (await client.get("/docs/ask-me/healthz")).status_code == 200
        assert (await client.get(f"{PREFIX}/healthz")).status_code == 404
        assert (await client.get("/docs/ask-me/openapi.json")).json()["servers"] == [{"url": "/docs/ask-me"}]


async def test_the_files_of_the_widget_are_served_and_kept(client: httpx.AsyncClient) -> None:
    for name in FILES:
        response = await client.get(f"{PREFIX}/widget/{name}")
        assert response.content == file_bytes(name)
        assert response.headers["content-type"].startswith("text/javascript")
        again = await client.get(f"{PREFIX}/widget/{name}", headers={"if-none-match": response.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_every_error_is_counted_wherever_it_is_answered(index: Path) -> None:
    async with connect(index, max_body_bytes=2048, rate_burst=3, rate_per_minute=1) as client:
        answered = [
            await client.get(f"{PREFIX}/nothing"),
            await client.post(f"{PREFIX}/ask", content=b" " * 2049),
            await client.get(f"{PREFIX}/search?q="),
            await client.get(f"{PREFIX}/search?q=dark"),
        ]
        counts = (await client.get(f"{PREFIX}/metrics")).text
    assert [response.status_code for response in answered] == [404, 413, 422, 429]
    for response in answered:
        assert f'trueref_http_errors_total{{status="{response.status_code}"}} 1.0' in counts
