"""Compares a question with the titles of sections.

Is it the title of a section, the titles of a page and of its section together, or does it have the words of a title?
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from trueref_core.text.identifiers import parts
from trueref_core.text.word_forms import language_of
from trueref_server.corpus.words import content_stems, stem, stems, topic_words, without_names, words
from trueref_server.question.places import files_as_places
from trueref_server.question.pointing import begins_with_preposition
from trueref_server.ranking.object_titles import (
    MEMBER,
    code_before_name,
    is_titled_by,
    last_part_of,
    member_titled,
    owners_of,
)
from trueref_server.ranking.title_words import (
    INTRODUCING,
    UNTELLING,
    name_of_page,
    ordered_words,
    title_and_name_words,
    title_words_of,
    topic_stems,
    without_number,
)

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.records import Plan

MAX_TITLE: Final = 20
"""The most words of a question that may be a title, or the words of a name with little else."""

ABOUT_NAME: Final = frozenset(
    map(
        stem,
        "default value option setting flag parameter argument variable meaning example function method class".split(),
    )
)
"""Words beside an identifier that ask for the identifier, and for nothing else."""

_PASTED_RULE: Final = re.compile(r"`?([A-Za-z][\w-]{1,60})(\[[^\]\n]{1,60}\])?`?: {1,3}\S")
"""Matches the name of a rule before its message: `no-changed-when: Commands should ...`, `latest[git]: Result ...`."""

_CODE_LIKE: Final = re.compile(r"[\d_-]")
"""What tells the name of a rule from a word such as `Note`."""

_LISTED: Final = re.compile(r",|&|\b(?:and|or)\b", re.IGNORECASE)
"""What stands between several things in a title."""

_OBJECTS: Final = "function method class constructor command option setting plugin module hook"
"""Words for what docs describe: `What does the connect function do?` names nothing besides `connect`."""


@dataclass(frozen=True)
class AskedTitle:
    """A question, to be compared with the titles of sections.

    Args:
        plan: The plan of the question.
        subject: The words by which the docs call their subject.
        letter_options: The options of a single letter that are asked for beside words.
    """

    plan: Plan
    subject: frozenset[str]
    letter_options: frozenset[str]

    def is_path_of(self, first: Chunk) -> bool:
        """Whether the question is nothing but the titles of a page and of a section of it: `SuperFences options`.

        For a section such as `Description` the title of its page is enough: `what does npm ci do` names the section
        `npm-ci @11.2.0 > Description`. Of a name such as `Client.connect`, the section is `connect(host)` and the page
        is about `Client`. Whoever writes `client.connect` means a variable, and `kiln.fire()` a member of what the docs
        are about.

        Args:
            first: The first chunk of the section.
        """
        if self._members:
            owners = {*owners_of(first.breadcrumb), *self.subject}
            if any((owner, member_titled(first.title)) in self._members for owner in owners):
                return True
        language = language_of(self.plan.language)
        own = title_words_of(first.title, language)
        page = title_words_of(first.breadcrumb[0], language) if first.breadcrumb else own
        # Of an option the description of its command says nothing. The letter may be no word: `-i` of `kiln -i`.
        introduces_page = (
            bool(own) and own <= INTRODUCING and len(set(first.breadcrumb)) == 1 and not self.letter_options
        )
        if introduces_page and self.words and title_words_of(name_of_page(first), language) == self.words:
            return True
        # Each has to add a word: of `Guides > Guides` the page itself is asked for. The name of the docs adds none: a
        # section of the home page may only point to the page that is asked for.
        return any(
            name | page == self.words and bool(name - page) and bool(page - name - self.subject_stems)
            for name in title_and_name_words(first, language)
        )

    def is_of_page(self, first: Chunk) -> bool:
        """Whether the words of the question, without its options, are what the page of a section is called.

        Args:
            first: The first chunk of the section.
        """
        name = title_words_of(name_of_page(first), language_of(self.plan.language))
        # `what does kiln -i mean` and `the -i flag of kiln` say no more than `kiln -i`.
        return name == self.words_without_letters or name == self.words_without_letters - ABOUT_NAME

    def names(self, first: Chunk) -> bool:
        """Whether the question names a section otherwise than by some words of its title.

        It does so by the path of the section, by the message that is the section's title, or by this title and nothing
        else (`is_nothing_but`).

        Args:
            first: The first chunk of the section.
        """
        is_of_message = self._pasted_name != "" and first.title.strip("` ").lower() == self._pasted_name
        return is_of_message or self.is_path_of(first) or self.is_nothing_but(first)

    def is_nothing_but(self, first: Chunk) -> bool:
        """Whether the question is the title of a section, of several words, or the words of the name that is its title.

        `Test your server` is such a title, with all its little words, and `ignore trailing slash` has the words of
        `ignoreTrailingSlash`. The arguments of an entry are no part of its title.

        Args:
            first: The first chunk of the section.
        """
        # No title is as long as a pasted text: its words are not compared with those of every section.
        if 1 < len(self._all_words) <= MAX_TITLE and self._all_words in ordered_words(first):
            return True
        return bool(self._names_written_apart) and is_titled_by(first.title, self._names_written_apart)

    def consists_of(self, first: Chunk) -> bool:
        """Whether the question has the words of a section's title, but for words that do not tell its topic.

        The name of what the docs are about tells none either: `kiln fire` asks for the page `fire` of kiln's docs, and
        `What is a glaze?` for `Glazes in kiln`. A single word without this name has to be the title of a page, since
        sections called `Usage` are about many things.

        Args:
            first: The first chunk of the section.
        """
        # `With a kiln` is about something that is done with one, and does not say what it is.
        thing = self.plan.unknown_word
        if thing and begins_with_preposition(first.title) and not begins_with_preposition(thing):
            return False
        is_page = set(first.breadcrumb) <= {first.title}
        names = title_and_name_words(first, language_of(self.plan.language))
        return any(self._has_words_of(title_words, is_page=is_page) for title_words in names)

    def _has_words_of(self, title_words: frozenset[str], *, is_page: bool) -> bool:
        """Whether the question has the words of a title, but for words that do not tell its topic."""
        all_asked = self.words_without_letters
        asked = all_asked - UNTELLING
        # What does not tell the topic is dropped on both sides, unless nothing else is asked for, as by `Add-ons`.
        if title_words == all_asked or (asked and title_words - UNTELLING == asked):
            return bool(title_words)
        asked -= self.subject_stems
        return bool(asked) and (is_page or len(asked) > 1) and title_words - UNTELLING - self.subject_stems == asked

    def is_whole(self, title: str, optional: frozenset[str]) -> bool:
        """Whether a question and a title have the same content words.

        Of a dotted name the last part is enough, and of `E501 - Line too long` the code. The name of what the docs are
        about does not count: see `consists_of`.

        Args:
            title: The title.
            optional: The stems of words that the title need not have.
        """
        language = self.plan.language
        name = without_number(title).partition("(")[0].strip()
        # With the words that are too short to tell a topic: `Python 3` is not `Python`.
        asked = self._terms | self._all_stems
        # `Fixtures and hooks` is about hooks as well.
        objects = frozenset[str]() if _LISTED.search(name) else self._object_stems
        last_part = last_part_of(name)
        shorter_name = last_part or code_before_name(name)
        # In `kiln.Glaze` the name of the docs is a part of another name.
        optional = optional if last_part else optional | self.subject_stems
        # `environment variables in kiln.yml` has the title `Environment variables`.
        if self._place_stems:
            optional |= self._place_stems - stems(name, language)
        names = (name, shorter_name) if shorter_name else (name,)
        title_stems = [{stem(word, language) for word in topic_words(part, language)} for part in names]
        # The title `Class` has nothing but a word for an object.
        topics = [stems_of_name - objects - optional or stems_of_name for stems_of_name in title_stems]
        return not self.asks_beyond(title, optional) and any(topic and topic <= asked for topic in topics)

    def asks_beyond(self, title: str, optional: frozenset[str] = frozenset()) -> bool:
        """Whether a question has a word besides the title of a section, or the name of a function that it has.

        Args:
            title: The title.
            optional: The stems of words that count as if the title had them.
        """
        if not self.letter_options <= frozenset(title.split()):
            return True
        language, name = self.plan.language, title.partition("(")[0]
        # A question has `PageNotFound` as the words page, not and found too, and a title may have nothing but these
        # words.
        spellings = (name, *parts(name), "".join(words(name)), _OBJECTS)
        return not self._terms - optional <= stems(" ".join(spellings), language)

    @cached_property
    def asks_for_name_alone(self) -> bool:
        """Whether a question has nothing beside its identifiers but a verb or words such as `default` and `option`.

        So does `kiln -o` in the docs of kiln. `YouTube video downloader` does not ask for the section about YouTube.
        """
        language = self.plan.language
        others = content_stems(without_names(self.plan.query, self.plan.identifiers), language)
        about_name = ABOUT_NAME.union(self.subject_stems, (stem(verb, language) for verb in self.plan.wanting))
        return bool(self.plan.identifiers) and about_name.issuperset(others)

    @cached_property
    def subject_stems(self) -> frozenset[str]:
        """The stems of the words by which the docs call their subject."""
        return frozenset(stem(word, self.plan.language) for word in self.subject)

    @cached_property
    def words(self) -> frozenset[str]:
        """The stems of the words of the question, as they would stand in a title: without stop words."""
        # Not by `title_words_of`, whose cache would keep very many questions.
        return topic_stems(self.plan.query, language_of(self.plan.language)) if self.plan.terms else frozenset()

    @cached_property
    def words_without_letters(self) -> frozenset[str]:
        """`words` without the letters of `letter_options`."""
        return self.words - {name[1:].lower() for name in self.letter_options}

    @cached_property
    def _pasted_name(self) -> str:
        """The name of the rule whose message was pasted, as in `no-changed-when: Commands should ...`; "" if none was.

        A tool's output repeats the message often, and only the section that is titled by the rule explains it.
        """
        match = _PASTED_RULE.match(self.plan.query)
        return match[1].lower() if match and (match[2] or _CODE_LIKE.search(match[1])) else ""

    @cached_property
    def _all_words(self) -> tuple[str, ...]:
        """The words of the question in order."""
        return tuple(words(self.plan.query))

    @cached_property
    def _members(self) -> frozenset[tuple[str, str]]:
        """The last two parts of each name with an owner, if nothing else is asked for: `Client`, `connect`."""
        names = self.plan.identifiers if self.asks_for_name_alone else ()
        matches = (MEMBER.search(name) for name in names)
        return frozenset((match[1], match[2]) for match in matches if match)

    @cached_property
    def _names_written_apart(self) -> frozenset[str]:
        """The names of the site of which the question has the words, and nothing else.

        `page not found` has those of `PageNotFound`.
        """
        is_short = len(self._all_words) <= MAX_TITLE
        return frozenset(filter(self._asks_for_words_alone, self.plan.joined)) if is_short else frozenset()

    def _asks_for_words_alone(self, name: str) -> bool:
        """Whether the question has the words of a name side by side, and else only words such as `what is`."""
        run, asked = tuple(part.lower() for part in parts(name)), self._all_words
        starts = (at for at in range(len(asked) - len(run) + 1) if asked[at : at + len(run)] == run)
        others = (content_stems(" ".join([*asked[:at], *asked[at + len(run) :]])) for at in starts)
        return any(ABOUT_NAME.union(self.subject_stems).issuperset(rest) for rest in others)

    @cached_property
    def _terms(self) -> frozenset[str]:
        """The stems of the content words of the question, in its language."""
        return frozenset(stem(word, language_of(self.plan.language)) for word in self.plan.words)

    @cached_property
    def _object_stems(self) -> frozenset[str]:
        """The stems of the words for what docs describe, in the language of the question."""
        return stems(_OBJECTS, self.plan.language)

    @cached_property
    def _place_stems(self) -> frozenset[str]:
        """The stems of the names of the files in which something is written, as the question says."""
        names_of_files = words(" ".join(files_as_places(self.plan.query)))
        return frozenset(stem(word, self.plan.language) for word in names_of_files)

    @cached_property
    def _all_stems(self) -> frozenset[str]:
        """The stems of all words of the question, in its language."""
        # Not by `stems`, whose cache would keep very many questions.
        return frozenset(stem(word, self.plan.language) for word in self._all_words)
