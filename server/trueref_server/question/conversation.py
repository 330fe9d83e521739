"""Reads a question that depends on the conversation before it, or on the page that it is asked from.

`and with Docker?` asks about the topic of the last question, and `how do I turn it off?` about the topic of the page.
No model is needed: the query is made of the new words, the content words of the last question, and the title of the
section that it led to, or of the page.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from trueref_core.text.word_forms import ENGLISH, language_of
from trueref_server.corpus.corpus import Statistics
from trueref_server.corpus.words import absence_matters, content_words, shortened_to_words, stem, stems, stems_of_chunks
from trueref_server.question.pointing import begins_with_preposition, is_fragment, points_to_unnamed, refers_to_earlier
from trueref_server.question.usual_topics import TOPICS, is_of_subject
from trueref_server.records import Exchange, Hit, Plan

if TYPE_CHECKING:
    from trueref_core.records import Page

ALONE_FROM: Final = 7
"""A question with at least this many content words stands alone, even if it says `it`: that is most often something in
the question itself."""

MAX_TURNS: Final = 3
"""The most earlier questions that are looked at: a chain of short questions ends at the first that stands alone."""

MAX_CARRIED: Final = 8
"""The most words of earlier questions that are added to a question."""

JOINED_IN: Final = 3
"""If a follow-up belongs to the question before it, one of this many first hits has words of both."""

COMMON_IN_TITLE_FROM: Final = 0.25
"""A word of a title that this share of all sections has does not tell one page from another."""

MAX_EARLIER: Final = 300
"""The most characters of an earlier question that are read: it only tells a topic, and costs as much as the present
question."""

MAX_TITLE: Final = 100
"""The most characters of a title that are added to a question."""


def depends_on_earlier(text: str) -> bool:
    """Whether a question needs an earlier question to be understood. `--no-deps` does not: it asks for that option."""
    if len(set(content_words(text))) >= ALONE_FROM:
        return False
    return refers_to_earlier(text) or is_fragment(text)


def needs_page(plan: Plan) -> bool:
    """Whether a question is about the reader's page: it points to something that it does not name (`turn it off`).

    English only: the words of other languages that point are not known here. A question that is merely short is about
    the whole site: `how do I install uv?`.
    """
    # Short questions are not read with the page: forty such as `how do I install uv?`, asked from four pages each, had
    # their section first in .70 of the cases with the page, and in .82 without it.
    return _in_english(plan) and _points_with_topic(plan.query)


def began_on_page(plan: Plan) -> bool:
    """Whether every earlier question points to something unnamed, so that only the reader's page tells what it is."""
    return _in_english(plan) and all(_points_with_topic(exchange.question) for exchange in plan.question.history)


def _in_english(plan: Plan) -> bool:
    """Whether a question is in English, or in no language that is known."""
    return language_of(plan.language) in ("", ENGLISH)


def _points_with_topic(text: str) -> bool:
    """Whether a question points to something, and has a content word, but too few to stand alone."""
    # At least one: to `and this?`, which has none, any section of the page would look like an answer.
    return points_to_unnamed(text) and 0 < len(set(content_words(text))) < ALONE_FROM


def is_another_topic(plan: Plan, statistics: Statistics) -> bool:
    """Whether a question is about something that no page has: no page has its words, and it refers to nothing.

    Such a question is not read with the conversation before it, which would answer what the reader asked before.
    """
    unknown = (absence_matters(term) and not statistics.section_counts.get(term) for term in plan.terms)
    return bool(plan.terms) and not refers_to_earlier(plan.query) and all(unknown)


