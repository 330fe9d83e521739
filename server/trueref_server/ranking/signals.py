"""The signals that a section is ranked by. Each is a small function of a candidate and of the question, 0 to 1."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from trueref_core.records import Chunk
from trueref_core.text.word_forms import language_of
from trueref_server.corpus.corpus import Section, Statistics
from trueref_server.corpus.words import STOP_WORDS, stem, stems_of_chunks, words
from trueref_server.question.releases import release_match
from trueref_server.records import Plan, RetrievalType, SectionAt

K1: Final = 1.2
B: Final = 0.75
"""The constants of BM25. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009."""

TITLE_TIMES: Final = 3
PATH_TIMES: Final = 1
"""How many times as much a word of a title, or of a path, counts as a word of the text. Source: BM25F, in the same
publication."""

FULL_SIZE: Final = 3_000
"""The number of characters from which a section has the full value of `size`."""

PATH_PARTS: Final = 2
"""How many headings above a section count as its title: with more, all sections of a page would share the page's
title."""

MAX_NAMED: Final = 6
"""The most content words, with the parts of identifiers, of a question that asks for little more than an identifier."""

CARRIED: Final = 0.3
"""The weight of a word from an earlier question or from the page's title, relative to the question's own words. At full
weight the top section of a page, which has the title of the page, came first for every follow-up."""

WANTING: Final = 0.3
"""The weight of the verb of `How do I change the cache directory?`, relative to the other words: the section about it
says `set`, and a section about something else has `change`. See docs/decisions/ranking.md."""

REFERENCE: Final = ("reference", "api")
ASIDE: Final = ("changelog", "blog", "landing")


UNTELLING: Final = frozenset(map(stem, "use using set setting add adding configure configuring".split())) | {"up"}
"""Words of a title that do not tell its topic: `Setting up social cards` is about social cards."""

_BEFORE_NAME: Final = r"(?<![A-Za-z0-9_-])"
_AFTER_NAME: Final = r"(?![A-Za-z0-9_-]|[.:/][A-Za-z0-9_])"
"""What stands around an identifier that is no part of a longer one: `--reinstall` is no part of `--reinstall-package`,
and `pkg.Client` none of `pkg.Client.connect`. Other scripts than Latin need no space around it."""

_LINE_START: Final = (
    r"(?m)^\s{0,8}(?:\| |- |\d{1,5}\. )?(?:the )?(?:option |setting |flag )?"
    r"(?:`?-{1,2}\w[\w-]{0,40}`?(?:, | / )){0,2}`?(?:[A-Za-z_]\w{0,60}\.){0,5}"
)
"""The beginning of a line, up to the identifier that it explains: an option may have its short form before it."""

_NO_OTHER_NAME: Final = (
    r"(?![^\w\n]{0,9}(?:is |are |has the )?(?:the )?"
    r"(?:equivalent to|same as|(?:an? )?(?:alias|synonym|short|shorthand|alternate spelling) (?:of|for))\b)"
)
"""What does not follow an identifier that a line explains: that it is another name of something."""

_SAYS_MORE: Final = (
    r"(?!\W{1,3}(?:\w{1,20} ){0,2}(?:was|were|been) (?:added|introduced|removed|renamed)\b)"
    "(?=(?:[^\\w\\n]{1,10}\\w+){3}|[^\\n]{0,9}[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{6})"
)
"""What follows an identifier that a line explains: at least three words, or as much in a script without spaces, and not
merely that it is new or gone."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that a search found.

    Attributes:
        cosines: The highest cosine of any of its chunks, to the whole question first and then to each part of it; empty
            without vectors.
        text_score: Its best score of the full-text search, as a share of the best score of all sections.
        near: The cosines of all its chunks to the whole question.
        page_score: See `page`. Known when all candidates have a score, as `linked_from` is: see `relate_sections`.
        linked_from: See `linked`.
        term_counts: How often the text has each word of the question. Two signals need this, so `score_sections` counts
            it for them; None before.
    """

    section: Section
    cosines: Sequence[float] = ()
    text_score: float = 0.0
    near: Sequence[float] = ()
    page_score: float = 0.0
    linked_from: float = 0.0
    retrieval_type: RetrievalType = "search"
    retrieval_query: str = ""
    term_counts: Counter[str] | None = None

    @property
    def address(self) -> SectionAt:
        """The site, the page and the anchor of the section."""
        first = self.section.chunks[0]
        return first.site, first.page, first.anchor

    def counted(self, question: WeightedQuestion) -> Candidate:
        """The same candidate with the counts of the question's words."""
        return replace(self, term_counts=question.counts_in(self.section))


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

    def terms(self, language: str) -> dict[str, float]:
        """The stems of the content words in a language, each with its weight: rare words tell more."""
        code = language_of(language)
        if code not in self._by_language:
            stems = dict.fromkeys(stem(word, code) for word in self.plan.words)
            factors = dict.fromkeys(self.carried(code), CARRIED)
            factors |= {stem(verb, code): WANTING for verb in self.plan.wanting if len(stems) > 1}
            self._by_language[code] = {term: self.weight(term) * factors.get(term, 1) for term in stems}
        return self._by_language[code]

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
        """How often the text of a section has each word of the question that it has."""
        return Counter(filter(self.terms(section.chunks[0].language).__contains__, section.body))

    def share_of_asked_identifiers(self, text: str) -> float:
        """The share of the identifiers that a text in small letters has as whole words, 0 to 1.

        0 if the question asks for more than its identifiers.
        """
        patterns = self._asked_identifiers
        return sum(pattern.search(text) is not None for pattern in patterns) / len(patterns) if patterns else 0.0

    def share_of_explained_identifiers(self, titles: str, text: str) -> float:
        """The share of the identifiers that a section explains, 0 to 1.

        A section explains an identifier if a title begins with it, or if a line of the text begins with it and goes on
        to say something about it. Before the identifier may be `The`, or the mark of a list or of a table. The share is
        0 if the question asks for more than its identifiers, or for how to use them.

        Args:
            titles: The titles of the text, in small letters, a line for each.
            text: The text, in small letters.
        """
        patterns = () if self.plan.wanting else self._explaining
        explained = sum(bool(in_title.search(titles) or in_line.search(text)) for in_title, in_line in patterns)
        return explained / len(patterns) if patterns else 0.0

    @cached_property
    def _explaining(self) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
        """Of each identifier the patterns of a title and of a line that explain it."""
        names = (pattern.pattern for pattern in self._asked_identifiers)
        return tuple(
            (re.compile(_LINE_START + name), re.compile(_LINE_START + name + _NO_OTHER_NAME + _SAYS_MORE))
            for name in names
        )

    @cached_property
    def _asked_identifiers(self) -> tuple[re.Pattern[str], ...]:
        """Patterns of the identifiers, if the question asks for little more than them."""
        names = self.plan.identifiers if self.plan.asks_for_identifier else ()
        return tuple(re.compile(_BEFORE_NAME + re.escape(name.lower()) + _AFTER_NAME) for name in names)

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The pairs of neighbouring words of the question, as stems."""
        return frozenset(pairwise(stem(word, language_of(self.plan.language)) for word in words(self.plan.query)))


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


def vector(_question: WeightedQuestion, candidate: Candidate) -> float:
    """How near the section is to the whole question."""
    return max(0.0, candidate.cosines[0]) if candidate.cosines else 0.0


def parts(_question: WeightedQuestion, candidate: Candidate) -> float:
    """How near the section is to each sentence of the question, on average: a long complaint hides what it asks."""
    # A question of one sentence has no parts, and counts as its own part, so that its weights add up like those of
    # others.
    nearest = candidate.cosines[1:] or candidate.cosines
    return max(0.0, sum(nearest) / len(nearest)) if nearest else 0.0


def text(_question: WeightedQuestion, candidate: Candidate) -> float:
    """The section's score of the full-text search, as a share of the best section's score."""
    return candidate.text_score


def body(question: WeightedQuestion, candidate: Candidate) -> float:
    """BM25 of the section's text, as a share of the highest possible value."""
    # Over the whole section, and not its chunks: a section is what is ranked, and its words are spread over them.
    section = candidate.section
    return _bm25(question, section, _term_counts(question, candidate), len(section.body) / question.statistics.length)


