"""The widget on a page by one element: a site below a path of its host, and the answers on another host."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Response, expect
from tests.e2e.browsing import Reader
from tests.e2e.hosting import PREFIX, SiteServer, static_host
from tests.generators.building import gather, run

from trueref_plugin.build.build import index_site
from trueref_widget import FILES, file_bytes

pytestmark = [pytest.mark.browser]

SCRIPT = "https://answers.example.org/_trueref/widget/trueref.js"
"""As the docs write it."""
PUBLISHED = "https://zebras.example.org/docs/"
HOME = "<h1 id=zebras>Zebras</h1><p>A zebra lives in the grass.</p><p><a href=food/>Food</a></p>"
FOOD = "<h1 id=food>Food</h1><p>What they eat.</p>{}<h2 id=in-winter>Winter</h2><p>In winter a zebra eats dry bark.</p>"


def recipe(root: Path, language: str) -> str:
    """What docs/generators.md has an owner write, for a script at another address."""
    text = (root / "docs" / "generators.md").read_text(encoding="utf-8")
    found = [block for block in re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S) if SCRIPT in block]
    assert len(found) == 1, found
    return str(found[0])


def plain_site(folder: Path, element: str) -> None:
    """Two pages written by hand, one of them higher than the window."""
    for name, main in (("", HOME), ("food", FOOD.format("<p>Grass.</p>" * 200))):
        (folder / name).mkdir(parents=True, exist_ok=True)
        page = f"<!doctype html><html lang=en><title>Zebras</title><body><main>{main}</main>{element}</body></html>"
        (folder / name / "index.html").write_text(page)


class Host:
    """A static host with a site at `/docs/`, and a server of answers beside it, published at `base_url`."""

    def __init__(self, folder: Path, origin: str, base_url: str) -> None:
        self.site, self.origin = folder / "host" / "docs", origin
        index_site(self.site, index=folder / "index", base_url=base_url.format(origin=origin), embedder="lexical")
        self.server = SiteServer(None, folder / "index", folder / "log", TRUEREF_ALLOWED_ORIGINS=origin)


@contextmanager
def hosted(folder: Path, base_url: str) -> Iterator[Host]:
    """The host with its server, both running, around a site that has been built already."""
    with static_host(folder / "host") as origin:
        host = Host(folder, origin, base_url)
        host.server.start()
        try:
            yield host
        finally:
            host.server.stop()


def with_script(site: Path, script: str) -> None:
    """Writes the address of the script into every page that names that of the docs."""
    for page in site.rglob("*.html"):
        page.write_text(page.read_text(encoding="utf-8").replace(SCRIPT, script), encoding="utf-8")


def ask_and_follow(browser: Browser, origin: str, question: str, lands_at: str) -> None:
    """Asks on the first page, and follows the best section; nothing is missing, and nothing is logged."""
    tab = Reader(browser, origin)
    missing: list[str] = []

    def note(response: Response) -> None:
        # Browsers ask for the icon of a host by themselves, and Starlight names one that the project has to bring.
        if response.status >= 400 and "/favicon." not in response.url:
            missing.append(response.url)

    tab.page.on("response", note)
    tab.goto("docs/")
    expect(tab.chat).to_have_count(1)
    tab.open()
    exchange = tab.ask(question)
    tab.follow(tab.places(exchange).first)
    assert tab.address == f"{origin}/docs/{lands_at}"
    assert tab.landed() == {"found": True, "seen": True}
    # The conversation goes with the reader, and knows that this is the page.
    expect(tab.part("exchange")).to_have_count(1)
    tab.close()
    assert (missing, [error for error in tab.errors if "favicon" not in error], tab.foreign) == ([], [], [])


@pytest.mark.parametrize("base_url", [PUBLISHED, "{origin}/docs/"], ids=["preview", "published"])
def test_one_element_answers_on_plain_html_below_a_path(
    root: Path, browser: Browser, tmp_path: Path, base_url: str
) -> None:
    plain_site(tmp_path / "host" / "docs", recipe(root, "html"))
    with hosted(tmp_path, base_url) as host:
        with_script(host.site, f"{host.server.origin}{PREFIX}/widget/trueref.js")
        ask_and_follow(browser, host.origin, "What does a zebra eat in winter?", "food/#in-winter")


REPLACE_BODY = """async href => {
  const page = new DOMParser().parseFromString(await (await fetch(href)).text(), "text/html");
  history.pushState(null, "", href);
  const body = document.adoptNode(page.body);
  for (const script of body.querySelectorAll("script")) {
    const running = Object.assign(document.createElement("script"), {type: script.type, src: script.src});
    script.replaceWith(running);
  }
  document.body.replaceWith(body);
}"""
"""What Turbo and the router of Astro do when a link is followed: another body, with its scripts put in anew."""


def test_an_element_beside_its_script_answers_after_a_router_has_replaced_the_body(
    root: Path, browser: Browser, tmp_path: Path
) -> None:
    plain_site(tmp_path / "host" / "docs", f"<trueref-chat></trueref-chat>{recipe(root, 'html')}")
    with hosted(tmp_path, PUBLISHED) as host:
        with_script(host.site, f"{host.server.origin}{PREFIX}/widget/trueref.js")
        tab = Reader(browser, host.origin)
        tab.goto("docs/")
        tab.open()
        tab.ask("What does a zebra eat in winter?")
        tab.page.evaluate(REPLACE_BODY, f"{host.origin}/docs/food/")
        # The panel is open again, with the conversation, and knows that this is the page of the answer.
        expect(tab.part("exchange")).to_have_count(1)
        expect(tab.part("exchange").locator("[part~=card] [part~=badge]").first).to_be_visible()
        tab.ask("What do zebras eat?")
        expect(tab.chat).to_have_count(1)
        tab.close()


def test_files_of_the_widget_in_the_site_need_no_base(browser: Browser, tmp_path: Path) -> None:
    site = tmp_path / "host" / "docs"
    plain_site(site, "<script type=module src=/docs/assets/trueref/trueref.js data-server={}></script>")
    assets = site / "assets" / "trueref"
    assets.mkdir(parents=True)
    for name in FILES:
        (assets / name).write_bytes(file_bytes(name))
    (assets / "build.json").write_text('{"generation": ""}')
    with hosted(tmp_path, PUBLISHED) as host:
        for page in site.rglob("*.html"):
            page.write_text(page.read_text().replace("{}", f"{host.server.origin}{PREFIX}"))
        ask_and_follow(browser, host.origin, "What does a zebra eat in winter?", "food/#in-winter")


def test_one_element_answers_on_a_sphinx_site_below_a_path(root: Path, browser: Browser, tmp_path: Path) -> None:
    project = gather("furo", tmp_path / "project", ".", ("install.md", "visits.md", "settings.md", "hivenotes.py"))
    with (project / "conf.py").open("a", encoding="utf-8") as configuration:
        configuration.write(recipe(root, "python"))
    (tmp_path / "host").mkdir()
    run(sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", str(tmp_path / "host" / "docs"), folder=project)
    with hosted(tmp_path, PUBLISHED) as host:
        with_script(host.site, f"{host.server.origin}{PREFIX}/widget/trueref.js")
        ask_and_follow(browser, host.origin, "How do I upgrade, and is the diary kept?", "install.html#upgrade")
