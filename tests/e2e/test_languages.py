"""The panel and its answers in the language of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.browsing import Reader
from tests.e2e.hosting import SiteServer

from trueref_plugin.build.build import index_site

pytestmark = [pytest.mark.browser]

PAGES = {
    "fr": ("fr-CA", "Démarrer le site", "Le serveur se lance avec la commande exemple serve."),
    "ja": ("ja", "サイトを起動する", "開発サーバーは exemple serve で起動します。"),
    "da": ("da", "Start siden", "Serveren startes med exemple serve."),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SiteServer]:
    """A site with a page in each language, and its server."""
    folder = tmp_path_factory.mktemp("languages")
    for name, (tag, title, text) in PAGES.items():
        (folder / "site" / name).mkdir(parents=True)
        main = f"<main><h1 id=top>Exemple</h1><h2 id=start>{title}</h2><p>{text}</p></main>"
        page = (
            f'<!doctype html><html lang="{tag}"><meta charset="utf-8"><title>Exemple</title><body>{main}</body></html>'
        )
        (folder / "site" / name / "index.html").write_text(page, encoding="utf-8")
    index_site(folder / "site", index=folder / "index", embedder="lexical")
    served = SiteServer(folder / "site", folder / "index", folder / "log")
    served.start()
    yield served
    served.stop()


@pytest.mark.parametrize(
    ("page", "label", "placeholder", "footer", "found", "missing"),
    [
        (
            "fr/",
            "Interroger la doc",
            "Poser une question",
            "Les réponses citent",
            "Comment démarrer le site ?",
            "Cela ne",
        ),
        ("ja/", "ドキュメントに質問", "質問を入力", "回答は", "サイトを起動するには？", "このドキュメントには"),
        ("da/", "Ask the docs", "Ask a question", "Answers quote", "Start siden", "This does not seem"),
    ],
)
def test_all_that_is_read_is_in_the_language_of_the_page(
    browser: Browser, server: SiteServer, page: str, label: str, placeholder: str, footer: str, found: str, missing: str
) -> None:
    tab = Reader(browser, server.origin)
    tab.goto(page)
    expect(tab.part("pill")).to_have_text(label)
    tab.open()
    expect(tab.part("panel")).to_have_attribute("aria-label", label)
    expect(tab.part("input")).to_have_attribute("placeholder", placeholder)
    expect(tab.part("panel").locator("footer")).to_contain_text(footer)
    exchange = tab.ask(found)
    tab.follow(exchange.locator("a[part~=card-title]").first)
    assert tab.landed() == {"found": True, "seen": True}
    refused = tab.ask("wuggle frobnitz")
    expect(refused.locator("[part~=answer]")).to_contain_text(missing)
    assert "wuggle" in refused.locator("[part~=answer]").inner_text()
    tab.close()
    assert tab.errors == []


@pytest.mark.parametrize(
    ("page", "unloaded", "refused"),
    [
        (
            "fr/",
            "Échec du chargement. Réessayer",
            "Le service de réponse n'a pas d'index lisible. Réessayez plus tard.",
        ),
        ("da/", "Could not load. Try again", "The answer service has no index that it can read. Try again later."),
    ],
)
def test_what_goes_wrong_is_told_in_the_language_of_the_page(
    browser: Browser, server: SiteServer, page: str, unloaded: str, refused: str
) -> None:
    """A panel that cannot be fetched, and an error of the server, whose own sentence names a folder and is not shown."""
    tab = Reader(browser, server.origin)
    tab.page.route("**/trueref-panel.js", lambda route: route.abort())
    tab.goto(page)
    tab.part("pill").click()
    expect(tab.part("pill")).to_have_text(unloaded)
    tab.page.unroute("**/trueref-panel.js")
    tab.goto(page)
    tab.open()
    error = '{"error": {"code": "index-unavailable", "message": "No index at /srv/secret."}}'
    tab.page.route("**/_trueref/ask", lambda route: route.fulfill(status=503, body=error))
    exchange = tab.ask("Comment ?", state="error")
    expect(exchange.locator("[part~=error]")).to_have_text(refused)
    assert "/srv" not in exchange.inner_text()
    tab.close()