def fields(question: WeightedQuestion, candidate: Candidate) -> float:
    """BM25F of the section's text, title and path together."""
    section = candidate.section
    terms = question.terms(section.chunks[0].language)
    counts = dict(_term_counts(question, candidate))
    for field_words, times in ((section.title, TITLE_TIMES), (section.path, PATH_TIMES)):
        for word in field_words:
            if word in terms:
                counts[word] = counts.get(word, 0) + times
    # As in BM25F, a field counts in the length as often as in the counts.
    length = len(section.body) + TITLE_TIMES * len(section.title) + PATH_TIMES * len(section.path)
    return _bm25(question, section, counts, length / (question.statistics.length + 10))


def title(question: WeightedQuestion, candidate: Candidate) -> float:
    """The share of the words in the section's titles that the question has; words from the conversation count less."""
    first = candidate.section.chunks[0]
    terms, carried = question.terms(first.language), question.carried(first.language)
    title_stems = _title_stems(" ".join([*first.breadcrumb[-PATH_PARTS:], first.title]), language_of(first.language))
    matched_weight = sum(CARRIED if term in carried else 1.0 for term in title_stems if term in terms)
    return matched_weight / len(title_stems) if title_stems else 0.0


def phrase(question: WeightedQuestion, candidate: Candidate) -> float:
    """The share of the question's pairs of neighbouring words that are neighbours in the section too."""
    if not question.pairs:
        return 0.0
    section = candidate.section
    shared_pairs: set[tuple[str, str]] = set()
    for field_words in (section.title, section.path, section.body):
        shared_pairs.update(question.pairs.intersection(pairwise(field_words)))
    return len(shared_pairs) / len(question.pairs)


