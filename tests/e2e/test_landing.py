"""Where a link of an answer leads the browser, on pages that hide the place: folds, tabs, and a panel that takes room."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.browsing import PHONE, Reader
from tests.e2e.hosting import static_host
from tests.generators.building import run

from trueref_plugin.build.build import index_site
from trueref_widget import STATIC

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CONFIG = """site_name: Kettle
theme:
  name: material
  font: false
  features: [{features}]
plugins:
  - trueref: {{embedder: lexical}}
markdown_extensions:
  - admonition
  - pymdownx.details
  - pymdownx.superfences
  - pymdownx.tabbed: {{alternate_style: true}}
"""
PAUSE = "Steam rises.\n\n" * 60
HOME = f"# Kettle\n\nIt boils water.\n\n{PAUSE}## Whistle\n\nThe whistle is loud. {'It whistles. ' * 30}\n"
BOIL = f"""# Boil

{PAUSE}
## Set it up

=== "Gas"

    Light the burner with a match.

=== "Induction"

    Put a magnetic disc beneath the porcelain kettle.

??? note "Descaling"

    Citric acid dissolves limescale overnight.

{PAUSE}
"""


@dataclass(frozen=True)
class Case:
    """A question that is asked on a page, and words of the place that its first card leads to."""

    question: str
    words: str
    asked_on: str = ""


TAB = Case("Which disc goes beneath a porcelain kettle on induction?", "Put a magnetic disc")
FOLD = Case("What dissolves limescale overnight?", "Citric acid dissolves")
SAME_PAGE = Case("How loud is the whistle?", "The whistle is loud")


INSTANT = pytest.param("navigation.instant", id="instant", marks=pytest.mark.long)


@pytest.fixture(scope="module", params=[pytest.param("", id="loading"), INSTANT])
def kettle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Material site without a server; gives its origin."""
    project: Path = tmp_path_factory.mktemp("kettle")
    (project / "docs").mkdir()
    (project / "mkdocs.yml").write_text(CONFIG.format(features=request.param), encoding="utf-8")
    for name, text in (("index", HOME), ("boil", BOIL)):
        (project / "docs" / f"{name}.md").write_text(text, encoding="utf-8")
    run("mkdocs", "build", "--quiet", folder=project)
    with static_host(project / "site") as origin:
        yield origin


NARROW = pytest.param((800, 700), id="narrow", marks=pytest.mark.long)


@pytest.mark.parametrize("size", [pytest.param((1366, 768), id="wide"), NARROW, pytest.param(PHONE, id="phone")])
@pytest.mark.parametrize("case", [TAB, FOLD, SAME_PAGE], ids=["tab", "fold", "same page"])
def test_the_place_of_an_answer_is_shown(browser: Browser, kettle: str, case: Case, size: tuple[int, int]) -> None:
    tab = Reader(browser, kettle, size=size)
    tab.goto(case.asked_on)
    tab.open()
    exchange = tab.ask(case.question)
    expect(exchange.locator("[part~=excerpt]").first).to_contain_text(case.words)
    tab.follow(tab.places(exchange).first)
    place = tab.page.locator(".md-content").get_by_text(case.words)
    expect(place).to_be_in_viewport()
    tab.close()
    assert tab.errors == []


TABS = {
    # sphinx-design and sphinx-inline-tabs: each panel behind its button and its label.
    "sphinx-design": """<style>.c { display: none } input:checked + label + .c { display: block }</style>
      <div class=sd-tab-set><input id=a1 type=radio name=a checked><label for=a1>A</label><div class=c><p>One</p></div>
      <input id=a2 type=radio name=a><label for=a2>B</label><div class=c><p>Put the words in order here</p></div></div>""",
    "VitePress": """<style>.blocks > div { display: none } .blocks > .active { display: block }</style>
      <div class=vp-code-group><div class=tabs><input type=radio name=b checked><label>A</label>
      <input type=radio name=b onclick="document.querySelectorAll('.blocks > div').forEach((it, i) =>
        it.classList.toggle('active', i === 1))"><label>B</label></div>
      <div class=blocks><div class=active><pre>One</pre></div><div><pre>Put the words in order here</pre></div></div></div>""",
    "Starlight": """<a role=tab id=t1>A</a><a role=tab id=t2 onclick="p1.hidden = true; p2.hidden = false">B</a>
      <div role=tabpanel id=p1 aria-labelledby=t1><p>One</p></div>
      <div role=tabpanel id=p2 aria-labelledby=t2 hidden><p>Put the words in order here</p></div>""",
    "Docusaurus": """<div class=tabs-container><ul role=tablist><li role=tab>A</li>
      <li role=tab onclick="q1.hidden = true; q2.hidden = false">B</li></ul><div>
      <div role=tabpanel id=q1><p>One</p></div><div role=tabpanel id=q2 hidden><p>Put the words in order here</p></div>
      </div></div>""",
    "folds": """<details><summary>A</summary><details><summary>B</summary><p>Put the words in order here</p></details></details>""",
}


