"""A question with the weights of its words, ready to be compared with sections, passages and titles."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Final

from trueref_core.text.identifiers import parts
from trueref_core.text.key_combinations import key_combinations
from trueref_core.text.word_forms import language_of
from trueref_server.corpus.words import (
    ABOUT_SIGNS,
    content_stems,
    content_words,
    stem,
    stems_of_chunks,
    without_names,
    words,
)
from trueref_server.ranking.asked_identifier import AskedIdentifier, is_wordless
from trueref_server.ranking.title_words import (
    INTRODUCING,
    UNTELLING,
    name_of_page,
    ordered_words,
    title_and_name_words,
    title_words_of,
    topic_stems,
)
from trueref_server.ranking.verbatim import MEMBER, is_titled_by, keeps_case, member_titled, owners_of

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.corpus.corpus import Section, Statistics
    from trueref_server.records import Plan

CARRIED: Final = 0.3
"""The weight of a word from an earlier question or from the page's title, relative to the question's own words. At full
weight the top section of a page, which has the title of the page, came first for every follow-up."""

WANTING: Final = 0.3
"""The weight of the verb of `How do I change the cache directory?`, relative to the other words: the section about it
says `set`, and a section about something else has `change`. See docs/decisions/ranking.md."""

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


@dataclass(frozen=True)
class WeightedQuestion:
    """A plan with the weight of each of its words, ready to be compared with many sections.

    Args:
        plan: The plan of the question.
        statistics: How common words are in the docs: a rare one tells more.
    """

    plan: Plan
    statistics: Statistics
    # These caches are not passed on by `replace`: the copy may be of another question.
    _by_language: dict[str, dict[str, float]] = field(init=False, default_factory=dict[str, dict[str, float]])
    _carried: dict[str, frozenset[str]] = field(init=False, default_factory=dict[str, frozenset[str]])
    _subject: dict[str, dict[str, float]] = field(init=False, default_factory=dict[str, dict[str, float]])

    def terms(self, language: str) -> dict[str, float]:
        """The stems of the content words in a language, each with its weight: rare words tell more."""
        code = language_of(language)
        if code not in self._by_language:
            stems = dict.fromkeys(stem(word, code) for word in self.plan.words)
            factors = dict.fromkeys(self.carried(code), CARRIED)
            factors |= {stem(verb, code): WANTING for verb in self.plan.wanting if len(stems) > 1}
            self._by_language[code] = {term: self.weight(term) * factors.get(term, 1) for term in stems}
        return self._by_language[code]

    def subject_terms(self, language: str) -> dict[str, float]:
        """`terms` without words from the conversation, and without the verb of `How do I change ...`.

        If nothing else is asked, all of `terms`.
        """
        code = language_of(language)
        if code not in self._subject:
            others = self.carried(code) | {stem(verb, code) for verb in self.plan.wanting}
            terms = self.terms(code)
            self._subject[code] = {term: terms[term] for term in terms if term not in others} or terms
        return self._subject[code]

    def carried(self, language: str) -> frozenset[str]:
        """The stems of the words that a question takes from the conversation, or from its page."""
        code = language_of(language)
        if code not in self._carried:
            self._carried[code] = frozenset(stem(word, code) for word in self.plan.carried)
        return self._carried[code]

    def weight(self, term: str) -> float:
        """The inverse document frequency of a stem, as BM25 has it."""
        frequency = self.statistics.section_counts.get(term, 0)
        return math.log(1 + (self.statistics.sections - frequency + 0.5) / (frequency + 0.5))

    def share_in(self, chunks: Sequence[Chunk]) -> float:
        """The share of the question's words that some chunks of one section have, rare ones counting for more, 0 to 1.

        0 for no chunks.
        """
        if not chunks:
            return 0.0
        language = language_of(chunks[0].language)
        return weighted_share(self.terms(language), stems_of_chunks(chunks, language))

    def counts_in(self, section: Section) -> Counter[str]:
        """How often the text of a section, or a name in its code, has each word of the question that it has."""
        is_asked = self.terms(section.chunks[0].language).__contains__
        return Counter(filter(is_asked, chain(section.body, section.names)))

    def share_of_asked_identifiers(self, text: str) -> float:
        """The share of the identifiers that a text has as whole words, 0 to 1.

        0 if the question asks for more than its identifiers.
        """
        identifiers = self._asked_identifiers
        if not identifiers:
            return 0.0
        lower_text = text.lower()
        return sum(identifier.is_in(text, lower_text) for identifier in identifiers) / len(identifiers)

    @cached_property
    def title_words(self) -> frozenset[str]:
        """The stems of the words of the question, as they would stand in a title: without stop words."""
        # Not by `title_words_of`, and `query_stems` not by `stems`: their caches would keep very many questions.
        return topic_stems(self.plan.query, language_of(self.plan.language)) if self.plan.terms else frozenset()

    @cached_property
    def keys(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of the combinations of keys that are asked for, such as `ctrl-c`."""
        return key_combinations(self.plan.query)

    @cached_property
    def letter_options(self) -> frozenset[str]:
        """The options of a single letter that are asked for beside words: `-e` in `trim -e`.

        The letter is no term: without this, the question would ask for nothing but `trim`.
        """
        names = self.plan.identifiers if self.plan.terms else ()
        return frozenset(name for name in names if keeps_case(name))

    @cached_property
    def words_without_letters(self) -> frozenset[str]:
        """`title_words` without the letters of `letter_options`."""
        return self.title_words - {name[1:].lower() for name in self.letter_options}

    @cached_property
    def pasted_name(self) -> str:
        """The name of the rule whose message was pasted, as in `no-changed-when: Commands should ...`; "" if none was.

        A tool's output repeats the message often, and only the section that is titled by the rule explains it.
        """
        match = _PASTED_RULE.match(self.plan.query)
        return match[1].lower() if match and (match[2] or _CODE_LIKE.search(match[1])) else ""

    def is_path_of(self, first: Chunk) -> bool:
        """Whether the question is nothing but the titles of a page and of a section of it: `SuperFences options`.

        A title such as `Description` is no part of what is asked: `what does npm ci do` names the section
        `npm-ci @11.2.0 > Description`. Of a name such as `Client.connect`, the section is `connect(host)` and the page
        is about `Client`. Whoever writes `client.connect` means a variable, and `kiln.fire()` a member of what the docs
        are about.

        Args:
            first: The first chunk of the section.
        """
        if self._members:
            owners = {*owners_of(first.breadcrumb), *self.statistics.subject}
            if any((owner, member_titled(first.title)) in self._members for owner in owners):
                return True
        language = language_of(self.plan.language)
        own = title_words_of(first.title, language)
        page = title_words_of(first.breadcrumb[0], language) if first.breadcrumb else own
        # Of an option the description of its command says nothing. The letter may be no word: `-i` of `kiln -i`.
        introduces_page = (
            bool(own) and own <= INTRODUCING and len(set(first.breadcrumb)) == 1 and not self.letter_options
        )
        if introduces_page and self.title_words and title_words_of(name_of_page(first), language) == self.title_words:
            return True
        # Each has to add a word: of `Guides > Guides` the page itself is asked for. The name of the docs adds none: a
        # section of the home page may only point to the page that is asked for.
        return any(
            name | page == self.title_words and bool(name - page) and bool(page - name - self.subject_stems)
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

    def names_section(self, first: Chunk) -> bool:
        """Whether the question names a section otherwise than by some words of its title.

        It does so by the path of the section, by the message that is the section's title, or by this title and nothing
        else (`is_nothing_but`).

        Args:
            first: The first chunk of the section.
        """
        is_of_message = self.pasted_name != "" and first.title.strip("` ").lower() == self.pasted_name
        return is_of_message or self.is_path_of(first) or self.is_nothing_but(first)

    def is_nothing_but(self, first: Chunk) -> bool:
        """Whether the question is the title of a section, of several words, or the words of the name that is its title.

        `Test your server` is such a title, with all its little words, and `ignore trailing slash` has the words of
        `ignoreTrailingSlash`. The arguments of an entry are no part of its title.

        Args:
            first: The first chunk of the section.
        """
        # No title is as long as a pasted text: its words are not compared with those of every section.
        if 1 < len(self._words) <= MAX_TITLE and self._words in ordered_words(first):
            return True
        return bool(self._names_written_apart) and is_titled_by(first.title, self._names_written_apart)

    @cached_property
    def _words(self) -> tuple[str, ...]:
        """The words of the question in order."""
        return tuple(words(self.plan.query))

    def consists_of_title(self, first: Chunk) -> bool:
        """Whether the question has the words of a section's title, but for words that do not tell its topic.

        The name of what the docs are about tells none either: `kiln fire` asks for the page `fire` of kiln's docs, and
        `What is a glaze?` for `Glazes in kiln`. A single word without this name has to be the title of a page, since
        sections called `Usage` are about many things.

        Args:
            first: The first chunk of the section.
        """
        is_page = set(first.breadcrumb) <= {first.title}
        names = title_and_name_words(first, language_of(self.plan.language))
        return any(self._consists_of(title_words, is_page=is_page) for title_words in names)

    def _consists_of(self, title_words: frozenset[str], *, is_page: bool) -> bool:
        """Whether the question has the words of a title, but for words that do not tell its topic."""
        all_asked = self.words_without_letters
        asked = all_asked - UNTELLING
        # What does not tell the topic is dropped on both sides, unless nothing else is asked for, as by `Add-ons`.
        if title_words == all_asked or (asked and title_words - UNTELLING == asked):
            return bool(title_words)
        asked -= self.subject_stems
        return bool(asked) and (is_page or len(asked) > 1) and title_words - UNTELLING - self.subject_stems == asked

    @cached_property
    def _members(self) -> frozenset[tuple[str, str]]:
        """The last two parts of each name with an owner, if nothing else is asked for: `Client`, `connect`."""
        names = self.plan.identifiers if self.asks_for_name_alone else ()
        matches = (MEMBER.search(name) for name in names)
        return frozenset((match[1], match[2]) for match in matches if match)

    @cached_property
    def subject_stems(self) -> frozenset[str]:
        """The stems of the words by which the docs call their subject."""
        return frozenset(stem(word, self.plan.language) for word in self.statistics.subject)

    @cached_property
    def query_stems(self) -> frozenset[str]:
        """The stems of all words of the question, in its language."""
        return frozenset(stem(word, self.plan.language) for word in words(self.plan.query))

    @cached_property
    def as_offered(self) -> frozenset[str]:
        """The question as it is compared with questions that are made of headings: as it was asked, and as it is read.

        `Was this page helpful?` is read with words of the reader's page, and `Hello, what is a theme?` without its
        first word.
        """
        return frozenset(map(comparable_question, (self.plan.question.text, self.plan.query))) - {""}

    @cached_property
    def keyword_count(self) -> int:
        """How many words tell the topic: `Adding plugins` and `PageNotFound` have one."""
        language = self.plan.language
        return len(frozenset(content_stems(self.plan.query, language)) - UNTELLING)

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
    def asks_for_wordless_alone(self) -> bool:
        """Whether a question asks for names of signs or keys, and for nothing else."""
        names = self.plan.identifiers
        if not self.plan.asks_for_identifier or not all(map(is_wordless, names)):
            return False
        others = content_words(without_names(self.plan.query, names), self.plan.language)
        return {stem(word, self.plan.language) for word in others if word not in ABOUT_SIGNS} <= self.subject_stems

    @cached_property
    def _names_written_apart(self) -> frozenset[str]:
        """The names of the site of which the question has the words, and nothing else.

        `page not found` has those of `PageNotFound`.
        """
        is_short = len(self._words) <= MAX_TITLE
        return frozenset(filter(self._asks_for_words_alone, self.plan.joined)) if is_short else frozenset()

    def _asks_for_words_alone(self, name: str) -> bool:
        """Whether the question has the words of a name side by side, and else only words such as `what is`."""
        run, asked = tuple(part.lower() for part in parts(name)), self._words
        starts = (at for at in range(len(asked) - len(run) + 1) if asked[at : at + len(run)] == run)
        others = (content_stems(" ".join([*asked[:at], *asked[at + len(run) :]])) for at in starts)
        return any(ABOUT_NAME.union(self.subject_stems).issuperset(rest) for rest in others)

    def share_of_explained_identifiers(self, titles: str, text: str) -> float:
        """The share of the identifiers that a section explains, 0 to 1.

        A section explains an identifier if a title begins with it, or if a line of the text begins with it and goes on
        to say something about it. Before the identifier may be `The`, or the mark of a list or of a table. The share is
        0 if the question asks for more than its identifiers, or for how to use them.

        Args:
            titles: The titles of the text, a line for each.
            text: The text.
        """
        identifiers = () if self.plan.wanting else self._asked_identifiers
        if not identifiers:
            return 0.0
        written, in_lower_case = (titles, text), (titles.lower(), text.lower())
        explained = sum(identifier.is_explained(written, in_lower_case) for identifier in identifiers)
        return explained / len(identifiers)

    @cached_property
    def _asked_identifiers(self) -> tuple[AskedIdentifier, ...]:
        """The identifiers of the question, if little more is asked for.

        `kiln_load -a` asks for `-a`: `kiln_load` only says of which command.
        """
        names = self.plan.identifiers if self.plan.asks_for_identifier else ()
        names = tuple(name for name in names if name.startswith("-")) if self.letter_options else names
        return tuple(map(AskedIdentifier, names))

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The pairs of neighbouring words of the question, as stems."""
        return frozenset(pairwise(stem(word, language_of(self.plan.language)) for word in words(self.plan.query)))


def comparable_question(text: str) -> str:
    """A question in small letters, with single spaces and without the marks at its end, to compare it as a whole."""
    return " ".join(text.casefold().rstrip(" ?？؟!！.…").split())


def weighted_share(weights: Mapping[str, float], present: Collection[str], least_total: float = 0.0) -> float:
    """How much of a question a text has: the share of the weights of its terms that are present, 0 to 1.

    Args:
        weights: The weight of each term.
        present: The terms of the text.
        least_total: If the weights sum to less than this, the share is of this number instead. With 1, a text that has
            the only term of a question, whose weight is .3, has a share of .3 and not of 1.
    """
    total = max(least_total, sum(weights.values()))
    return sum(weight for term, weight in weights.items() if term in present) / total if total else 0.0
