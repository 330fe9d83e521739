"""This project's docs answer what people ask who try the program, and every question that the widget offers on them."""

from __future__ import annotations

import json
from dataclasses import fields
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest
from tests import local_http
from tests.e2e.hosting import PREFIX

from trueref_core.export.offered_questions import OfferedQuestions, question_of
from trueref_core.generations.served_generation import read_manifest
from trueref_server.settings import VARIABLE, Settings

if TYPE_CHECKING:
    from tests.e2e.conftest import Docs
    from tests.e2e.hosting import SiteServer

KEY = "faq/#do-i-need-an-api-key-or-an-account"
LEFT = "configuration/#move-the-button-to-the-left"
HIDDEN = "configuration/#hide-the-button-on-some-pages"
STATIC = "faq/#does-it-work-on-github-pages-and-other-static-hosting"
OUTDATED = "troubleshooting/#answers-are-outdated-after-the-docs-were-rebuilt"
MEMORY = "deploy/#how-much-memory-the-server-needs"
TYPED = "data/#who-can-see-what-readers-type"
BROKEN = "check/#fail-ci-on-a-broken-link"
SYSTEM = "install/#python-version-and-operating-system"
REPORT = "insight/#read-the-report"
LABEL = "configuration/#change-the-text-and-the-colour-of-the-button"
EXCLUDED = "configuration/#keep-a-page-out-of-the-answers"
COPIED = "deploy/#copy-an-index-from-ci-to-a-server"
LOG = "deploy/#what-the-server-writes-to-its-log"
DOCUSAURUS = "docusaurus/#ten-minutes"
BACKUP = "faq/#do-i-have-to-back-up-the-index"
SETTINGS = "configuration/#the-server"

QUESTIONS = {
    "do i need an openai key for this or does it work without": KEY,
    "is an API key required": KEY,
    "how do i move the ask button to the bottom left corner": LEFT,
    "put the chat widget on the left side": LEFT,
    "dont want the chat showing on our landing page, only on the docs pages, possible?": HIDDEN,
    "how to hide the widget on one page": HIDDEN,
    "our docs are on github pages, can trueref work there at all": STATIC,
    "does it run on static hosting like GitHub Pages or Netlify": STATIC,
    "I rebuilt the docs but still get old answers?? restart needed or what": OUTDATED,
    "answers are outdated after updating the docs": OUTDATED,
    "how much memory does the server use": MEMORY,
    "how much RAM does trueref serve need": MEMORY,
    "can the people running the site see what i typed into the chat": TYPED,
    "are my questions logged or stored": TYPED,
    "make our CI fail if somebody merges a dead link": BROKEN,
    "check for broken links in a pull request": BROKEN,
    "which python do I need and does windows work": SYSTEM,
    "can I install it on macOS or Windows": SYSTEM,
    "see which questions nobody got an answer to last week": REPORT,
    "find gaps in our docs from what readers ask": REPORT,
    "change text ask the docs to something else plus own colour": LABEL,
    "customize the look of the ask button": LABEL,
    "how do i stop a page from showing up in answers": EXCLUDED,
    "exclude a page from search results": EXCLUDED,
    "How do I put the index on a server when CI builds it?": COPIED,
    "build in github actions and deploy index to our server": COPIED,
    "What does the server write into its log?": LOG,
    "does the server have an access log": LOG,
    "Does Trueref work with Docusaurus?": DOCUSAURUS,
    "will the npm run serve command of docusaurus show answers": DOCUSAURUS,
    "Does it run on static hosting?": STATIC,
    "How do I back up the index?": BACKUP,
    "where does the index live and should I back it up": BACKUP,
    "TRUEREF_WEIGHTS": SETTINGS,
    "what does TRUEREF_PREFIX do": SETTINGS,
    "what license is it": "faq/#is-trueref-free-and-what-licence-does-it-have",
    "does it work with Hugo or Jekyll": "faq/#which-documentation-generators-does-it-work-with",
    "does it send data to openai": "faq/#does-it-send-data-to-openai-or-to-anybody-else",
    "does it work offline": "faq/#does-it-work-offline",
    "how accurate is it": "faq/#can-an-answer-be-wrong-or-made-up",
    "does it support multiple versions of docs": "faq/#does-it-support-multiple-versions-of-the-docs",
    "how do I update the index when docs change": "faq/#how-do-i-update-the-index-when-the-docs-change",
    "can I call it from my own app": "faq/#can-i-call-it-from-my-own-program-or-app",
    "how do I run it in docker": "deploy/#a-container",
    "can I run several servers": "deploy/#several-servers",
    "does the widget work on mobile": "configuration/#mobile-phones-and-small-screens",
    "does it work with screen readers": "configuration/#keyboard-and-screen-readers",
    "limit requests per user": "configuration/#limit-how-many-questions-a-reader-may-ask",
    "can I restrict which sites may call the server": "configuration/#allow-other-sites-to-ask-the-server",
    "Content Security Policy blocks the widget": "security/#a-content-security-policy-for-your-pages",
    "the widget does not appear": "troubleshooting/#the-button-is-on-no-page",
    "can I get JSON of all anchors": "exports/#the-manifest",
    "where do I put the api key": "models/#where-to-put-the-api-key",
    "is it GDPR compliant": "data/#cookies-and-the-gdpr",
    "does it check external links": "check/#links-to-other-hosts",
}
"""Questions of readers who did not have the page before them, with the section that is open first."""

