from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.connecting import PREFIX, connect
from tests.waiting import wait_until_async

from trueref_core.errors import SiteError
from trueref_plugin.build.build import index_site
from trueref_plugin.build.site_assets import write_assets
from trueref_server.http.responses.file_responses import RangedFileResponse
from trueref_server.service import Service
from trueref_server.serving.app import create_app
from trueref_server.serving.static_site import BuiltSite, SiteEntry, split_path
from trueref_server.settings import Settings, load_settings

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

pytestmark = pytest.mark.anyio

HTML = "<!doctype html><html><head><title>{0}</title></head><body><p>{0}</p></body></html>"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A built site beside a file that nobody may read over HTTP."""
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "secret.html").write_text("secret")
    root = tmp_path / "site"
    for name in ("index.html", "setup/colors/index.html", "flat.html", "404.html", "docs/none.html"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(HTML.format(name), encoding="utf-8")
    (root / "assets").mkdir()
    (root / "assets" / "style.css").write_text("body {}")
    (root / ".git").mkdir()
    (root / ".git" / "config").write_text("secret")
    (root / "umlaut ö.html").write_text(HTML.format("ö"), encoding="utf-8")
    return root


@pytest.mark.parametrize(
    ("path", "holds"),
    [
        ("/", "index.html"),
        ("/index.html", "index.html"),
        ("/setup/colors/", "setup/colors/index.html"),
        ("/setup/colors/index.html", "setup/colors/index.html"),
        ("/flat.html", "flat.html"),
        ("/flat", "flat.html"),
        ("/docs/none", "docs/none.html"),
        ("/umlaut%20%C3%B6.html", "ö"),
    ],
)
async def test_pages_are_found_at_their_addresses(index: Path, site: Path, path: str, holds: str) -> None:
    async with connect(index, site=site) as client:
        response = await client.get(path)
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/html"
    assert f"<p>{holds}</p>" in response.content.decode()


@pytest.mark.parametrize(
    ("path", "base"),
    [("/", "./"), ("/flat.html", "./"), ("/flat", "./"), ("/setup/colors/", "../../"), ("/docs/none", "../")],
)
async def test_every_page_has_the_widget(index: Path, site: Path, path: str, base: str) -> None:
    async with connect(index, site=site) as client:
        text = (await client.get(path)).text
    assert text.count("<trueref-chat") == 1
    assert f'base="{base}"' in text
    assert f'server="{PREFIX}"' in text
    assert f"{PREFIX}/widget/" in text


async def test_page_that_has_the_widget_is_left_alone(index: Path, site: Path) -> None:
    page = "<html><body><trueref-chat></trueref-chat></body></html>"
    (site / "has.html").write_text(page)
    async with connect(index, site=site) as client:
        assert (await client.get("/has.html")).text == page


async def test_page_of_a_deployment_asks_the_server_that_shows_it(index: Path, site: Path) -> None:
    page = '<body><trueref-chat server="https://ask.example.org/x" label="Ask"></trueref-chat></body>'
    (site / "has.html").write_text(page)
    async with connect(index, site=site) as client:
        assert (await client.get("/has.html")).text == page.replace("https://ask.example.org/x", PREFIX)


@pytest.mark.parametrize("body", [b"<p>\xe4\xff</p></body>", "<p>x</p>".encode("utf-16"), b"", b"no body tag"])
async def test_page_of_another_encoding_keeps_its_bytes(index: Path, site: Path, body: bytes) -> None:
    (site / "odd.html").write_bytes(body)
    async with connect(index, site=site) as client:
        served = (await client.get("/odd.html")).content
    start = served.index(body.removesuffix(b"</body>"))
    assert start == 0


@pytest.mark.parametrize("base", ["/manual/", "manual", "/manual"])
async def test_a_site_is_served_under_the_path_that_is_configured(index: Path, site: Path, base: str) -> None:
    async with connect(index, site=site, base=base) as client:
        for outside in ("/", "/manual"):
            assert (await client.get(outside)).headers["location"] == "/manual/"
        root = await client.get("/manual/")
        assert "<p>index.html</p>" in root.text
        assert 'base="./"' in root.text
        below = await client.get("/manual/setup/colors/")
        assert "<p>setup/colors/index.html</p>" in below.text
        assert 'base="../../"' in below.text
        for missing in ("/setup/colors/", "/manual/none/", "/manuals/"):
            response = await client.get(missing)
            assert response.status_code == 404
            assert 'base="/manual/"' in response.text
        assert (await client.get(f"{PREFIX}/healthz")).status_code == 200


async def test_an_index_of_another_build_than_the_site_is_logged_once(
    tmp_path: Path, site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As when `mkdocs serve` publishes what was edited since the site was built."""
    index, edited = tmp_path / "index", tmp_path / "edited"
    write_assets(site)
    index_site(site, index=index, embedder="lexical")
    shutil.copytree(site, edited)
    async with connect(index, site=site) as client:
        assert (await client.get("/assets/trueref/build.json")).json()["generation"]
        assert caplog.messages == []
        (edited / "flat.html").write_text(HTML.format("edited"), encoding="utf-8")
        index_site(edited, index=index, embedder="lexical")

        async def is_logged() -> bool:
            await client.get("/assets/trueref/build.json")
            return bool(caplog.messages)

        # The server looks for another index once in a while.
        await wait_until_async(is_logged)
        await client.get("/assets/trueref/build.json")
    assert [message.partition(":")[0] for message in caplog.messages] == [
        f"The index is of another build than the site in {site}"
    ]


