"""Reduces titles to the words that are compared.

Numbers of sections (`3.1.`) and what generators write behind a name (`kiln(1)`) are left out. The names in titles of
references are in `object_titles.py`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from trueref_server.corpus.words import stem, topic_words, words
from trueref_server.ranking.object_titles import name_of_entry, without_kind

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.corpus.corpus import Section

UNTELLING: Final = frozenset(map(stem, "use using set setting add adding".split())) | {"up"}
"""Words of a title that do not tell its topic: `Setting up social cards` is about social cards."""

_VERSUS: Final = frozenset(map(stem, "versus vs".split()))

INTRODUCING: Final = frozenset(map(stem, "description overview introduction intro".split()))
"""Words of titles of sections that say what their page is about, and of no other topic."""

_BEHIND_NAME: Final = re.compile(
    r"\s{0,3}(?:(?:@|\bv)\d[\d.]{0,20}|\d{1,6}(?:\.\d{1,6}){1,3}|(?:[(|\u2013\u2014]|:\s|\s-\s).{0,200})\Z", re.DOTALL
)
"""What generators write behind the name in the title of a page: `kiln @2.1.0`, `kiln(1)`, `kiln - a tool`."""

_NUMBER: Final = re.compile(
    r"\s{0,3}(?:(?:(?i:chapter|appendix|section|part) )?(?:[A-Z]|[1-3]?\d|40)(?:\.[1-9]\d{0,2}){1,5}[.:)]?|"
    r"(?i:chapter|appendix|section|part) (?:[A-Z]|[1-3]?\d|40)[.:)]|(?:[1-3]?\d|40)[.)])\s{1,3}(?=\S)"
    r"(?!(?i:[kmgt]i?b|[kmgt]?hz|[mk]?bit|ms|sec|seconds?|[mk]?[vw]|mm|cm|in|inch(?:es)?)\b)"
)
"""The number before the title of a section in a numbered manual: `3.1. Fixtures`, `A.2 Glazes`, `Chapter 3: Firing`.

Above 40 it is more often another number, as in `802.11 networks`, and before a unit it is a quantity: `2.4 GHz`."""

_OF_RELEASE: Final = re.compile(
    r"\b(?:releases?d?|changes?|change ?logs?|notes|versions?|new|upgrad(?:e|es|ing)|migrat(?:e|ing|ion)|"
    r"highlights|fixes|features|support(?:ed)?|deprecations?|lts|alpha|beta|rc)\b|\b(?:19|20)\d\d-\d\d",
    re.IGNORECASE,
)
"""Words of a title whose number is that of a version: `3.2 release notes`."""

_KIND_OF_NAME: Final = re.compile(
    r"The (.{1,80}) (?:command|option|function|method|class|module|statement|directive|setting|parameter|variable)s?",
    re.IGNORECASE,
)
"""Matches a title that says of a name what it is the name of: `The fire command`."""


def name_of_page(first: Chunk) -> str:
    """The name in the title of the page of a section, without what generators write behind it."""
    return _BEHIND_NAME.sub("", first.breadcrumb[0] if first.breadcrumb else first.title)


def title_and_name_words(first: Chunk, language: str) -> tuple[frozenset[str], ...]:
    """The words of the title of a section with its number and without, and those of the name in it.

    The name of an entry stands before its arguments, that of `The fire command` before its kind, and that of
    `Class: Kiln` behind it.
    """
    return _title_and_name_words(first.title, language, is_entry=first.kind == "definition")


# Cached, like the next one: every question is compared with the titles of hundreds of sections.
@lru_cache(maxsize=20_000)
def _title_and_name_words(title: str, language: str, *, is_entry: bool) -> tuple[frozenset[str], ...]:
    bare_title = without_number(title)
    named = _KIND_OF_NAME.fullmatch(bare_title)
    name = named[1] if named else without_kind(bare_title)
    name = name_of_entry(name) if is_entry else name
    return tuple(topic_stems(text, language) for text in dict.fromkeys((title, bare_title, name)))


def ordered_words(first: Chunk) -> frozenset[tuple[str, ...]]:
    """The words of the title of a section in their order, with its number and without; of an entry, of its name."""
    return _ordered_words(first.title, is_entry=first.kind == "definition")


@lru_cache(maxsize=20_000)
def _ordered_words(title: str, *, is_entry: bool) -> frozenset[tuple[str, ...]]:
    name = name_of_entry(title) if is_entry else title
    return frozenset((tuple(words(name)), tuple(words(without_number(name)))))


def without_number(title: str) -> str:
    """A title without the number that it has in a manual: a reader asks for `fixtures`, not for `3.1. Fixtures`."""
    number = _NUMBER.match(title)
    return title if number is None or _OF_RELEASE.search(title, number.end()) else title[number.end() :]


@lru_cache(maxsize=20_000)
def title_words_of(title: str, language: str) -> frozenset[str]:
    """The stems of all words of a title that are no stop words, without its number: `Python 3` is not `Python`."""
    return topic_stems(without_number(title), language)


def topic_stems(text: str, language: str) -> frozenset[str]:
    """The stems of all words of a text that are no stop words."""
    return frozenset(stem(word, language) for word in topic_words(text, language))


def names_rival(rival: str, section: Section) -> bool:
    """Whether a section names what the docs' subject is compared with, or nothing is compared with it.

    A title that compares two things (`Update vs Pull`) has to name it itself.
    """
    if not rival:
        return True
    stems_of_rival = {stem(word, section.chunks[0].language) for word in words(rival)}
    compares = not _VERSUS.isdisjoint(section.title)
    return stems_of_rival <= (set(section.title) if compares else {*section.title, *section.body})
