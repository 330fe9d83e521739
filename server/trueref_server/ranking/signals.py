"""The signals that a section is ranked by. Each is a small function of a candidate and of what is asked, 0 to 1."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final

from trueref_core.records import Chunk
from trueref_core.text.word_forms import language_of
from trueref_server.corpus.corpus import Section, SectionAt, Statistics
from trueref_server.corpus.words import STOP_WORDS, stem, stems, words
from trueref_server.question.code_languages import same_language
from trueref_server.question.releases import called_by
from trueref_server.records import Plan, RetrievalType

K1: Final = 1.2
B: Final = 0.75
"""The constants of BM25. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009."""

TITLE_TIMES: Final = 3
PATH_TIMES: Final = 1
"""How many times the words of a title and of a path count beside those of the text. Source: BM25F, same."""

FULL_SIZE: Final = 3_000
"""Characters from which a section counts as a full one."""

PATH_PARTS: Final = 2
"""Headings above a section that belong to what it is called: with more, every section is called like its page."""

NAMED_MOST: Final = 6
"""Telling words, with the parts of identifiers, of a question that asks for little more than an identifier."""

CARRIED: Final = 0.3
"""What a word of an earlier question, or of the page's title, counts beside those of the question itself."""

REFERENCE: Final = ("reference", "api")
ASIDE: Final = ("changelog", "blog", "landing")


@dataclass(slots=True)
class Candidate:
    """A section that a search found.

    `place` is where it stands. `cosines` are those of its nearest chunk to the whole question and to each part of it;
    empty without vectors. `text_score` is its best score of the full-text search, as a share of the best of all.
    `nearest` is the place of that chunk in the section, `near` are the cosines of all its chunks to the whole question.
    `held` says how often the text has each word of the question, and is counted once. `page_score` and `linked_from`
    are known when all candidates have a score: see `Ranking`.
    """

    section: Section
    cosines: Sequence[float] = ()
    text_score: float = 0.0
    nearest: int = 0
    near: Sequence[float] = ()
    held: Counter[str] | None = None
    page_score: float = 0.0
    linked_from: float = 0.0
    retrieval_type: RetrievalType = "search"
    retrieval_query: str = ""
    place: SectionAt = field(init=False)

    def __post_init__(self) -> None:
        first = self.section.chunks[0]
        self.place = first.site, first.page, first.anchor


@dataclass(frozen=True)
class Asked:
    """What is asked, ready for being compared with many sections."""

    plan: Plan
    statistics: Statistics
    page: str | None = None
    """The page that the reader is on."""
    # Not given to a copy: what is asked may be another thing there.
    _by_language: dict[str, dict[str, float]] = field(init=False, default_factory=dict[str, dict[str, float]])
    _carried: dict[str, frozenset[str]] = field(init=False, default_factory=dict[str, frozenset[str]])
    _best: dict[str, float] = field(init=False, default_factory=dict[str, float])

    def terms(self, language: str) -> dict[str, float]:
        """The stems of the telling words in a language, each with how much it tells: rare words tell more."""
        code = language_of(language)
        if code not in self._by_language:
            stems = dict.fromkeys(stem(word, code) for word in self.plan.words)
            carried = self.carried(code)
            weights = {term: self.weight(term) * (CARRIED if term in carried else 1) for term in stems}
            self._by_language[code] = weights
        return self._by_language[code]

    def carried(self, language: str) -> frozenset[str]:
        """The stems of the words that a question takes from the conversation, or from its page."""
        code = language_of(language)
        if code not in self._carried:
            self._carried[code] = frozenset(stem(word, code) for word in self.plan.carried)
        return self._carried[code]

    def best(self, language: str) -> float:
        """The BM25 of a text that could not have the telling words more often; 0 where there are none."""
        if language not in self._best:
            self._best[language] = sum(self.terms(language).values()) * (K1 + 1)
        return self._best[language]

    def weight(self, term: str) -> float:
        """The inverse document frequency of a stem, as BM25 has it."""
        held = self.statistics.held.get(term, 0)
        return math.log(1 + (self.statistics.sections - held + 0.5) / (held + 0.5))

    def share(self, chunks: Iterable[Chunk]) -> float:
        """The share of the question's words that some chunks hold, rare ones counting for more, 0 to 1."""
        held: set[str] = set()
        terms: dict[str, float] = {}
        for chunk in chunks:
            terms = terms or self.terms(chunk.language)
            held |= stems(chunk.embedded_text, language_of(chunk.language))
        total = sum(terms.values())
        return sum(weight for term, weight in terms.items() if term in held) / total if total else 0.0

    @cached_property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """Neighbouring words of the question."""
        told = [stem(word, language_of(self.plan.language)) for word in words(self.plan.query)]
        return frozenset(pairwise(told))


def vector(_asked: Asked, candidate: Candidate) -> float:
    """How near the section is to the whole question."""
    return max(0.0, candidate.cosines[0]) if candidate.cosines else 0.0


def parts(_asked: Asked, candidate: Candidate) -> float:
    """How near it is to each sentence of the question, on average: a long complaint hides what it asks."""
    nearest = candidate.cosines[1:] or candidate.cosines
    return max(0.0, sum(nearest) / len(nearest)) if nearest else 0.0


def text(_asked: Asked, candidate: Candidate) -> float:
    """Its score of the full-text search, as a share of the best."""
    return candidate.text_score


def body(asked: Asked, candidate: Candidate) -> float:
    """BM25 of its text, as a share of what a text can have."""
    section = candidate.section
    return _bm25(asked, section, _held(asked, candidate), len(section.body) / asked.statistics.length)


