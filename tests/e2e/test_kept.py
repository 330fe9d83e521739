"""What a server keeps, with a real browser: a reader's verdict arrives in the store, and the report is a page."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.cli.running import run
from tests.e2e.browsing import DESKTOP, PHONE, Reader
from tests.e2e.hosting import SiteServer
from tests.services import redis_server
from tests.waiting import wait_until

from trueref_server.store.database import Database

if TYPE_CHECKING:
    from tests.e2e.conftest import Docs

pytestmark = pytest.mark.browser

QUESTION = "How do I check links in CI?"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kept") / "insight.db"


@pytest.fixture(scope="module")
def keeping(docs: Docs, store: Path) -> Iterator[SiteServer]:
    """The docs with their answers, by a server with a store."""
    served = SiteServer(
        docs.site,
        docs.index,
        store.with_name("log"),
        TRUEREF_STORE=f"sqlite:///{store}",
        TRUEREF_QUESTION_DAYS="7",
    )
    try:
        served.start()
        yield served
    finally:
        served.stop()


def ratings(store: Path) -> list[tuple[bool, str]]:
    database = Database(f"sqlite:///{store}")
    try:
        return [(rating.helpful, rating.reason) for rating in database.ratings(0)]
    finally:
        database.close()


def test_a_verdict_arrives_in_the_store(browser: Browser, keeping: SiteServer, store: Path) -> None:
    reader = Reader(browser, keeping.origin)
    reader.goto("")
    reader.open()
    group = reader.ask(QUESTION).get_by_role("group", name="Was this helpful?")
    group.get_by_role("button", name="No").click()
    wait_until(lambda: ratings(store) == [(False, "")])
    group.get_by_role("textbox", name="Why? (optional)").fill("I wanted GitLab.")
    reader.page.keyboard.press("Enter")
    expect(group.get_by_role("status")).to_have_text("Thank you. This helps to mend the docs.")
    wait_until(lambda: ratings(store) == [(False, "I wanted GitLab.")])
    # The same question again is an answer of its own, from the cache, with a verdict of its own.
    again = reader.ask(QUESTION).get_by_role("group", name="Was this helpful?")
    again.get_by_role("button", name="Yes").click()
    wait_until(lambda: sorted(ratings(store)) == [(False, "I wanted GitLab."), (True, "")])
    assert (reader.errors, reader.foreign) == ([], [])
    reader.close()


def test_where_nothing_is_kept_nothing_is_asked(reader: Reader) -> None:
    reader.goto("")
    reader.open()
    exchange = reader.ask(QUESTION)
    expect(exchange.get_by_role("group", name="Was this helpful?")).to_have_count(0)


@pytest.fixture(scope="module")
def report(docs: Docs, keeping: SiteServer, store: Path, browser: Browser) -> Path:
    """The page of what was kept, with a question that the docs do not answer and what a script might do in it."""
    reader = Reader(browser, keeping.origin)
    reader.goto("")
    reader.open()
    for question in ("Is there a Slack bot?", "<img src=x onerror=alert(1)> zxqv wuggle", "answer questions in Slack"):
        group = reader.ask(question).get_by_role("group", name="Was this helpful?")
        group.get_by_role("button", name="No").click()
    reader.close()
    wait_until(lambda: len(ratings(store)) >= 3)
    page = store.with_name("report.html")
    done = run("report", "--store", f"sqlite:///{store}", "--index", docs.index, "--days", "1", "--html", page)
    assert done.returncode == 0, done.stderr
    return page


CONTRAST = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const light = (colour) => {
    const [r, g, b] = numbers(colour).map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
  const ground = (e) => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (!colour.endsWith(", 0)")) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  for (const e of document.querySelectorAll("h1, h2, h3, p, dt, dd, li, td, th, caption, figcaption, summary, span, a")) {
    const value = ratio(getComputedStyle(e).color, ground(e));
    if (e.textContent.trim() && value < 4.5) found.push(`${e.tagName} ${value.toFixed(2)}`);
  }
  for (const e of document.querySelectorAll("svg rect, svg .line")) {
    const style = getComputedStyle(e);
    const value = ratio(style.stroke === "none" ? style.fill : style.stroke, ground(e.closest("svg")));
    if (value < 3) found.push(`${e.getAttribute("class")} ${value.toFixed(2)}`);
  }
  return found;
}"""


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_report_as_a_page_is_readable_and_runs_nothing(
    browser: Browser, report: Path, root: Path, dark: bool, size: tuple[int, int]
) -> None:
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme="dark" if dark else "light"
    )
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: said.append(request.url) if request.url != report.as_uri() else None)
    page.goto(report.as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    expect(page.get_by_role("heading", level=1)).to_have_text("What readers asked")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it does not scroll sideways"
    assert page.evaluate(CONTRAST) == []
    assert {picture["name"].partition(",")[0] for picture in pictures_of(page)} == {
        "Questions by hour",
        "Shares by hour",
    }
    expect(page.get_by_role("table").first).to_be_visible()
    expect(page.get_by_role("heading", level=3, name="<img src=x onerror=alert(1)>")).to_be_visible()
    assert said == [], "it runs nothing and asks nothing of anybody"
    shots = root / "test-results"
    shots.mkdir(exist_ok=True)
    page.screenshot(path=shots / f"report-{'dark' if dark else 'light'}-{size[0]}.png", full_page=True)
    context.close()


def pictures_of(page: Page) -> list[dict[str, Any]]:
    """The pictures as assistive technology is told of them."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [
        {"name": node.get("name", {}).get("value", "")}
        for node in nodes
        if not node["ignored"] and node["role"]["value"] == "image"
    ]


@pytest.mark.long
def test_the_first_byte_of_a_kept_answer_comes_in_a_fraction_of_the_time(docs: Docs, root: Path) -> None:
    """Under 5 % of one that is made, from memory, SQLite and Redis; the script judges, and prints the medians."""
    with redis_server() as url:
        command = [sys.executable, "-m", "scripts.measure_cache", str(docs.index), url]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert done.stdout.count("first byte") == 3