@pytest.mark.parametrize("tabs", TABS.values(), ids=TABS)
def test_tabs_and_folds_of_every_host_are_opened(browser: Browser, tmp_path: Path, tabs: str) -> None:
    (tmp_path / "index.html").write_text(f"<!doctype html><title>T</title>{'<p>High.' * 99}<h2 id=here>H</h2>{tabs}")
    (tmp_path / "trueref-landing.js").write_bytes((STATIC / "trueref-landing.js").read_bytes())
    with static_host(tmp_path) as origin:
        page = browser.new_page(viewport={"width": 1280, "height": 700})
        page.goto(f"{origin}/#here")
        words = page.get_by_text("Put the words in order here")
        expect(words).to_be_hidden()
        page.evaluate(
            """() => import("/trueref-landing.js").then(({ land }) =>
                land("/#here", "1. Put `the` **words** in order here", () => {}, new AbortController().signal))"""
        )
        expect(words).to_be_in_viewport()
        page.close()


def test_a_place_is_looked_for_in_its_own_section(browser: Browser, tmp_path: Path) -> None:
    """Words of a card may stand further down as well, in a section that the answer is not of."""
    later = f"<h2 id=later>L</h2>{'<p>High.' * 99}<details><summary>S</summary><p>Put the words in order</p></details>"
    (tmp_path / "index.html").write_text(f"<!doctype html><title>T</title><h2 id=here>H</h2><p>One</p>{later}")
    (tmp_path / "trueref-landing.js").write_bytes((STATIC / "trueref-landing.js").read_bytes())
    with static_host(tmp_path) as origin:
        page = browser.new_page(viewport={"width": 1280, "height": 700})
        page.goto(f"{origin}/#here")
        page.evaluate(
            """() => import("/trueref-landing.js").then(({ land }) =>
                land("/#here", "Put the words in order", () => {}, new AbortController().signal))"""
        )
        expect(page.locator("h2").first).to_be_in_viewport()
        expect(page.get_by_text("Put the words in order")).to_be_hidden()
        page.close()


def test_the_place_of_the_last_link_stays_in_sight(browser: Browser, tmp_path: Path) -> None:
    """The look for the place of one link went on when another was followed, and took the reader back."""
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text(
        f"<!doctype html><title>Zoo</title><main><h1 id=zoo>Zoo</h1><h2 id=zebras>Feeding zebras</h2><p>Feed the zebras hay."
        f"{'<p>High.' * 99}<h2 id=hours>Hours of feeding zebras</h2><p>Zebras are fed at nine.</main>"
    )
    index_site(tmp_path / "site", index=tmp_path / "index", embedder="lexical", widget="none")
    with static_host(tmp_path / "site") as origin:
        tab = Reader(browser, origin)
        tab.page.clock.install()
        tab.goto("")
        tab.open()
        exchange = tab.ask("feeding zebras")
        exchange.locator("[part~=fold]").click()
        links = [exchange.locator(f"a[href*='{end}']").first.element_handle() for end in ("#hours", "#zebras")]
        tab.page.evaluate(
            "window.shown = []; Element.prototype.scrollIntoView = function () { shown.push(this.id) }; 0"
        )
        tab.page.evaluate("links => links.forEach(link => link.click())", links)
        for _ in range(15):
            tab.page.clock.run_for(200)
        expect(tab.page.locator("#zebras")).to_be_in_viewport()
        assert tab.page.evaluate("shown") == []
        tab.close()
    assert tab.errors == []


LOW = f"<!doctype html><title>T</title>{'<p>High.' * 99}<h2 id=here>H</h2><p>One</p>"
LAND = """() => import("/trueref-landing.js").then(({ land }) => {
  window.search = new AbortController();
  void land("/#here", "", () => {}, search.signal);
})"""


# Follows a link from /start on a page whose router changes the address at once.
FOLLOW_AND_PUSH = """([link, quote]) => import("/trueref-landing.js").then(({ land }) => {
  void land(link, quote, () => {}, new AbortController().signal, {href: "/start", title: document.title});
  history.pushState(null, "", link);
})"""
DRAW_NEXT = f"""document.title = "Next"; document.body.innerHTML =
  "{"<p>High." * 99}<h2 id=here>H</h2><p>Put the words in order here"; 0"""


