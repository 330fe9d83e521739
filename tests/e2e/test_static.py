"""The widget on a host that serves files and nothing else, and where its server is down."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.browsing import Reader
from tests.e2e.hosting import static_host
from tests.e2e.test_strict_page import PAGE, violations

from trueref_core.addresses import ASSETS
from trueref_plugin.build.build import index_site
from trueref_plugin.build.site_assets import write_assets
from trueref_widget import WidgetOptions, inject, snippet

pytestmark = [pytest.mark.browser]

SEARCH = "assets/trueref/search/"
HIDDEN = (
    '<!doctype html><title>Plan</title><meta name="robots" content="noindex"><h1 id=plan>Plan</h1><p>Secret quaggas.'
)
QUESTION = "Which colour are the stripes of a zebra?"


@dataclass(frozen=True)
class StaticSite:
    """A site on a host of files, the index that it was made with, and the paths that the host was asked for."""

    folder: Path
    index: Path
    origin: str
    asked: list[str]

    def build(self) -> None:
        """Indexes the pages and writes the files again."""
        index_site(self.folder, index=self.index, embedder="lexical", exports=("search",))

    def files(self) -> set[str]:
        """The names of the files to search in."""
        return {path.name for path in (self.folder / SEARCH).iterdir()}


class Noting(SimpleHTTPRequestHandler):
    """Serves files, and notes the path of each instead of writing a line."""

    def __init__(self, asked: list[str], *args: Any, **named: Any) -> None:
        self.asked = asked
        super().__init__(*args, **named)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        self.asked.append(self.path)


@pytest.fixture
def static(tmp_path: Path) -> Iterator[StaticSite]:
    folder = tmp_path / "site"
    folder.mkdir()
    asked: list[str] = []
    host = ThreadingHTTPServer(("127.0.0.1", 0), partial(Noting, asked, directory=str(folder)))
    threading.Thread(target=host.serve_forever, args=(0.01,), daemon=True).start()
    site = StaticSite(folder, tmp_path / "index", f"http://127.0.0.1:{host.server_port}", asked)
    (folder / "index.html").write_text(inject(PAGE, snippet(WidgetOptions(server="", base="./"))))
    # Its text is that of the page above, which is to be cited.
    served = PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>')
    (folder / "down.html").write_text(inject(served, snippet(WidgetOptions(server="/_trueref", base="./"))))
    (folder / "plan.html").write_text(HIDDEN)
    write_assets(folder)
    site.build()
    yield site
    host.shutdown()
    host.server_close()


def test_a_site_answers_by_itself(browser: Browser, static: StaticSite) -> None:
    """The passage under its section, by files that are fetched with the question and then kept; nothing is refused."""
    tab = Reader(browser, static.origin)
    violations(tab.page)
    tab.goto("index.html")
    tab.open()
    assert not [url for url in tab.requested if SEARCH in url or "trueref-static.js" in url]
    exchange = tab.ask(QUESTION)
    expect(exchange.locator("[part~=answer]")).to_contain_text("black and white")
    expect(exchange).to_have_attribute("data-verdict", "answer")
    shards = [url for url in tab.requested if SEARCH in url and "index.json" not in url]
    assert shards
    tab.ask(QUESTION)
    assert [url for url in tab.requested if SEARCH in url and "index.json" not in url] == shards
    assert tab.follow(tab.places(exchange).first).endswith("#stripes")
    assert tab.landed() == {"found": True, "seen": True}
    # The page was loaded again: the conversation comes back a moment later.
    expect(tab.part("exchange")).to_have_count(2)
    missing = tab.ask("secret quaggas")
    expect(missing).to_have_attribute("data-verdict", "not-found")
    expect(missing.locator("[part~=answer]")).to_contain_text("does not seem to be in these docs")
    # Every page has such words, and they ask nothing.
    expect(tab.ask("what are the")).to_have_attribute("data-verdict", "not-found")
    assert tab.page.evaluate("breaches") == []
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def test_what_was_searched_in_is_kept_across_pages(browser: Browser, static: StaticSite) -> None:
    """Of another page, in another tab, the host is asked for the directory alone."""
    context = browser.new_context()
    fetched: list[list[str]] = []
    for page in ("index.html", "index.html?another"):
        static.asked.clear()
        tab = context.new_page()
        tab.goto(f"{static.origin}/{page}")
        chat = tab.locator("trueref-chat")
        chat.locator("[part~=pill]").click()
        chat.locator("[part~=input]").fill(QUESTION)
        chat.locator("[part~=input]").press("Enter")
        expect(chat.locator("[part~=answer]")).to_contain_text("black and white")
        fetched.append([path for path in static.asked if SEARCH in path])
    context.close()
    assert len(fetched[0]) > 1
    assert fetched[1] == [f"/{SEARCH}index.json"]


def test_any_generator_answers_by_itself(browser: Browser, tmp_path: Path) -> None:
    """One command on a built folder: the widget is on its pages, and answers on one that lies deeper."""
    (tmp_path / "site" / "guide").mkdir(parents=True)
    (tmp_path / "site" / "index.html").write_text("<!doctype html><title>Home</title><main><h1>Home</h1></main>")
    (tmp_path / "site" / "guide" / "zebras.html").write_text(PAGE)
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(tmp_path / "site") as origin:
        tab = Reader(browser, origin)
        violations(tab.page)
        tab.goto("guide/zebras.html")
        tab.open()
        exchange = tab.ask(QUESTION)
        expect(exchange.locator("[part~=answer]")).to_contain_text("black and white")
        assert tab.follow(tab.places(exchange).first).endswith("guide/zebras.html#stripes")
        assert tab.page.evaluate("breaches") == []
        tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def test_a_question_in_other_words_is_answered(browser: Browser, tmp_path: Path) -> None:
    """The first page has no word of the question: it is found by the vectors of words, and listed.

    Of two passages with a third to a half of the words the one that is near to the question is an answer.
    """
    site = tmp_path / "site"
    site.mkdir()
    texts = {
        "Uninstall": "The tool deletes itself from the computer, and all of its caches.",
        "Colors": "The palette has a dark scheme.",
        "Parallel runs": "Several workers run the tests at once.",
    }
    for title, text in texts.items():
        body = f"<main><h1 id=one>{title}</h1><p>{text}</p></main>"
        (site / f"{title[:5].lower().strip()}.html").write_text(f"<!doctype html><title>{title}</title>{body}")
    index_site(site, index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(site) as origin:
        tab = Reader(browser, origin)
        tab.goto("color.html")
        tab.open()
        near = tab.ask("uninstalling the program with its caches")
        expect(near).to_have_attribute("data-verdict", "answer")
        far = tab.ask("Does the palette work in a spreadsheet?")
        expect(far).to_have_attribute("data-verdict", "closest")
        first = tab.places(tab.ask("removing a program")).first
        assert tab.follow(first).endswith("/unins.html#one")
        tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


@pytest.mark.parametrize(
    ("language", "title", "question"),
    [
        ("de", "Website starten", "Wie starte ich die Website?"),
        ("de", "Pakete verschlüsseln", "Werden verschlüsselte Pakete geschickt?"),
        ("fr", "Démarrer le site", "Vous démarrez le site comment ?"),
        ("es", "Instalar la aplicación", "¿Cómo se instalan las aplicaciones?"),
        ("en", "Starting the site", "Why was the site not started?"),
    ],
)
def test_other_forms_of_the_words_are_found(
    browser: Browser, tmp_path: Path, language: str, title: str, question: str
) -> None:
    (tmp_path / "site").mkdir()
    head = f"<!doctype html><html lang={language}><title>Home</title><main><h1 id=home>Home</h1><p>Nothing."
    body = f"<h2 id=other>Sterne</h2><p>Stare.</p><h2 id=wanted>{title}</h2><p>Make.</p>"
    (tmp_path / "site" / "index.html").write_text(f"{head}{body}</main>")
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(tmp_path / "site") as origin:
        tab = Reader(browser, origin)
        tab.goto("index.html")
        tab.open()
        assert tab.places(tab.ask(question)).first.get_attribute("href") == f"{origin}/#wanted"
        tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


@pytest.mark.parametrize("question", ["Can I get an email?", "Can I get an e-mail?", "email"])
def test_a_word_without_its_hyphen_answers(browser: Browser, tmp_path: Path, question: str) -> None:
    (tmp_path / "site").mkdir()
    text = "<h2 id=mute>Mute</h2><p>No alert is given.</p><h2 id=send>Alerts</h2><p>Each alert comes by e-mail.</p><p>Use and re-use it.</p>"
    (tmp_path / "site" / "index.html").write_text(f"<!doctype html><title>Hive</title><main><h1>Hive</h1>{text}</main>")
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(tmp_path / "site") as origin:
        tab = Reader(browser, origin)
        tab.goto("index.html")
        tab.open()
        exchange = tab.ask(question)
        expect(exchange).to_have_attribute("data-verdict", "answer")
        expect(exchange.locator("[part~=answer]")).to_contain_text("Each alert comes by e-mail.")
        # `use` is in every section, and does not stand for `re-use`.
        expect(tab.ask("reuse")).to_have_attribute("data-verdict", "not-found")
        tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


EDITIONS = {
    "docs/zebras": ("en", "1.0", "Zebras have stripes in black and white."),
    "docs/next/zebras": ("en", "current", "Zebras have stripes in grey."),
    "fr/docs/zebras": ("fr", "1.0", "Zebras have stripes in black and white."),
    "fr/docs/next/zebras": ("fr", "current", "Zebras have stripes in grey."),
    "fr/docs/next/wings": ("fr", "current", "Ostriches have wings and do not fly."),
}
"""Pages of two versions in two languages, one of which is not translated, as Docusaurus makes them."""


@pytest.mark.parametrize(
    ("page", "question", "expected"),
    [
        ("docs/zebras", QUESTION, "docs/zebras"),
        ("docs/next/zebras", QUESTION, "docs/next/zebras"),
        ("fr/docs/zebras", QUESTION, "fr/docs/zebras"),
        ("fr/docs/next/zebras", QUESTION, "fr/docs/next/zebras"),
        ("index", QUESTION, "docs/zebras"),
        ("fr/index", QUESTION, "fr/docs/zebras"),
        # Only another version in another language has it.
        ("docs/zebras", "Do ostriches with wings fly?", "fr/docs/next/wings"),
    ],
)
def test_files_answer_in_the_version_and_language_of_the_reader(
    browser: Browser, tmp_path: Path, page: str, question: str, expected: str
) -> None:
    """As with a server, another version or language answers where that of the reader's page has nothing."""
    site = tmp_path / "site"
    for name, (language, version, text) in EDITIONS.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        head = f"<html lang={language}><title>Zebras</title><meta name=docusaurus_version content={version}>"
        (site / f"{name}.html").write_text(f"<!doctype html>{head}<main><h1 id=one>Animals</h1><p>{text}</p></main>")
    for name, language in (("index", "en"), ("fr/index", "fr")):
        (site / f"{name}.html").write_text(f"<!doctype html><html lang={language}><title>Home</title><main></main>")
    index_site(site, index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(site) as origin:
        tab = Reader(browser, origin)
        tab.goto(f"{page}.html")
        tab.open()
        links = tab.places(tab.ask(question)).evaluate_all("all => all.map(one => new URL(one.href).pathname)")
        tab.close()
    assert [*map(str, links)] == [f"/{expected}.html"]
    assert (tab.errors, tab.foreign) == ([], [])


def test_files_stand_in_for_a_server_that_is_down(browser: Browser, static: StaticSite) -> None:
    tab = Reader(browser, static.origin)
    body = '{"error":{"message":"The index cannot be read."}}'
    tab.page.route("**/_trueref/ask", lambda route: route.fulfill(status=503, body=body))
    tab.goto("down.html")
    tab.open()
    exchange = tab.ask(QUESTION)
    expect(exchange.locator("[part~=answer]")).to_contain_text("black and white")
    expect(exchange.locator("[part~=note]")).to_have_text(
        "The answer service cannot be reached. This was found without it."
    )
    tab.page.unroute("**/_trueref/ask")
    tab.page.route("**/_trueref/ask", lambda route: route.abort())
    expect(tab.ask("zebra grass").locator("[part~=note]")).to_be_visible()
    # A request that the server refuses says something about the question, and the words are asked of nobody else.
    tab.page.unroute("**/_trueref/ask")
    refused = '{"error":{"code":"body-too-long","message":"The body is longer than 65536 bytes."}}'
    tab.page.route("**/_trueref/ask", lambda route: route.fulfill(status=413, body=refused))
    expect(tab.ask("zebra", state="error")).to_contain_text("This is longer than the answer service takes.")
    tab.close()


@pytest.mark.parametrize("kind", ["index", "terms", "sections", "vectors"])
def test_a_page_in_place_of_a_file_is_not_taken_for_docs_without_the_answer(
    browser: Browser, static: StaticSite, kind: str
) -> None:
    """As on a host that shows its start page at every address. Once the file is there, it is read, not what was kept."""
    files = {path: path.read_bytes() for path in (static.folder / SEARCH).glob(f"{kind}*")}
    assert files
    for path in files:
        path.write_text("<!doctype html><title>Start</title><h1>Start</h1>")
    tab = Reader(browser, static.origin)
    tab.goto("index.html")
    tab.open()
    expect(tab.ask(QUESTION, state="error")).to_contain_text("could not be loaded")
    for path, data in files.items():
        path.write_bytes(data)
        # A host of files compares seconds to tell whether a file has changed.
        os.utime(path, (path.stat().st_atime, path.stat().st_mtime + 1))
    expect(tab.ask(QUESTION).locator("[part~=answer]")).to_contain_text("black and white")
    tab.close()
    assert (tab.errors, tab.foreign) == ([], [])


def test_a_build_replaces_the_files_whole(static: StaticSite) -> None:
    """Shards are named by digest; hidden pages are in none; what a later build does not write again is deleted."""
    directory = json.loads((static.folder / SEARCH / "index.json").read_text())
    facts = json.loads((static.folder / ASSETS / "build.json").read_text())
    assert directory["generation"] == facts["generation"]
    named = {directory["vectors"], *(name for _, name in (*directory["terms"], *directory["shown"]))}
    assert static.files() == {"index.json", *named}
    texts = [(static.folder / SEARCH / name).read_text() for name in named]
    assert all(json.loads(text)["generation"] == directory["generation"] for text in texts)
    assert not [text for text in texts if "quagga" in text.lower()]
    before = static.files()
    static.build()
    assert static.files() == before
    (static.folder / "index.html").write_text(PAGE.replace("black and white", "brown"))
    static.build()
    assert static.files() & before == {"index.json"}
