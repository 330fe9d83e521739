"""Reads a question that leans on the conversation before it, or on the page that it is asked from.

`and with Docker?` asks of what was asked last, and `how do I turn it off?` of what the page is about. No model is
needed: the new words, the telling words of the last question, and the title of the section that it led to, or of the
page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trueref_core.text.word_forms import ENGLISH, language_of
from trueref_server.corpus.corpus import Statistics
from trueref_server.corpus.words import is_long, shortened, stem, stems, telling_words
from trueref_server.question.pointing import is_fragment, points, refers
from trueref_server.records import Exchange, Hit, Plan

if TYPE_CHECKING:
    from trueref_core.records import Page

ALONE_FROM: Final = 7
"""One with as many stands alone, even if it says `it`: that is most often something in the question itself."""

TURNS_MOST: Final = 3
"""Earlier questions that are looked at: a chain of short ones ends at the one that stands alone."""

CARRIED_MOST: Final = 8
"""Words of earlier questions that are carried over."""

EARLIER_MOST: Final = 300
"""Characters of an earlier question that are read: it only tells a topic, and costs as much as one that is asked."""

TITLE_MOST: Final = 100
"""Characters of a title that are taken along."""


def leans(text: str) -> bool:
    """Whether a question needs the one before it to be understood. `--no-deps` alone asks for just that."""
    if len(set(telling_words(text))) >= ALONE_FROM:
        return False
    return refers(text) or is_fragment(text)


def needs_page(plan: Plan) -> bool:
    """Whether a question points to something that it does not name: `how do I turn it off?` is of the reader's page.

    English only. One that is merely short is of the whole site: `how do I install uv?`.
    """
    return _in_english(plan) and _points(plan.query)


def began_on_page(plan: Plan) -> bool:
    """Whether every earlier question points to something that it does not name: what they are of, the page tells."""
    return _in_english(plan) and all(_points(exchange.question) for exchange in plan.question.history)


def _in_english(plan: Plan) -> bool:
    return language_of(plan.language) in ("", ENGLISH)


def _points(text: str) -> bool:
    # Without a telling word of its own, the page would answer `and this?` whatever it says.
    return points(text) and 0 < len(set(telling_words(text))) < ALONE_FROM


def is_another_topic(plan: Plan, statistics: Statistics) -> bool:
    """Whether a question that refers to nothing is of what no page tells: what came before it must not answer it."""
    known = (is_long(term) and not statistics.held.get(term) for term in plan.terms)
    return bool(plan.terms) and not refers(plan.query) and all(known)


def joins(plan: Plan, hits: Iterable[Hit]) -> bool:
    """Whether a section tells both of what is asked and of what is carried over: the one may go on from the other."""
    for hit in hits:
        language = language_of(hit.chunk.language)
        carried = {stem(word, language) for word in plan.carried}
        own = {stem(word, language) for word in plan.words} - carried
        held = frozenset[str]().union(*(stems(chunk.embedded_text, language) for chunk in hit.chunks))
        if held & own and held & carried:
            return True
    return False


def carried_words(history: Sequence[Exchange]) -> tuple[str, ...]:
    """The telling words of the last questions, up to the one that stands alone, the latest first."""
    found: dict[str, str] = {}
    for exchange in list(reversed(history))[:TURNS_MOST]:
        told = exchange.question[:EARLIER_MOST]
        for word in telling_words(told):
            found.setdefault(stem(word), word)
        if not leans(told):
            break
    return tuple(found.values())[:CARRIED_MOST]


def last_topic(history: Sequence[Exchange]) -> str:
    """What to search for the section that the conversation led to: the last question, or what a chain of them says."""
    last = history[-1].question[:EARLIER_MOST]
    return " ".join(reversed(carried_words(history))) if leans(last) else last


def in_conversation(plan: Plan, carried: Sequence[str], cited: Hit | None) -> Plan:
    """The plan of a question that leans on others: the question itself and what it leans on, searched side by side.

    Args:
        plan: Of the question alone.
        carried: The telling words of the questions before it.
        cited: The section that these led to.
    """
    if cited is None:
        return _leaning(plan, carried, "")
    return replace(_leaning(plan, carried, shortened(cited.chunk.title, TITLE_MOST)), topic=(cited.site, cited.page))


def on_page(plan: Plan, page: Page) -> Plan:
    """The plan of a question that leans on the page that it is asked from, in the same way.

    Args:
        plan: Of the question alone.
        page: Where the reader is. Of a long title the beginning counts.
    """
    title = shortened(page.title, TITLE_MOST)
    read = _leaning(plan, telling_words(title)[:CARRIED_MOST], "")
    told = f"{plan.query} ({title})" if read.carried else plan.read_as
    return replace(read, read_as=told, topic=(page.site, page.page))


def _leaning(plan: Plan, carried: Sequence[str], title: str) -> Plan:
    new = {stem(word) for word in plan.words}
    added = tuple(word for word in carried if stem(word) not in new)
    named = [title] if title else []
    context = [*added, *named]
    if not context:
        return plan
    # Of the reader's line: words that the title says are told by it.
    said = {stem(word) for word in telling_words(title)}
    shown = [word for word in added if stem(word) not in said] + named
    told = (*plan.words, *added)
    return replace(
        plan,
        query=f"{plan.query} {' '.join(context)}",
        words=told,
        carried=added,
        terms=tuple(dict.fromkeys(stem(word, plan.language) for word in told)),
        parts=(plan.query,),
        read_as=f"{plan.query} ({', '.join(shown)})",
        # `2.0?` asks for the same in 2.0.
        releases=plan.releases if plan.words else (),
    )