@pytest.fixture
def low(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    """A page at its top, whose place #here is below the window, and a clock that stands until a test moves it."""
    (tmp_path / "index.html").write_text(LOW)
    (tmp_path / "trueref-landing.js").write_bytes((STATIC / "trueref-landing.js").read_bytes())
    with static_host(tmp_path) as origin:
        page = browser.new_page(viewport={"width": 1280, "height": 700})
        page.clock.install(time=0)
        page.goto(origin)
        page.clock.pause_at(3_600)
        page.evaluate("history.replaceState(null, '', '#here')")
        yield page
        page.close()


@pytest.mark.parametrize(
    "end", ["search.abort()", "dispatchEvent(new Event('wheel'))"], ids=["another link", "the reader scrolls"]
)
def test_a_search_that_ended_does_not_scroll_once_more(low: Page, end: str) -> None:
    """The pause between two looks went on, and what came behind it took the reader back."""
    low.evaluate(LAND)
    low.clock.run_for(200)
    expect(low.locator("#here")).to_be_in_viewport()
    low.evaluate("scrollTo(0, 0)")
    low.clock.run_for(100)
    low.evaluate(f"{end}; 0")
    low.clock.run_for(3000)
    assert low.evaluate("scrollY") == 0


def test_a_place_is_shown_on_a_page_that_comes_late(low: Page) -> None:
    """A router changes the address at once, and has to fetch the page; the search for the place ended before it came."""
    low.evaluate("window.later = document.querySelector('#here'); later.remove()")
    low.evaluate(LAND)
    low.clock.run_for(8000)
    low.evaluate("document.body.append(later)")
    low.clock.run_for(400)
    expect(low.locator("#here")).to_be_in_viewport()


@pytest.mark.parametrize("touch", ["", "dispatchEvent(new Event('wheel'))"], ids=["still", "the reader scrolls"])
@pytest.mark.parametrize("link", ["/next/#here", "/next/"], ids=["the same heading", "no heading"])
def test_the_page_before_is_not_taken_for_the_page_of_the_link(low: Page, link: str, touch: str) -> None:
    """The address changes first. Both pages have such a heading, and a reader may scroll the first while they wait."""
    low.evaluate(FOLLOW_AND_PUSH, [link, "Put the words in order here"])
    low.clock.run_for(1000)
    low.evaluate(f"{touch}; 0")
    low.clock.run_for(3000)
    assert low.evaluate("scrollY") == 0
    low.evaluate(DRAW_NEXT)
    low.clock.run_for(400)
    expect(low.get_by_text("Put the words in order here")).to_be_in_viewport()


def test_a_page_with_the_same_title_is_shown_after_a_while(low: Page) -> None:
    low.evaluate(FOLLOW_AND_PUSH, ["/next/#here", ""])
    low.clock.run_for(6000)
    expect(low.locator("#here")).to_be_in_viewport()


@pytest.mark.parametrize("steps", [["/next/", "/start"], ["/other/"]], ids=["back", "elsewhere"])
def test_a_reader_who_went_elsewhere_is_not_taken_along_later(low: Page, steps: list[str]) -> None:
    low.evaluate(FOLLOW_AND_PUSH, ["/next/#here", ""])
    for step in steps:
        low.evaluate("step => history.pushState(null, '', step)", step)
        low.clock.run_for(400)
    low.evaluate("history.pushState(null, '', '/next/')")
    low.evaluate(DRAW_NEXT)
    low.clock.run_for(3000)
    assert low.evaluate("scrollY") == 0


@pytest.mark.parametrize("shown", ["/next", "/next.html", "/next/index.html", "/n%65xt/"])
def test_an_address_that_the_host_writes_otherwise_is_the_page_of_the_link(low: Page, shown: str) -> None:
    low.evaluate(FOLLOW_AND_PUSH, ["/next/#here", ""])
    low.evaluate("shown => history.replaceState(null, '', shown)", shown)
    low.evaluate(DRAW_NEXT)
    low.clock.run_for(400)
    expect(low.locator("#here")).to_be_in_viewport()


def test_a_passage_above_the_window_is_shown_in_a_page_that_scrolls_in_an_element(low: Page) -> None:
    low.evaluate("""document.body.innerHTML = "<main style='height: 600px; overflow: auto'><p>Put the words in order here" +
      "<p>High.".repeat(99) + "</main>"; document.querySelector("main").scrollTop = 2000; 0""")
    low.evaluate("""() => import("/trueref-landing.js").then(({ land }) => {
      void land("/", "Put the words in order here", () => {}, new AbortController().signal); })""")
    low.clock.run_for(400)
    expect(low.get_by_text("Put the words in order here")).to_be_in_viewport()


def test_a_place_that_never_comes_is_given_up(low: Page) -> None:
    low.evaluate("window.later = document.querySelector('#here'); later.remove()")
    low.evaluate(LAND)
    low.clock.run_for(31_000)
    low.evaluate("document.body.append(later)")
    low.clock.run_for(3000)
    assert low.evaluate("scrollY") == 0


def test_a_link_is_followed_without_the_file_and_with_a_damaged_note(browser: Browser, kettle: str) -> None:
    """A site that copied the widget by hand may lack the file, and what another script left in the storage is no note."""
    tab = Reader(browser, kettle)
    tab.goto("")
    tab.page.evaluate("sessionStorage.setItem('trueref-landing', '{')")
    tab.page.route("**/trueref-landing.js", lambda route: route.fulfill(status=404))
    thrown: list[str] = []
    tab.page.on("pageerror", lambda error: thrown.append(str(error)))
    tab.open()
    exchange = tab.ask(SAME_PAGE.question)
    tab.follow(tab.places(exchange).first)
    assert tab.landed() == {"found": True, "seen": True}
    tab.close()
    assert thrown == []
