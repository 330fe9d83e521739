"""The panel and its answers in the language of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Route, expect
from tests.e2e.browsing import Reader
from tests.e2e.cards import BLOCKS, answer, answers_with
from tests.e2e.hosting import SiteServer, static_host

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


LANGUAGE = "it => it.closest('[lang]')?.lang ?? it.getRootNode().host.closest('[lang]').lang"
"""By which language a screen reader speaks an element."""


def test_words_and_docs_in_two_languages_are_each_spoken_in_their_own(browser: Browser, server: SiteServer) -> None:
    """English words of the widget on a page in Danish, for which there are none."""
    tab = Reader(browser, server.origin)
    tab.goto("da/")
    expect(tab.part("pill")).to_have_attribute("lang", "en")
    tab.open()
    tab.ask("Start siden")
    english = ("panel", "input", "new", "status", "copy", "badge")
    danish = ("question", "card", "card-title", "excerpt")
    spoken = {name: tab.part(name).first.evaluate(LANGUAGE) for name in (*english, *danish)}
    assert spoken == dict.fromkeys(english, "en") | dict.fromkeys(danish, "da")
    tab.close()


@pytest.mark.parametrize(
    ("page", "attributes", "pill", "panel", "field"),
    [
        ("fr/", {}, "fr-CA", "fr-CA", "fr-CA"),
        ("da/", {"label": "Spørg"}, "da", "da", "en"),
        ("da/", {"words": '{"placeholder": "Spørg"}'}, "en", "da", "da"),
        ("da/", {"lang": "fr"}, "fr", "fr", "fr"),
    ],
    ids=["shipped", "label", "words", "attribute"],
)
def test_texts_of_the_site_are_spoken_in_the_language_of_the_page(
    browser: Browser, server: SiteServer, page: str, attributes: dict[str, str], pill: str, panel: str, field: str
) -> None:
    tab = Reader(browser, server.origin)
    tab.goto(page)
    tab.chat.evaluate(
        """(it, given) => {
          for (const [name, value] of Object.entries(given)) it.setAttribute(name, value);
          document.body.append(it);
        }""",
        attributes,
    )
    tab.open()
    spoken = {name: tab.part(name).evaluate(LANGUAGE) for name in ("panel", "input")}
    assert (tab.part("pill").evaluate(LANGUAGE), spoken) == (pill, {"panel": panel, "input": field})
    answer = tab.ask("Start siden" if page == "da/" else "Comment démarrer le site ?")
    assert answer.locator("[part~=card]").first.evaluate(LANGUAGE) == ("da" if page == "da/" else "fr-CA")
    tab.close()


@pytest.mark.parametrize(("page", "own", "panel"), [("fr/", "fr-CA", "fr-CA"), ("da/", "da", "en")])
def test_docs_in_another_language_than_the_page_are_spoken_in_their_own(
    browser: Browser, server: SiteServer, page: str, own: str, panel: str
) -> None:
    """A card and a link from pages in Japanese, beside some from pages in the language of the page."""
    tab = Reader(browser, server.origin)
    tab.goto(page)
    tab.open()
    given = answer(*BLOCKS["code"])
    languages = ["ja", "", own, "ja", ""]
    for source, language in zip(given["sources"] + given["more"], languages, strict=True):
        source["language"] = language
    answers_with(tab, given)
    exchange = tab.ask("Start siden")
    spoken = [each.evaluate(LANGUAGE) for each in tab.places(exchange).all()]
    assert spoken == [language or own for language in languages]
    card = exchange.locator("[part~=card]").first
    for name in ("path", "excerpt", "card-title"):
        assert card.locator(f"[part~={name}]").first.evaluate(LANGUAGE) == "ja", name
    for name in ("badge", "whole", "copy"):
        words = exchange.locator(f"[part~={name}]").all()
        assert {each.evaluate(LANGUAGE) for each in words} == {panel}, name
    tab.close()


def test_without_a_server_docs_in_another_language_are_spoken_in_their_own(browser: Browser, tmp_path: Path) -> None:
    """The section is only in German, and the reader's page is in English."""
    site = tmp_path / "site"
    site.mkdir()
    for name, tag, title, text in (
        ("index", "en", "Home", "Nothing is said here."),
        ("farben", "de", "Farben", "Die Palette hat ein dunkles Schema."),
    ):
        main = f"<main><h1 id=top>{title}</h1><p>{text}</p></main>"
        (site / f"{name}.html").write_text(
            f'<!doctype html><html lang="{tag}"><title>{title}</title><body>{main}</body>'
        )
    index_site(site, index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(site) as origin:
        tab = Reader(browser, origin)
        tab.goto("index.html")
        tab.open()
        card = tab.ask("dunkles Schema der Palette").locator("[part~=card]").first
        spoken = [
            card.locator(f"[part~={name}]").first.evaluate(LANGUAGE) for name in ("excerpt", "card-title", "copy")
        ]
        tab.close()
    assert spoken == ["de", "de", "en"]
    assert (tab.errors, tab.foreign) == ([], [])


@pytest.mark.parametrize("tag", ["FR", "fr_CA"])
def test_a_tag_is_read_as_the_server_reads_it(browser: Browser, server: SiteServer, tag: str) -> None:
    def tagged(route: Route) -> None:
        response = route.fetch()
        route.fulfill(response=response, body=response.text().replace('lang="fr-CA"', f'lang="{tag}"'))

    tab = Reader(browser, server.origin)
    tab.page.route("**/fr/", tagged)
    tab.goto("fr/")
    expect(tab.part("pill")).to_have_text("Interroger la doc")
    tab.close()


def test_the_button_speaks_up_only_where_the_panel_is_missing(browser: Browser, server: SiteServer) -> None:
    tab = Reader(browser, server.origin)
    tab.goto("fr/")
    expect(tab.part("pill")).to_have_text("Interroger la doc")
    expect(tab.part("pill")).not_to_have_attribute("aria-live", "polite")
    tab.page.route("**/trueref-panel.js*", lambda route: route.abort())
    tab.part("pill").click()
    expect(tab.part("pill")).to_have_text("Échec du chargement. Réessayer")
    expect(tab.part("pill")).to_have_attribute("aria-live", "polite")
    tab.page.unroute("**/trueref-panel.js*")
    tab.open()
    tab.part("close").click()
    expect(tab.part("pill")).to_have_text("Interroger la doc")
    tab.close()