def fields(asked: Asked, candidate: Candidate) -> float:
    """BM25 of its text, title and path together."""
    section = candidate.section
    terms = asked.terms(section.chunks[0].language)
    held = dict(_held(asked, candidate))
    for told, times in ((section.title, TITLE_TIMES), (section.path, PATH_TIMES)):
        for word in told:
            if word in terms:
                held[word] = held.get(word, 0) + times
    length = len(section.body) + TITLE_TIMES * len(section.title) + PATH_TIMES * len(section.path)
    return _bm25(asked, section, held, length / (asked.statistics.length + 10))


def title(asked: Asked, candidate: Candidate) -> float:
    """The share of what it is called that the question says; what it leans on says less."""
    first = candidate.section.chunks[0]
    terms, carried = asked.terms(first.language), asked.carried(first.language)
    telling = _telling(" ".join([*first.breadcrumb[-PATH_PARTS:], first.title]), language_of(first.language))
    said = sum(CARRIED if term in carried else 1.0 for term in telling if term in terms)
    return said / len(telling) if telling else 0.0


def phrase(asked: Asked, candidate: Candidate) -> float:
    """The share of neighbouring words of the question that are neighbours in it."""
    if not asked.pairs:
        return 0.0
    section = candidate.section
    found: set[tuple[str, str]] = set()
    for told in (section.title, section.path, section.body):
        found.update(asked.pairs.intersection(pairwise(told)))
    return len(found) / len(asked.pairs)


def identifiers(asked: Asked, candidate: Candidate) -> float:
    """The share of the question's identifiers that it has as they are written."""
    return _share(asked.plan.identifiers, candidate)


def named(asked: Asked, candidate: Candidate) -> float:
    """1 where its title is what is asked for, and little else is: a term, or an identifier as it is written.

    Where the changes of a version are asked for, `Changes` is not what is asked for.
    """
    plan, first = asked.plan, candidate.section.chunks[0]
    if plan.releases:
        return 0.0
    if not plan.identifiers:
        return float(bool(plan.terms) and set(candidate.section.title) - STOP_WORDS == set(plan.terms))
    if plan.intent != "option" or len(plan.terms) > NAMED_MOST:
        return 0.0
    return float(_bare(first.title) in map(_bare, plan.identifiers))


def release(asked: Asked, candidate: Candidate) -> float:
    """1 where its title names the version whose changes are asked for, less for one of a series that is asked for."""
    return called_by(candidate.section.chunks[0].title, asked.plan.releases)


def exact(asked: Asked, candidate: Candidate) -> float:
    """The share of quoted strings and error messages that it has as they are written."""
    return _share(asked.plan.quoted, candidate)


def size(_asked: Asked, candidate: Candidate) -> float:
    """How full it is: both searches favour sections of one line, and these seldom answer."""
    return min(1.0, math.log(1 + candidate.section.size) / math.log(1 + FULL_SIZE))


def reference(asked: Asked, candidate: Candidate) -> float:
    """1 for reference pages, unless little more than an identifier is asked for: they hold every word of the site."""
    return float(_kind(candidate) in REFERENCE and asked.plan.intent != "option")


def aside(asked: Asked, candidate: Candidate) -> float:
    """1 for change logs and blogs, unless changes are asked for, and for landing pages, which only touch on things."""
    return float(_kind(candidate) in ASIDE and not (asked.plan.wants_releases and _kind(candidate) != "landing"))


def code_language(asked: Asked, candidate: Candidate) -> float:
    """1 for code of the language that the question names."""
    wanted = asked.plan.code_language
    chunks = candidate.section.chunks if wanted else ()
    return float(any(same_language(chunk.code_language) == wanted for chunk in chunks))


def here(asked: Asked, candidate: Candidate) -> float:
    """1 for sections of the page that the reader is on."""
    return float(asked.page is not None and candidate.section.chunks[0].page == asked.page)


def topic(asked: Asked, candidate: Candidate) -> float:
    """1 for sections of the page that the conversation led to, or that the reader points to."""
    return float(candidate.place[:2] == asked.plan.topic)


def page(_asked: Asked, candidate: Candidate) -> float:
    """How good the two best other sections of its page are: several good ones speak for a page."""
    return candidate.page_score


def linked(_asked: Asked, candidate: Candidate) -> float:
    """1 where the best hit links to it, less for links from lower ones: writers link to where a thing is explained."""
    return candidate.linked_from


Signal = Callable[[Asked, Candidate], float]


def _kind(candidate: Candidate) -> str:
    return candidate.section.chunks[0].page_kind


def _bare(name: str) -> str:
    return name.lower().strip("-` ")


def _share(strings: Sequence[str], candidate: Candidate) -> float:
    if not strings:
        return 0.0
    held = candidate.section.text
    return sum(string.lower() in held for string in strings) / len(strings)


@lru_cache(maxsize=20_000)
def _telling(called: str, language: str) -> frozenset[str]:
    return frozenset(stem(word, language) for word in words(called) if word not in STOP_WORDS and len(word) > 1)


def _held(asked: Asked, candidate: Candidate) -> Counter[str]:
    """How often the text of a section has each word of the question that it has."""
    if candidate.held is None:
        section = candidate.section
        candidate.held = Counter(filter(asked.terms(section.chunks[0].language).__contains__, section.body))
    return candidate.held


def _bm25(asked: Asked, section: Section, held: Mapping[str, int], length: float) -> float:
    """BM25 as a share of what a text can have. `length` is that of the text, the average one being 1."""
    language = section.chunks[0].language
    best = asked.best(language)
    if not best or not held:
        return 0.0
    terms = asked.terms(language)
    damping = K1 * (1 - B + B * length)
    return sum(terms[term] * count * (K1 + 1) / (count + damping) for term, count in held.items()) / best