def continues(
    plan: Plan, own_words: Sequence[str], hits: Sequence[Hit], hits_alone: Sequence[Hit], statistics: Statistics
) -> bool:
    """Whether a question such as `what about upgrading?` continues the last topic, and does not begin another one.

    It does in two cases:

    - A section of the page that the conversation led to has the question's own words. A long page mentions many words:
      if the title of another page consists of them, as `PDFs` does for `what about PDF files?`, the title of the
      section, or of one above it on its page, has to have them too.
    - One of the first sections has these words, and carried words in its title: `and for GitLab?` after a question
      about caching is answered by a section `Caching` of another page.

    Args:
        plan: The plan of the question with its conversation.
        own_words: The content words of the question without its conversation.
        hits: The sections that were found for `plan`, best first.
        hits_alone: The sections that were found for the question alone, best first.
        statistics: How common the words of the site are.
    """
    hits_elsewhere = [hit for hit in hits_alone[:JOINED_IN] if (hit.site, hit.page) != plan.topic]
    words_in_page_titles = [_words_in_page_title(hit, plan.parts[0], own_words, statistics) for hit in hits_elsewhere]
    for rank, hit in enumerate(hits):
        language = language_of(hit.chunk.language)
        section_stems = stems_of_chunks(hit.chunks, language)
        if not all(stem(word, language) in section_stems for word in own_words):
            continue
        if (hit.site, hit.page) == plan.topic:
            section_title_stems = stems(" ".join([*hit.chunk.breadcrumb[1:], hit.chunk.title]), language)
            if all(
                _has_stem(section_title_stems, word) for words_of_page in words_in_page_titles for word in words_of_page
            ):
                return True
        elif rank < JOINED_IN and _joins_both_topics(hit, own_words, plan.carried):
            return True
    return False


def _words_in_page_title(hit: Hit, text: str, own_words: Sequence[str], statistics: Statistics) -> list[str]:
    """The stems of the question's own words that name the page of a section; none if they do not name it.

    They name the page if its title has nothing else. They also name it if its title has all of them and the question
    does not begin with a preposition: `and for code?` may be about a page that is not titled `Code blocks`.

    Args:
        hit: The section.
        text: The question without its conversation.
        own_words: Its content words.
        statistics: Tells which words are common on the site. They are left out of the title: on uv's site, the title
            `Using uv with PyTorch` counts as `PyTorch`.
    """
    language = language_of(hit.chunk.language)
    page_title = next(iter(hit.chunk.breadcrumb), hit.chunk.title)
    common = statistics.sections * COMMON_IN_TITLE_FROM
    title_stems = {stem(word, language) for word in content_words(page_title, language)}
    title_stems = {word for word in title_stems if statistics.section_counts[word] < common}
    own_stems = {stem(word, language) for word in own_words}
    named = [word for word in own_stems if _has_stem(title_stems, word)]
    is_whole_title = bool(title_stems) and all(
        word in own_stems or word.removesuffix("s") in own_stems for word in title_stems
    )
    return named if is_whole_title or (len(named) == len(own_stems) and not begins_with_preposition(text)) else []


def _has_stem(title_stems: Collection[str], word: str) -> bool:
    """Whether a title has a stem, also as the plural of an abbreviation: the stemmer leaves `PDFs` as it is."""
    return word in title_stems or f"{word}s" in title_stems


def _joins_both_topics(hit: Hit, own_words: Sequence[str], carried: Sequence[str]) -> bool:
    """Whether the title of a section has a carried word, and otherwise only carried words and the question's own."""
    language = language_of(hit.chunk.language)
    title_stems = {stem(word, language) for word in content_words(hit.chunk.title, language)}
    carried_stems = {stem(word, language) for word in carried}
    own_stems = {stem(word, language) for word in own_words}
    return bool(title_stems & carried_stems) and title_stems <= carried_stems | own_stems


def carried_words(history: Sequence[Exchange]) -> tuple[str, ...]:
    """The content words of the last questions, back to the first that stands alone, the latest first."""
    by_stem: dict[str, str] = {}
    for exchange in list(reversed(history))[:MAX_TURNS]:
        earlier = exchange.question[:MAX_EARLIER]
        for word in content_words(earlier):
            by_stem.setdefault(stem(word), word)
        # What came before a question that stands alone was another topic, or is repeated in that question.
        if not depends_on_earlier(earlier):
            break
    return tuple(by_stem.values())[:MAX_CARRIED]