async def test_an_index_of_another_build_is_logged_at_the_start(
    index: Path, site: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_assets(site)
    (site / "assets/trueref/build.json").write_text('{"generation": "another"}')
    app = create_app(load_settings({}, options={"index": index}), site=site)
    async with app.router.lifespan_context(app):
        pass
    assert [message.startswith("The index is of another build") for message in caplog.messages] == [True]


async def test_a_missing_page_is_the_404_page_of_the_site(index: Path, site: Path) -> None:
    async with connect(index, site=site) as client:
        response = await client.get("/no/such/page/")
    assert response.status_code == 404
    assert "404.html" in response.text
    assert 'base="/"' in response.text


async def test_a_missing_page_of_a_site_without_a_404_page_is_refused_in_json(index: Path, site: Path) -> None:
    (site / "404.html").unlink()
    async with connect(index, site=site) as client:
        response = await client.get("/no/such/page/")
    assert response.status_code == 404
    assert response.json()["error"]["code"] == "not-found"


async def test_a_file_that_is_deleted_while_it_is_looked_up_is_missing(
    index: Path, site: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As when the site is built again while readers read it."""
    look_up = BuiltSite.look_up

    def look_up_too_early(built: BuiltSite, names: list[str]) -> SiteEntry:
        entry = look_up(built, names)
        if entry.file is not None and entry.file.name != "404.html":
            entry.file.unlink()
        return entry

    monkeypatch.setattr(BuiltSite, "look_up", look_up_too_early)
    async with connect(index, site=site) as client:
        for path in ("/flat.html", "/assets/style.css"):
            response = await client.get(path)
            assert (response.status_code, "404.html" in response.text) == (404, True), path
    assert caplog.messages == [f"{site / 'flat.html'} of the site cannot be read (No such file or directory)"]


@pytest.mark.parametrize("headers", [{}, {"range": "bytes=0-3"}])
async def test_a_file_that_is_deleted_before_its_bytes_are_read_is_missing(
    index: Path, site: Path, monkeypatch: pytest.MonkeyPatch, headers: dict[str, str]
) -> None:
    """It is opened twice: to see whether it can be read, and to send it."""
    open_file = RangedFileResponse.__call__

    async def delete_first(response: RangedFileResponse, scope: Scope, receive: Receive, send: Send) -> None:
        Path(response.path).unlink()
        await open_file(response, scope, receive, send)

    monkeypatch.setattr(RangedFileResponse, "__call__", delete_first)
    async with connect(index, site=site) as client:
        response = await client.get("/assets/style.css", headers=headers)
    assert (response.status_code, "404.html" in response.text) == (404, True)
    assert response.headers["x-content-type-options"] == "nosniff"


async def test_a_site_that_is_deleted_while_it_is_looked_up_is_refused_in_json(
    index: Path, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_up = BuiltSite.look_up

    def look_up_too_early(built: BuiltSite, names: list[str]) -> SiteEntry:
        entry = look_up(built, names)
        shutil.rmtree(site, ignore_errors=True)
        return entry

    monkeypatch.setattr(BuiltSite, "look_up", look_up_too_early)
    async with connect(index, site=site) as client:
        response = await client.get("/flat.html")
    assert (response.status_code, response.json()["error"]["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    "path",
    [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/%2e%2e%2fsecret.txt",
        "/setup/../../secret.txt",
        "/..\\secret.txt",
        "/%5c..%5csecret.txt",
        "/../secret",
        "//secret.txt",
        "/.git/config",
        "/%00",
        "/index.html%00.css",
        "/C:/secret.txt",
        "/setup//colors/",
        "/" + "a" * 5000,
        "/" + "a/" * 2000,
        "/index.html/",
        "/link.txt",
        "/linked/secret.txt",
        "/link",
        "/loop",
    ],
)
async def test_no_path_leaves_the_site(index: Path, site: Path, path: str) -> None:
    (site / "link.txt").symlink_to(site.parent / "secret.txt")
    (site / "linked").symlink_to(site.parent)
    (site / "link.html").symlink_to(site.parent / "secret.html")
    (site / "loop").symlink_to(site / "loop")
    async with connect(index, site=site) as client:
        raw = httpx.URL("http://docs.test").copy_with(raw_path=path.encode())
        response = await client.get(raw)
    assert response.status_code == 404
    assert "secret" not in response.text.replace("secret.txt", "")


async def test_an_absolute_path_in_a_request_leads_nowhere(index: Path, site: Path) -> None:
    async with connect(index, site=site) as client:
        response = await client.get(f"/{site.parent}/secret.txt")
    assert response.status_code == 404


async def test_links_inside_the_site_are_followed(index: Path, site: Path) -> None:
    (site / "latest").symlink_to(site / "setup")
    async with connect(index, site=site) as client:
        assert (await client.get("/latest/colors/")).status_code == 200


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
async def test_only_regular_files_are_served(index: Path, site: Path) -> None:
    os.mkfifo(site / "pipe")
    async with connect(index, site=site) as client:
        assert (await client.get("/pipe")).status_code == 404


async def test_a_folder_without_its_slash_is_redirected_by_a_relative_address(index: Path, site: Path) -> None:
    async with connect(index, site=site) as client:
        response = await client.get("/setup/colors", headers={"host": "evil.test"})
    assert response.status_code == 307
    # Relative: nothing of the Host header is in it.
    assert response.headers["location"] == "./colors/"


async def test_assets_are_served_with_range_and_tag(index: Path, site: Path) -> None:
    async with connect(index, site=site) as client:
        whole = await client.get("/assets/style.css")
        assert whole.headers["content-type"].startswith("text/css")
        assert whole.headers["x-content-type-options"] == "nosniff"
        part = await client.get("/assets/style.css", headers={"range": "bytes=0-3"})
        assert (part.status_code, part.text) == (206, "body")
        ignored = await client.get("/assets/style.css", headers={"range": "lines=1-2"})
        assert (ignored.status_code, ignored.content) == (200, whole.content)
        refused = await client.get("/assets/style.css", headers={"range": "bytes=99999-"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (416, "no-such-range")
        again = await client.get("/assets/style.css", headers={"if-none-match": whole.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_pages_are_served_with_a_tag(index: Path, site: Path) -> None:
    async with connect(index, site=site) as client:
        tag = (await client.get("/flat.html")).headers["etag"]
        assert (await client.get("/flat.html", headers={"if-none-match": f"W/{tag}"})).status_code == 304
        (site / "flat.html").write_text(HTML.format("new"))
        assert (await client.get("/flat.html", headers={"if-none-match": tag})).status_code == 200


async def test_other_methods_than_get_and_head_are_refused(index: Path, site: Path) -> None:
    async with connect(index, site=site) as client:
        response = await client.post("/flat.html")
    assert response.status_code == 405
    assert response.headers["allow"] == "GET, HEAD"


async def test_the_generation_that_is_served_is_told_unless_the_site_tells_its_own(index: Path, site: Path) -> None:
    async with connect(index, site=site) as client:
        ready = (await client.get(f"{PREFIX}/readyz")).json()
        facts = {"generation": ready["generation"], "questions": False, "bases": ["https://docs.example.org/demo/"]}
        assert (await client.get("/assets/trueref/build.json")).json() == facts
        assert (await client.get(f"{PREFIX}/widget/build.json")).json() == facts
        offered = (await client.get("/assets/trueref/questions.json")).content
        assert (await client.get(f"{PREFIX}/widget/questions.json")).content == offered
        (site / "assets" / "trueref").mkdir()
        (site / "assets" / "trueref" / "build.json").write_text("{}")
        assert (await client.get("/assets/trueref/build.json")).json() == {}


async def test_questions_are_offered_for_a_site_without_a_plugin(site: Path, tmp_path: Path) -> None:
    (site / "steps.html").write_text(HTML.format('<h1 id="a">Changing the colours</h1>'))
    index_site(site, index=tmp_path / "index", embedder="lexical")
    async with connect(tmp_path / "index", site=site) as client:
        assert (await client.get("/assets/trueref/build.json")).json()["questions"] is True
        offered = (await client.get("/assets/trueref/questions.json")).json()
    assert offered["pages"] == {"steps.html": ["How do I change the colours?"]}


def test_a_site_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="Build the site first"):
        create_app(Settings(), site=tmp_path / "none")


@given(
    st.lists(st.sampled_from(["..", ".", "", "a", "link", "secret.txt", "\\", "C:", "\0", "%2e%2e", "~"])).map("/".join)
)
def test_no_path_of_a_request_leaves_the_site(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    root = tmp_path_factory.getbasetemp() / "inside" / "site"
    if not root.exists():
        (root / "a").mkdir(parents=True)
        (root.parent / "secret.txt").write_text("secret")
        (root / "link").symlink_to(root.parent)
    names = split_path(path)
    found = None if names is None else BuiltSite(root, PREFIX, Service(Settings())).look_up(names)
    assert found is None or found.file is None


@pytest.mark.parametrize(
    ("path", "names"),
    [
        ("/", [""]),
        ("/a/b.html", ["a", "b.html"]),
        ("/a/", ["a", ""]),
        ("/.well-known/x", [".well-known", "x"]),
        ("//a", None),
        ("/a//b", None),
        ("/..", None),
        ("/a/.b", None),
        ("/a\x00", None),
    ],
)
def test_a_path_is_split_into_safe_names(path: str, names: list[str] | None) -> None:
    assert split_path(path) == names