CELL_ATTRIBUTES = {"class", "style"}
"""What a column that is aligned gives its cells."""


class Cells(HTMLParser):
    """The attributes of the table cells of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.attributes: set[str] = set()
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("td", "th"):
            self.attributes.update(name for name, _ in attrs)


def first_card(server: SiteServer, question: str, page: str | None = None) -> tuple[str, str]:
    """The verdict on a question, and the place of the section that is open."""
    asked = {"question": question} | ({"page": page} if page is not None else {})
    response = local_http.post(f"{server.origin}{PREFIX}/ask", json=asked)
    answer = response.raise_for_status().json()
    return answer["verdict"], next((source["href"] for source in answer["sources"]), "")


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_readers_asked_in_vain_is_answered(server: SiteServer, question: str) -> None:
    assert first_card(server, question) == ("answer", QUESTIONS[question])


@pytest.mark.slow
def test_every_setting_is_explained_by_a_guide_or_the_reference(server: SiteServer) -> None:
    settings = [f"{VARIABLE}{setting.name.upper()}" for setting in fields(Settings)]
    shown = {setting: first_card(server, setting) for setting in settings}
    wrong = {setting: card for setting, card in shown.items() if card[0] != "answer" or "decisions/" in card[1]}
    assert not wrong
    assert len(shown) > 30


@pytest.mark.slow
def test_every_question_that_is_offered_is_answered_from_its_own_section(docs: Docs, server: SiteServer) -> None:
    """Asked on its page, and on the home page. What the title of a page asks, any section of it may answer."""
    made = json.loads((docs.site / "assets" / "trueref" / "questions.json").read_text(encoding="utf-8"))
    manifest = read_manifest(docs.index)
    asked, wrong = 0, []
    for page, questions in OfferedQuestions(**made).pages.items():
        headings = {question_of(anchor.text): anchor for anchor in manifest.anchors(page) if anchor.kind == "heading"}
        for question in questions:
            heading = headings[question]
            own = f"{page}#" if heading.level == 1 else f"{page}#{heading.anchor}"
            for here in (page, ""):
                verdict, place = first_card(server, question, here)
                asked += 1
                if verdict != "answer" or not place.startswith(own):
                    wrong.append(f"{question} on {here or 'the home page'}: {verdict}, {place}")
    print(f"{asked} answers")
    assert asked > 40
    assert not wrong, "\n".join(wrong)


def test_no_text_of_a_cell_was_taken_for_attributes(docs: Docs) -> None:
    """attr_list takes braces at the end of a cell for attributes of the cell, and the page then lacks them."""
    wrong = {
        str(path.relative_to(docs.site)): odd
        for path in docs.site.rglob("*.html")
        if (odd := Cells(path.read_text(encoding="utf-8")).attributes - CELL_ATTRIBUTES)
    }
    assert wrong == {}
