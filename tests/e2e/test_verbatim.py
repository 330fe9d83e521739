"""What an answer says of the docs, the docs say: word for word, whole sentences, whole code, in the cited section."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.e2e.conftest import DEVELOPMENT_SITES, DevelopmentSite
from tests.e2e.hosting import PREFIX, SiteServer
from tests.e2e.quoting import Place, unquoted
from tests.e2e.test_answers import QUESTIONS
from tests.server.shapes import misshapen

from trueref_core.generations.publication import read_manifest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from tests.e2e.conftest import Docs

pytestmark = [pytest.mark.browser]

PLACES = Path(__file__).with_name("places.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def judge(browser: Browser) -> Page:
    """A page that parses HTML and asks nothing of any network."""
    page = browser.new_page()
    page.route("**/*", lambda route: route.abort())
    return page


@pytest.fixture
def development_server(
    development_site: DevelopmentSite, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SiteServer]:
    """A development site with its answers."""
    log = tmp_path_factory.mktemp("served") / "log"
    served = SiteServer(development_site.site, development_site.index, log)
    served.start()
    yield served
    served.stop()


class Checker:
    """Asks a server, and looks up in the files of its site what the answers quote."""

    def __init__(self, judge: Page, server: SiteServer, site: Path, index: Path) -> None:
        self.quoted, self.answered = 0, 0
        self._judge, self._server, self._site = judge, server, site
        self._files = {page.page: page.file for page in read_manifest(index).pages()}
        self.places = cache(self._places)

    def wrong(self, question: str) -> list[str]:
        """What the answer to a question quotes that is not there, and what is wrong with the shape of its cards."""
        response = httpx.post(f"{self._server.origin}{PREFIX}/ask", json={"question": question}, timeout=30)
        answer: dict[str, Any] = response.raise_for_status().json()
        count, wrong = unquoted(answer, self.places)
        self.quoted += count
        self.answered += answer["verdict"] == "answer"
        return [*misshapen(answer), *(f"{href}: {quote.kind} {quote.text!r}" for quote, href in wrong)]

    def _places(self, page: str, anchor: str) -> list[Place] | None:
        html = (self._site / self._files[page]).read_text(encoding="utf-8")
        found = self._judge.evaluate(PLACES, [html, anchor])
        return None if found is None else [Place(**place) for place in found]


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize("development_site", DEVELOPMENT_SITES, indirect=True)
def test_development_questions(
    judge: Page, development_site: DevelopmentSite, development_server: SiteServer, shared: Path
) -> None:
    """The questions of users of that site. A failure names its case; what they asked is not repeated here."""
    lines = (shared / f"{development_site.name}.jsonl").read_text(encoding="utf-8").splitlines()
    checker = Checker(judge, development_server, development_site.site, development_site.index)
    wrong = {case["id"]: found for case in map(json.loads, lines) if (found := checker.wrong(case["question"]))}
    print(f"{len(lines)} questions, {checker.answered} answered, {checker.quoted} quotes, wrong: {sorted(wrong)}")
    assert checker.quoted > len(lines)
    assert not wrong, "\n".join(f"{name}: {line}" for name, found in wrong.items() for line in found)


def test_own_questions(judge: Page, docs: Docs, server: SiteServer) -> None:
    checker = Checker(judge, server, docs.site, docs.index)
    wrong = {question: found for question in QUESTIONS if (found := checker.wrong(question))}
    print(f"{len(QUESTIONS)} questions, {checker.answered} answered, {checker.quoted} quotes")
    assert checker.quoted > len(QUESTIONS)
    assert not wrong, "\n".join(f"{name}: {line}" for name, found in wrong.items() for line in found)
