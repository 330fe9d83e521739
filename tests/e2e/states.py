"""Every state that the widget can be in, brought about one after the other on any page that carries it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.e2e.cards import BLOCKS, CLOSEST, NOT_FOUND, WRITTEN, Json, answer, answers_with

if TYPE_CHECKING:
    from playwright.sync_api import Route
    from tests.e2e.browsing import Reader

QUESTION = "How do I change the text of the button?"
ANSWERS: dict[str, Json] = {kind: answer(*blocks) for kind, blocks in BLOCKS.items()} | {
    "closest": CLOSEST,
    "not-found": NOT_FOUND,
    "written": WRITTEN,
}
"""An answer of each kind, by what it shows."""


def states(tab: Reader) -> Iterator[str]:
    """Brings the widget into one state after the other and names it; what is looked at is on screen."""
    yield "closed"
    tab.open()
    tab.part("suggestion").first.wait_for()  # fetched when the panel opens
    yield "welcome"
    yield from _waiting(tab)
    for name, given in ANSWERS.items():
        answers_with(tab, given)
        exchange = tab.ask(QUESTION)
        yield name
        if exchange.locator("[part~=fold]").count():
            tab.places(exchange)
            yield f"{name}-unfolded"
        tab.part("new").click()
    yield from _rated(tab)
    yield from _failed(tab)


def _waiting(tab: Reader) -> Iterator[str]:
    """Between a question and the first sign of an answer."""
    waiting: list[Route] = []
    tab.page.unroute("**/_trueref/ask")

    def hold(route: Route) -> None:
        waiting.append(route)

    tab.page.route("**/_trueref/ask", hold)
    tab.part("input").fill(QUESTION)
    tab.part("input").press("Enter")
    tab.part("exchange").wait_for()
    yield "waiting"
    tab.part("stop").click()
    tab.chat.locator("[part~=exchange][data-state=stopped]").wait_for()
    yield "stopped"
    for route in waiting:
        route.abort()
    tab.part("new").click()


def _rated(tab: Reader) -> Iterator[str]:
    """An answer that a reader is asked about, and says no to."""
    answers_with(tab, answer(feedback=True))
    exchange = tab.ask(QUESTION)
    exchange.get_by_role("button", name="No", exact=True).scroll_into_view_if_needed()
    yield "rating"
    exchange.get_by_role("button", name="No", exact=True).click()
    exchange.get_by_role("textbox").wait_for()
    yield "rated-no"
    tab.part("new").click()


def _failed(tab: Reader) -> Iterator[str]:
    """A server that refuses, and one that is away."""
    refused = json.dumps({"error": {"code": "too-many-requests", "message": "Too many requests.", "retry_after": 30}})
    tab.page.unroute("**/_trueref/ask")
    tab.page.route("**/_trueref/ask", lambda route: route.fulfill(status=429, body=refused))
    tab.ask(QUESTION, state="error")
    yield "refused"
    tab.part("new").click()
    tab.page.unroute("**/_trueref/ask")
    tab.page.route("**/_trueref/ask", lambda route: route.abort())
    tab.ask(QUESTION, state="error")
    yield "away"
    tab.page.unroute("**/_trueref/ask")
    tab.errors.clear()  # of the two requests that failed
