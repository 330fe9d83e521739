"""Manifests of other sites: read from files, fetched, kept, and what is checked against them."""

from __future__ import annotations

import pwd
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.samples import text_only as content
from tests.plugin.checking.sites import link, verdicts, write_files, zoo

from trueref_core.errors import IndexDamaged, IndexMissing, OptionError
from trueref_core.generations.publication import publish
from trueref_core.links.resolve import resolve
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Anchor, Page, Site
from trueref_plugin.build.build import index_site
from trueref_plugin.checking import manifest_fetch
from trueref_plugin.checking.check import check
from trueref_plugin.checking.known_manifests import load_manifest, merged, site_of_sources
from trueref_plugin.checking.manifest_fetch import fetch_manifest
from trueref_plugin.checking.markdown.project import Project
from trueref_plugin.checking.text_findings import text_links

OTHER = "https://other.example.com/manual/"
PAGES = [Page("docs", "", "index.html", ""), Page("docs", "api/", "api/index.html", "")]
ANCHORS = [Anchor("docs", "api/", "class-zoo", "heading", 2)]
MANIFEST = Manifest("g", [Site("docs", OTHER)], PAGES, ANCHORS)


@dataclass
class Host:
    """A web server that answers what a test says, and notes what it was asked."""

    url: str = ""
    answer: Callable[[BaseHTTPRequestHandler], None] = lambda _: None
    asked: list[dict[str, str]] = field(default_factory=list)


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Host]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    host = Host()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            host.asked.append({name.lower(): value for name, value in self.headers.items()})
            host.answer(self)

        def log_message(self, *args: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    host.url = f"http://127.0.0.1:{server.server_address[1]}/manifest.json"
    yield host
    server.shutdown()
    server.server_close()


def answering(body: bytes, code: int = 200, **headers: str) -> Callable[[BaseHTTPRequestHandler], None]:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(code)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    return answer


def test_a_manifest_is_fetched_again_only_where_it_changed(host: Host) -> None:
    notes: list[str] = []
    host.answer = answering(b"one", ETag='"1"', Last_Modified="Sun, 01 Nov 2026 00:00:00 GMT")
    assert fetch_manifest(host.url, notes.append) == b"one"
    host.answer = answering(b"", 304)
    assert fetch_manifest(host.url, notes.append) == b"one"
    assert (host.asked[1]["if-none-match"], host.asked[1]["if-modified-since"]) == (
        '"1"',
        "Sun, 01 Nov 2026 00:00:00 GMT",
    )
    host.answer = answering(b"two", ETag='"2"')
    assert fetch_manifest(host.url, notes.append) == b"two"
    host.answer = answering(b"", 304)
    assert fetch_manifest(host.url, notes.append) == b"two"
    assert notes == []
    assert "if-modified-since" not in host.asked[3]


@pytest.mark.parametrize("code", [500, 404, 403])
def test_a_copy_is_used_when_the_server_fails_and_this_is_said(host: Host, code: int) -> None:
    notes: list[str] = []
    host.answer = answering(b"one")
    fetch_manifest(host.url, notes.append)
    host.answer = answering(b"", code)
    assert fetch_manifest(host.url, notes.append) == b"one"
    assert [f"the server answers {code}" in note for note in notes] == [True]


def test_a_manifest_that_cannot_be_fetched_and_has_no_copy_is_refused(host: Host) -> None:
    host.answer = answering(b"", 404)
    with pytest.raises(OptionError, match="cannot be fetched: the server answers 404"):
        fetch_manifest(host.url, print)
    with pytest.raises(OptionError, match="cannot be fetched"):
        fetch_manifest("http://127.0.0.1:9/manifest.json", print)


def test_an_answer_that_breaks_off_is_no_manifest(host: Host) -> None:
    def cut(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Content-Length", "100")
        handler.end_headers()
        handler.wfile.write(b"half")

    host.answer = answering(b"one")
    fetch_manifest(host.url, print)
    host.answer = cut
    notes: list[str] = []
    assert fetch_manifest(host.url, notes.append) == b"one"
    assert len(notes) == 1


def test_a_manifest_that_is_too_large_or_too_slow_is_refused(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    host.answer = answering(b"x" * 1001)
    with monkeypatch.context() as patch:
        patch.setattr(manifest_fetch, "MAX_BYTES", 1000)
        with pytest.raises(OptionError, match="is no manifest of a site"):
            fetch_manifest(host.url, print)
    monkeypatch.setattr(manifest_fetch, "TOTAL_SECONDS", 0.2)

    def never_end(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.end_headers()
        with suppress(OSError):  # until the client hangs up
            while True:
                handler.wfile.write(b"x")

    host.answer = never_end
    with pytest.raises(OptionError, match=r"took more than 0\.2 s"):
        fetch_manifest(host.url, print)


@pytest.mark.parametrize("target", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:,x"])
def test_a_redirect_leads_to_the_web_only(host: Host, target: str) -> None:
    host.answer = answering(b"", 302, Location=target)
    with pytest.raises(OptionError, match="http"):
        fetch_manifest(host.url, print)


def test_a_redirect_is_followed(host: Host) -> None:
    def answer(handler: BaseHTTPRequestHandler) -> None:
        moved = answering(b"", 302, Location="/there.json")
        (answering(b"one") if handler.path == "/there.json" else moved)(handler)

    host.answer = answer
    assert fetch_manifest(host.url, print) == b"one"


@pytest.mark.parametrize("given", ["file:///etc/passwd", "ftp://x/y", "http://", "http://[x/"])
def test_a_manifest_at_no_web_address_is_refused(given: str) -> None:
    with pytest.raises(OptionError, match="A manifest that is not a file must be an http or https address"):
        load_manifest(given, print)


def test_a_manifest_file_that_is_missing_or_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="is not a file"):
        load_manifest(str(tmp_path / "gone.json"), print)
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(IndexDamaged, match="is not a manifest"):
        load_manifest(str(tmp_path / "x.json"), print)


def test_links_into_another_site_are_checked(host: Host, tmp_path: Path) -> None:
    host.answer = answering(MANIFEST.encode())
    targets = ["api/", "api/#class-zoo", "api/#class_zoo", "gone/", "logo.png", ""]
    site = zoo(tmp_path / "site", "".join(link(f"{OTHER}{target}") for target in targets) + link("../lion/#paws"))
    report = check([site], manifests=[host.url])
    assert verdicts(report) == [
        ("missing-anchor", f"{OTHER}api/#class_zoo"),
        ("missing-page", f"{OTHER}gone/"),
        ("missing-anchor", "../lion/#paws"),
    ]
    assert report.findings[0].correction == f"{OTHER}api/#class-zoo"
    assert verdicts(check([site])) == [("missing-anchor", "../lion/#paws")]


def test_sites_of_one_name_are_kept_apart() -> None:
    both = merged([Manifest("g", [Site("docs", "https://a.org/")], PAGES, ANCHORS), MANIFEST, MANIFEST])
    assert [site.name for site in both.sites] == ["docs", "docs 2", "docs 3"]
    assert resolve(both, f"{OTHER}api/#class-zoo").site == "docs 2"
    assert resolve(both, "https://a.org/api/#class-zoo").site == "docs"


def test_links_to_a_known_site_are_checked_in_any_text_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Where no index lies.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "manifest.json").write_bytes(MANIFEST.encode())
    text = f"""See {OTHER}api/#class-zoo, ({OTHER}gone/) and <{OTHER}api/#x>.
.. _link: {OTHER}gone2/.
x[i](a) [a]({OTHER}gone3/) https://elsewhere.org/gone/ "{OTHER}gone4/"
"""
    write_files(tmp_path, {"a.rst": text})
    report = check([tmp_path / "a.rst"], manifests=[str(tmp_path / "manifest.json")])
    assert [(f.location.line, f.link.removeprefix(OTHER)) for f in report.findings] == [
        (1, "gone/"),
        (1, "api/#x"),
        (2, "gone2/"),
        (3, "gone3/"),
        (3, "gone4/"),
    ]
    (tmp_path / "b.bin").write_bytes(b"\0\1")
    assert check([tmp_path / "b.bin"], manifests=[str(tmp_path / "manifest.json")]).notes
    write_files(tmp_path, {"a.txt": text})
    with pytest.raises(IndexMissing, match="none is known"):
        check([tmp_path / "a.txt"])


RELATIVE = "[a](api/) [b](api/#x) [c](gone/) [d](setup.md) x[i](gone) [e](../gone.html)\n"


@pytest.mark.parametrize(
    ("name", "links"),
    [
        ("answer.txt", ["api/#x", "gone/", "setup.md"]),
        ("other/a.mdx", []),
        ("docs/guide/start.mdx", ["api/", "api/#x", "gone/", "../gone.html"]),
    ],
)
def test_relative_links_of_a_text_are_checked_where_its_page_is_known(
    tmp_path: Path, name: str, links: list[str]
) -> None:
    pages = [*PAGES, Page("docs", "guide/start/", "guide/start/index.html", "", source_path="guide/start.mdx")]
    pages.append(Page("docs", "guide/setup/", "guide/setup/index.html", "", source_path="guide/setup.md"))
    demo = replace(content(), sites=MANIFEST.sites, pages=tuple(pages), anchors=tuple(ANCHORS))
    publish(tmp_path / "index", demo)
    write_files(tmp_path, {name: RELATIVE})
    report = check([tmp_path / name], index=tmp_path / "index")
    assert [finding.link for finding in report.findings] == links


def test_what_earlier_builds_had_is_known_beside_the_manifest_of_another_site(tmp_path: Path) -> None:
    home = "<main><h1>Zoo</h1><p>All animals of the zoo, by their continent.</p></main>"
    setup = "<main><h1>Set it up</h1><p>Open the gates at nine, and feed the lions before that.</p></main>"
    for folder in ("install", "setup"):
        site = tmp_path / f"site-{folder}"
        write_files(site, {"index.html": home, f"{folder}/index.html": setup})
        index_site(site, index=tmp_path / "index", base_url=OTHER, name="zoo", embedder="lexical")
    (tmp_path / "manifest.json").write_bytes(MANIFEST.encode())
    write_files(tmp_path, {"answer.txt": f"[a]({OTHER}install/)"})
    alone, beside = (
        check([tmp_path / "answer.txt"], index=tmp_path / "index", manifests=manifests)
        for manifests in ((), [str(tmp_path / "manifest.json")])
    )
    assert [finding.correction for finding in alone.findings] == [f"{OTHER}setup/"]
    assert [finding.correction for finding in beside.findings] == [f"{OTHER}setup/"]


# Text of single letters has no links: without these pieces the test would look at none.
LINK_PIECES = [
    "https://docs.example/",
    "HTTP://",
    "api/",
    "#x",
    "../setup.md",
    "[a](",
    ")",
    "<",
    ">",
    "`",
    " ",
    "\n",
    ".",
]


@given(st.lists(st.sampled_from(LINK_PIECES) | st.text(max_size=3), max_size=20).map("".join))
def test_a_link_that_is_found_in_a_text_stands_there(text: str) -> None:
    assert [text[at : at + len(link)] for link, at in text_links(text)] == [link for link, _ in text_links(text)]


def test_links_of_both_kinds_are_found_in_a_text() -> None:
    assert [link for link, _ in text_links("[a](api/#x) <https://docs.example/api/>.")] == [
        "api/#x",
        "https://docs.example/api/",
    ]


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, "/home/ann/.cache/trueref"),
        ("linux", {"XDG_CACHE_HOME": "/var/cache/ann"}, "/var/cache/ann/trueref"),
        ("linux", {"XDG_CACHE_HOME": "cache"}, "/home/ann/.cache/trueref"),
        ("darwin", {"XDG_CACHE_HOME": "/var/cache/ann"}, "/home/ann/Library/Caches/trueref"),
        ("win32", {}, "/home/ann/AppData/Local/trueref/Cache"),
        ("win32", {"LOCALAPPDATA": "/users/ann/local"}, "/users/ann/local/trueref/Cache"),
    ],
)
def test_copies_are_kept_where_the_system_keeps_what_can_be_fetched_again(
    platform: str, variables: dict[str, str], folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ({"HOME": "/home/ann"} | variables).items():
        monkeypatch.setenv(name, value)
    assert manifest_fetch.cache_folder(platform) == Path(folder)


def test_without_a_home_folder_it_is_said_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A container may run under a number that has no user."""

    def unknown(_uid: int) -> NoReturn:
        raise KeyError

    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    with pytest.raises(OptionError, match="Set HOME to a folder"):
        manifest_fetch.cache_folder()


def of_versions(*versions: str, base: str = "https://a.org/", sources: tuple[str, ...] = ("a.md",)) -> Manifest:
    """A manifest with a site for each version, as mike makes them: each has pages of all sources."""
    sites = [Site(f"docs-{version}", f"{base}{version}/", version) for version in versions]
    pages = [
        Page(site.name, name, "", "", source_path=name, version=site.version) for site in sites for name in sources
    ]
    anchors = [Anchor(site.name, name, f"in-{site.version}", "heading", 2) for site in sites for name in sources]
    return Manifest("g", sites, pages, anchors)


@pytest.mark.parametrize(
    ("versions", "current"),
    [
        ("1.0 2.0", "2.0"),
        ("1.10 1.9", "1.10"),
        ("1.0 2.0rc1", "1.0"),
        ("0.9 main", "0.9"),
        ("1.0 2.0 latest", "latest"),
        ("blue green", "blue"),
    ],
)
def test_sources_are_of_the_current_version_where_several_have_them(
    tmp_path: Path, versions: str, current: str
) -> None:
    write_files(tmp_path, {"a.md": "# A\n"})
    assert site_of_sources(of_versions(*versions.split()), Project(None, tmp_path)) == f"docs-{current}"


def test_the_site_without_its_version_in_its_address_is_the_current_one(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.md": "# A\n"})
    known = of_versions("1.0", "2.0")
    root = Site("docs", "https://a.org/", "1.5")
    pages = [*known.pages(), Page("docs", "a", "", "", source_path="a.md", version="1.5")]
    with_root = Manifest("g", [*known.sites, root], pages, [])
    assert site_of_sources(with_root, Project(None, tmp_path)) == "docs"


def test_the_version_with_the_most_of_the_sources_goes_before_the_current_one(tmp_path: Path) -> None:
    write_files(tmp_path, {"a.md": "# A\n", "b.md": "# B\n"})
    old, new = of_versions("1.0", sources=("a.md", "b.md")), of_versions("2.0")
    assert site_of_sources(merged([old, new]), Project(None, tmp_path)) == "docs-1.0"


def test_a_right_link_into_the_current_version_is_left_as_it_is(tmp_path: Path) -> None:
    """Where an older version in the index has as many of the sources, but not the place of the link."""
    (tmp_path / "manifest.json").write_bytes(of_versions("1.0", "2.0").encode())
    (tmp_path / "mkdocs.yml").write_text("site_name: A\nsite_url: https://a.org/\n")
    text = "# A\n\n[x](a.md#in-2.0) [y](a.md#in-1.0)\n"
    write_files(tmp_path, {"docs/b.md": text, "docs/a.md": "# A\n"})
    report = check([tmp_path / "docs/b.md"], manifests=[str(tmp_path / "manifest.json")], fix=True)
    assert verdicts(report) == [("missing-anchor", "a.md#in-1.0")]
    assert (tmp_path / "docs/b.md").read_text() == text
