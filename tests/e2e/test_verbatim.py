"""What an answer says of the docs, the docs say: word for word, whole sentences, whole code, in the cited section."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests import local_http
from tests.e2e.conftest import DEVELOPMENT_SITES, DevelopmentSite
from tests.e2e.hosting import PREFIX, SiteServer
from tests.e2e.quoting import Place, unquoted
from tests.e2e.test_answers import QUESTIONS
from tests.server.shapes import misshapen

from trueref_core.generations.served_generation import open_index, read_manifest
from trueref_server.answering.answer_markdown import write
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.corpus import Corpus, Statistics
from trueref_server.question.plan import make_plan
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import ExcerptBlock, Question

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page
    from tests.e2e.conftest import Docs

    from trueref_core.records import Chunk

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


class PlacesOf:
    """The paragraphs, items, rows and code of sections, looked up in the files of their site."""

    def __init__(self, judge: Page, site: Path, index: Path) -> None:
        self._judge, self._site = judge, site
        self._files = {page.page: page.file for page in read_manifest(index).pages()}
        self.of = cache(self._of)

    def _of(self, page: str, anchor: str) -> list[Place] | None:
        html = (self._site / self._files[page]).read_text(encoding="utf-8")
        found = self._judge.evaluate(PLACES, [html, anchor])
        return None if found is None else [Place(**place) for place in found]


class Checker:
    """Asks a server, and looks up in the files of its site what the answers quote."""

    def __init__(self, judge: Page, server: SiteServer, site: Path, index: Path) -> None:
        self.quoted, self.answered = 0, 0
        self._server, self._places = server, PlacesOf(judge, site, index)

    def wrong(self, question: str) -> list[str]:
        """What the answer to a question quotes that is not there, and what is wrong with the shape of its cards."""
        response = local_http.post(f"{self._server.origin}{PREFIX}/ask", json={"question": question})
        answer: dict[str, Any] = response.raise_for_status().json()
        count, wrong = unquoted(answer, self._places.of)
        self.quoted += count
        self.answered += answer["verdict"] == "answer"
        return [*misshapen(answer), *(f"{href}: {quote.kind} {quote.text!r}" for quote, href in wrong)]


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "development_site", [*DEVELOPMENT_SITES, "uv+bundled", "mkdocs-material+bundled"], indirect=True
)
def test_what_is_quoted_for_questions_of_users_stands_on_the_page(
    judge: Page, development_site: DevelopmentSite, development_server: SiteServer, shared: Path
) -> None:
    """The questions of users of that site, answered without vectors and with those of the bundled embedder. It needs the
    development sites beside the checkout, as its marker `shared` says, and is skipped with a line where they are not.

    A failure names its case; what they asked is not repeated here.
    """
    lines = (shared / f"{development_site.name}.jsonl").read_text(encoding="utf-8").splitlines()
    checker = Checker(judge, development_server, development_site.site, development_site.index)
    wrong = {case["id"]: found for case in map(json.loads, lines) if (found := checker.wrong(case["question"]))}
    print(f"{len(lines)} questions, {checker.answered} answered, {checker.quoted} quotes, wrong: {sorted(wrong)}")
    assert checker.quoted > len(lines)
    assert not wrong, "\n".join(f"{name}: {line}" for name, found in wrong.items() for line in found)


def test_what_is_quoted_of_our_docs_stands_on_the_page(judge: Page, docs: Docs, server: SiteServer) -> None:
    checker = Checker(judge, server, docs.site, docs.index)
    wrong = {question: found for question in QUESTIONS if (found := checker.wrong(question))}
    print(f"{len(QUESTIONS)} questions, {checker.answered} answered, {checker.quoted} quotes")
    assert checker.quoted > len(QUESTIONS)
    assert not wrong, "\n".join(f"{name}: {line}" for name, found in wrong.items() for line in found)


def test_an_excerpt_around_every_passage_of_our_docs_is_verbatim(judge: Page, docs: Docs) -> None:
    """Whatever is asked, and whichever passage is chosen for it: no choice of the ranking decides what is verbatim."""
    # In a thread: Playwright runs a loop in this one.
    with ThreadPoolExecutor(1) as pool:
        sections, statistics = pool.submit(asyncio.run, sections_of(docs.index)).result()
    relevances = [
        Relevance.of(WeightedQuestion(make_plan(Question(question), "en", statistics), statistics))
        for question in [*QUESTIONS][:3]
    ]
    places = PlacesOf(judge, docs.site, docs.index)
    cards, wrong = 0, []
    for (page, anchor), chunks in sections.items():
        read = passages(chunks)
        for shown in {excerpt(read, at, relevance) for at in range(len(read)) for relevance in relevances}:
            answer = as_answered(shown, page, anchor)
            cards += 1
            wrong += [f"{page}#{anchor}: {fault}" for fault in misshapen(answer)]
            wrong += [f"{page}#{anchor}: {quote.text!r}" for quote, _ in unquoted(answer, places.of)[1]]
    print(f"{len(sections)} sections, {cards} cards")
    assert cards > len(sections) > 100
    assert not wrong, "\n".join(wrong)


async def sections_of(index: Path) -> tuple[dict[tuple[str, str], list[Chunk]], Statistics]:
    """The chunks of each section of an index by page and anchor, in order, and its statistics."""
    opened = await open_index(index)
    corpus = await Corpus.of(opened)
    chunks = sorted((await opened.chunks(opened.rows.ids)).values(), key=lambda chunk: (chunk.page, chunk.position))
    await opened.close()
    sections: dict[tuple[str, str], list[Chunk]] = {}
    for chunk in chunks:
        sections.setdefault((chunk.page, chunk.anchor), []).append(chunk)
    return sections, corpus.statistics


def as_answered(blocks: Sequence[ExcerptBlock], page: str, anchor: str) -> dict[str, Any]:
    """An answer of one open card, with the fields of it that are looked at."""
    source = {"n": 1, "page": page, "anchor": anchor, "href": f"{page}#{anchor}", "section": "", "quote": ""}
    card = {"n": 1, "caption": "", "blocks": [asdict(block) for block in blocks]}
    return {"text": write(blocks, 1), "excerpts": [card], "sources": [source]}