def identifiers(question: WeightedQuestion, candidate: Candidate) -> float:
    """The share of the question's identifiers that the section has as they are written."""
    return _share_verbatim(question.plan.identifiers, candidate)


def asked_identifier(question: WeightedQuestion, candidate: Candidate) -> float:
    """The share of the identifiers that the section has as whole words, if the question asks for little more than them.

    `--import-mode` is not answered by a section `Import modes` that does not have it, whose words are the same.
    """
    return question.share_of_asked_identifiers(candidate.section.text)


def named(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 if the section's title is all that is asked for: a term, or an identifier as it is written.

    0 if the question asks for the changes of a version: a section titled `Changes` is then not what it asks for.
    """
    plan, first = question.plan, candidate.section.chunks[0]
    if plan.releases:
        return 0.0
    # A glossary entry has its term once, and pages that use the term have it often.
    if not plan.identifiers:
        title_terms, terms = set(candidate.section.title) - STOP_WORDS, set(plan.terms)
        # What does not tell the topic is dropped on both sides, unless nothing else is asked for: `Add-ons` or `Use`.
        telling = (title_terms - UNTELLING, terms - UNTELLING)
        return float(bool(terms) and (title_terms == terms or (bool(telling[1]) and telling[0] == telling[1])))
    if not plan.wants_option or len(plan.terms) > MAX_NAMED:
        return 0.0
    return float(_bare(first.title) in map(_bare, plan.identifiers))


def release(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 if its title names the version whose changes are asked for; less if the question asks for its series (9.5)."""
    return release_match(candidate.section.chunks[0].title, question.plan.releases)


def exact(question: WeightedQuestion, candidate: Candidate) -> float:
    """The share of the question's quotations that the section has as they are written."""
    return _share_verbatim(question.plan.quoted, candidate)


def size(_question: WeightedQuestion, candidate: Candidate) -> float:
    """The section's length on a logarithmic scale: both searches favour sections of one line, which seldom answer."""
    return min(1.0, math.log(1 + candidate.section.size) / math.log(1 + FULL_SIZE))


def reference(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 for reference pages, unless an option is asked for: reference pages have nearly every word of the site."""
    return float(_kind(candidate) in REFERENCE and not question.plan.wants_option)


def aside(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 for change logs and blogs, unless changes are asked for, and for landing pages, which only mention things."""
    return float(_kind(candidate) in ASIDE and not (question.plan.wants_releases and _kind(candidate) != "landing"))


def here(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 for sections of the page that the reader is on."""
    return float(candidate.section.chunks[0].page == question.plan.question.page)


def topic(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 for sections of the page that the conversation led to, or that the reader points to."""
    return float(candidate.address[:2] == question.plan.topic)


def page(_question: WeightedQuestion, candidate: Candidate) -> float:
    """The mean score of the two best other sections of the page: several good sections speak for a page."""
    return candidate.page_score


def linked(_question: WeightedQuestion, candidate: Candidate) -> float:
    """1 if the best section links to this one, less for links from lower ones: writers link to explanations."""
    return candidate.linked_from


Signal = Callable[[WeightedQuestion, Candidate], float]


def _kind(candidate: Candidate) -> str:
    """The kind of the page that a section is on, such as `reference` or `blog`."""
    return candidate.section.chunks[0].page_kind


def _bare(name: str) -> str:
    """An identifier without its dashes and backticks: `--no-deps` is titled `no-deps` on some sites."""
    return name.lower().strip("-` ")


def _share_verbatim(strings: Sequence[str], candidate: Candidate) -> float:
    """The share of some strings that a section has as they are written, except for capital letters."""
    if not strings:
        return 0.0
    text = candidate.section.text
    return sum(string.lower() in text for string in strings) / len(strings)


@lru_cache(maxsize=20_000)
def _title_stems(title: str, language: str) -> frozenset[str]:
    """The stems of the words of a title that tell its topic. Cached: all questions meet the same titles."""
    return frozenset(stem(word, language) for word in words(title) if word not in STOP_WORDS and len(word) > 1)


def _term_counts(question: WeightedQuestion, candidate: Candidate) -> Counter[str]:
    """How often the text of a section has each word of the question that it has."""
    return question.counts_in(candidate.section) if candidate.term_counts is None else candidate.term_counts


def _bm25(question: WeightedQuestion, section: Section, counts: Mapping[str, int], length: float) -> float:
    """BM25 as a share of its highest possible value. `length` is the text's length divided by the mean length."""
    if not counts:
        return 0.0
    terms = question.terms(section.chunks[0].language)
    damping = K1 * (1 - B + B * length)
    # BM25 multiplies the sum by `K1 + 1`. The highest possible value has this factor too, so that it cancels out.
    return sum(terms[term] * count / (count + damping) for term, count in counts.items()) / sum(terms.values())