def last_topic(history: Sequence[Exchange]) -> str:
    """The query for the section that the conversation led to.

    The query is the last question. If that question depends on earlier ones, the query has the words of the whole
    chain.
    """
    last = history[-1].question[:MAX_EARLIER]
    return " ".join(reversed(carried_words(history))) if depends_on_earlier(last) else last


def in_conversation(
    plan: Plan, carried: Sequence[str], topic_hit: Hit | None, subject: AbstractSet[str] = frozenset()
) -> Plan:
    """The plan of a question that depends on earlier questions: it is searched with their words.

    Args:
        plan: The plan of the question alone.
        carried: The content words of the questions before it.
        topic_hit: The section that these questions led to; None if they led to none.
        subject: The words by which the docs call their subject.
    """
    # With `topic`, ranking prefers the page that the conversation led to.
    if topic_hit is None:
        return _with_context(plan, carried, "", subject)
    return replace(
        _with_context(plan, carried, shortened_to_words(topic_hit.chunk.title, MAX_TITLE), subject),
        topic=(topic_hit.site, topic_hit.page),
    )


def on_page(plan: Plan, page: Page, subject: AbstractSet[str] = frozenset()) -> Plan:
    """The plan of a question that depends on the page it is asked from: it is searched with the words of its title.

    Args:
        plan: The plan of the question alone.
        page: The page that the reader is on. Only the beginning of a long title counts.
        subject: The words by which the docs call their subject.
    """
    title = shortened_to_words(page.title, MAX_TITLE)
    contextual_plan = _with_context(plan, content_words(title)[:MAX_CARRIED], "", subject)
    read_as = f"{plan.query} ({title})" if contextual_plan.carried else plan.read_as
    return replace(contextual_plan, read_as=read_as, topic=(page.site, page.page))


def _with_context(plan: Plan, carried: Sequence[str], title: str, subject: AbstractSet[str]) -> Plan:
    """The plan with context added to its query: words carried over from earlier questions or the page, and a title.

    If the context adds nothing that the question does not have itself, the plan comes back unchanged.

    Args:
        plan: The plan of the question alone.
        carried: Words to add, without those whose stem the question has.
        title: The title of the section that the conversation led to, or "".
        subject: The words by which the docs call their subject.
    """
    own_stems = {stem(word) for word in plan.words}
    added = tuple(word for word in carried if stem(word) not in own_stems)
    titles = [title] if title else []
    context = [*added, *titles]
    if not context:
        return plan
    # The line for the reader does not repeat words that the title has.
    in_title = {stem(word) for word in content_words(title)}
    shown_context = [word for word in added if stem(word) not in in_title] + titles
    all_words = (*plan.words, *added)
    # After a question about the Redis backend, `how do I install it?` asks for the backend.
    alone = plan if is_of_subject(context, subject) else without_usual_topic(plan)
    return replace(
        alone,
        query=f"{plan.query} {' '.join(context)}",
        words=all_words,
        carried=added,
        terms=tuple(dict.fromkeys(stem(word, plan.language) for word in all_words)),
        # Sections are compared with the question alone as well: the carried words would outweigh a short question.
        parts=(plan.query,),
        read_as=f"{plan.query} ({', '.join(shown_context)})",
        # A question such as `2.0?` has no words of its own: it asks the same as before for 2.0, and not for its
        # changes.
        releases=plan.releases if plan.words else (),
    )


def without_usual_topic(plan: Plan) -> Plan:
    """The plan of a question that does not ask for a topic that all docs have."""
    if not plan.usual_topic:
        return plan
    searched = TOPICS[plan.usual_topic].searched
    return replace(plan, usual_topic="", rival="", synonyms=tuple(each for each in plan.synonyms if each != searched))
