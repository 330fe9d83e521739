"""The signals that a section is ranked by. Each is a small function of a candidate and of the question, 0 to 1."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from trueref_core.export.offered_questions import question_of
from trueref_core.records import Chunk
from trueref_core.text.word_forms import language_of
from trueref_server.corpus.corpus import Section
from trueref_server.corpus.words import stem, topic_words, words
from trueref_server.question.releases import release_match
from trueref_server.question.usual_topics import title_value
from trueref_server.ranking.asked_identifier import is_wordless, titles_and_text
from trueref_server.ranking.object_titles import is_titled_by
from trueref_server.ranking.title_words import names_rival
from trueref_server.ranking.verbatim import count_names
from trueref_server.ranking.weighted_question import CARRIED, WeightedQuestion, comparable_question
from trueref_server.records import RetrievalType, SectionAt

K1: Final = 1.2
B: Final = 0.75
"""The constants of BM25. Source: Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009."""

TITLE_TIMES: Final = 3
PATH_TIMES: Final = 1
"""How many times as much a word of a title, or of a path, counts as a word of the text. Source: BM25F, in the same
publication."""

FULL_SIZE: Final = 3_000
"""The number of characters from which a section has the full value of `size`."""

WINDOW: Final = 40
"""How many words of a text count as one place for `together`: two or three sentences. Windows overlap by half, so that
words at most 20 apart always share one. From 15 to 60 words, or with one or two sentences instead, the order of
sections is about as good (`docs/decisions/ranking.md`)."""

ON_ANOTHER_PAGE: Final = 0.4
"""The value of `offered` on another page than that of the reader."""

MIN_WORDS: Final = 6
"""The fewest words of a section that says something."""

PATH_PARTS: Final = 2
"""How many headings above a section count as its title: with more, all sections of a page would share the page's
title."""

REFERENCE: Final = ("reference", "api")
_FOR_CONTRIBUTORS: Final = re.compile(
    r"(?:how to )?contribut(?:e|ing)(?:[ -]to\b.{0,80})?|contributors?|"
    r"(?:contributing|contributors?'?s?)[ -]guide(?:lines)?",
    re.IGNORECASE,
)
"""The whole of a heading, or of a part of an address, of what is for contributors. `Document contributors` is a feature
for all readers."""

ASIDE: Final = ("changelog", "blog", "landing")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A section that a search found.

    Attributes:
        cosines: The highest cosine of any of its chunks, to the whole question first and then to each part of it; empty
            without vectors.
        text_score: Its best score of the full-text search, as a share of the best score of all sections.
        near: The cosines of all its chunks to the whole question; empty without vectors.
        page_score: See `page`. Known when all candidates have a score, as `linked_from` is: see `relate_sections`.
        linked_from: See `linked`.
        term_counts: How often the text has each word of the question. Three signals need this, so `score_sections`
            counts it for them; None before.
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


def vector(_question: WeightedQuestion, candidate: Candidate) -> float:
    """How near the section is to the whole question."""
    return max(0.0, candidate.cosines[0]) if candidate.cosines else 0.0


def nearest_two(_question: WeightedQuestion, candidate: Candidate) -> float:
    """How near the two nearest chunks of the section are to the whole question, on average.

    A single chunk is often near by chance. A section of one chunk has the cosine of that chunk.
    """
    nearest = sorted(candidate.near)[-2:]
    return max(0.0, sum(nearest) / len(nearest)) if nearest else 0.0


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


def together(question: WeightedQuestion, candidate: Candidate) -> float:
    """The largest share of the question's words that stand near each other, rare ones counting for more.

    Near each other are words of the title, and words of one window of the text (`WINDOW`). A long section has most
    words of any question somewhere. Source: term proximity, as in Tao and Zhai, An Exploration of Proximity Measures in
    Information Retrieval, 2007.
    """
    section = candidate.section
    # Without the verb of `How do I change the cache directory?`, since the section about it says `set`; and without the
    # words of an earlier question, which stand together where that one was answered.
    terms = question.subject_terms(section.chunks[0].language)
    # The text of an entry does not repeat the name that is its title, and a paragraph does.
    opening = section.title if section.chunks[0].kind == "definition" else ()
    in_title = _total(terms, terms.keys() & section.title)
    present = terms.keys() & (_term_counts(question, candidate).keys() | opening)
    in_text = _total(terms, present)
    # Positions are looked for only where they matter: that takes longer than all other signals.
    if in_text > in_title and len(present) > 1 and len(opening) + len(section.body) > WINDOW:
        # Most texts have no opening, and are not copied.
        in_text = _best_window((*opening, *section.body) if opening else section.body, terms)
    return max(in_title, in_text) / math.fsum(terms.values()) if terms else 0.0


def _best_window(text: Sequence[str], weights: Mapping[str, float]) -> float:
    """The largest sum of the weights of different words that stand in one window of a text."""
    # Each window is compared as a whole: a step for each word that matches took longer than all other signals together.
    starts = range(0, len(text) - WINDOW // 2, WINDOW // 2)
    return max(_total(weights, weights.keys() & text[start : start + WINDOW]) for start in starts)


def _total(weights: Mapping[str, float], chosen: AbstractSet[str]) -> float:
    """The sum of the weights of some words, the same to the last digit in whatever order a set has them."""
    return math.fsum(map(weights.__getitem__, chosen))


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
    # The text of `SuperFences > Options` does not have the name, which is the title of its page.
    if question.plan.asks_for_identifier and question.title.is_path_of(candidate.section.chunks[0]):
        return 1.0
    # For other questions the text of no candidate is put together.
    return question.share_of_asked_identifiers(candidate.section.text) if question.plan.asks_for_identifier else 0.0


def explained_option(question: WeightedQuestion, candidate: Candidate) -> float:
    """The share of the options that the section explains, if the question asks what they are, and has no other name.

    An option such as `--all` is called like a common word, which sections without it have more often. `-s` is another
    option of each command, so that only a section on the page of the command that is asked for counts: its synopsis has
    the name of the command more often. A name of signs such as `&&` and a combination of keys count as options: they
    have no word at all.
    """
    plan = question.plan
    if not plan.asks_for_identifier:
        return 0.0
    is_of_command = bool(question.letter_options) and question.title.is_of_page(candidate.section.chunks[0])
    if not is_of_command and any(not name.startswith("--") and not is_wordless(name) for name in plan.identifiers):
        return 0.0
    return question.share_of_explained_identifiers(*titles_and_text(candidate.section))


def named(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 if the section's title is all that is asked for: a term, or an identifier as it is written.

    1 in three other cases as well: the title of its page and its own are all that is asked for, as by `SuperFences
    options`; a tool's message was pasted, and the title is the name of the rule; or the section explains the `-e` of
    the command that its page is about. 0 if the question asks for the changes of a version: a section titled `Changes`
    is then not what it asks for.
    """
    plan, first = question.plan, candidate.section.chunks[0]
    if plan.releases:
        return 0.0
    # A glossary entry has its term once, and pages that use the term have it often. Identifiers count as they are
    # written: `--import-mode` is not the title `Import modes`. But the section `trim` explains `trim -e` in its text.
    names = [name for name in plan.identifiers if name not in question.letter_options]
    has_names = count_names(names, first.title) == len(names) and _has_options(question, candidate)
    if has_names and question.title.consists_of(first):
        return 1.0
    if question.title.names(first):
        return 1.0
    if question.letter_options and question.title.is_of_page(first):
        return question.share_of_explained_identifiers(*titles_and_text(candidate.section))
    return float(question.title.asks_for_name_alone and is_titled_by(first.title, plan.identifiers))


def _has_options(question: WeightedQuestion, candidate: Candidate) -> bool:
    """Whether a section has the options of a single letter that are asked for, in its title or in its text."""
    options = question.letter_options
    return not options or count_names(options, candidate.section.text) == len(options)


def offered(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 if the question can be made of the section's heading: `How do I change the fonts?` of `Changing the fonts`.

    The widget offers such questions, those of the reader's page among them. Of several pages with such a heading, that
    of the reader comes first. 0 if the section has nothing but its heading.
    """
    first = candidate.section.chunks[0]
    made = _offered_question(first.title, first.language)
    if len(candidate.section.body) < MIN_WORDS or made not in question.as_offered:
        return 0.0
    return 1.0 if first.page == question.plan.question.page else ON_ANOTHER_PAGE


def usual_title(question: WeightedQuestion, candidate: Candidate) -> float:
    """How likely the section is the one that docs have about a usual topic, such as installing; 0 if it is none.

    0 also if the section has nothing but its heading, or a notice that stands on many pages. See `usual_topics`.
    """
    plan, section, notices = question.plan, candidate.section, question.statistics.notices
    if not plan.usual_topic or len(section.body) < MIN_WORDS or section.twin_key in notices:
        return 0.0
    if not names_rival(plan.rival, section):
        return 0.0
    first, subjects = candidate.section.chunks[0], question.statistics.subjects
    # Of several sites the question may name one: how to install another is not asked then.
    asked = set(words(question.plan.query))
    named = [site for site, subject in subjects.items() if not asked.isdisjoint(subject)]
    if named and first.site not in named:
        return 0.0
    return title_value(question.plan.usual_topic, first, subjects.get(first.site, frozenset()))


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


def contributing(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 for pages and chapters for contributors to the project, unless it is asked how to take part in it.

    They tell how the project itself is set up, tested and released, in the words of readers who do so with their own.
    """
    return float(not question.plan.wants_to_contribute and _is_for_contributors(candidate.section.chunks[0]))


def _is_for_contributors(chunk: Chunk) -> bool:
    """Whether a chunk is on a page for contributors to the project, or in such a chapter."""
    parts = (part.rpartition(".")[0] or part for part in chunk.page.split("/"))
    return any(map(_FOR_CONTRIBUTORS.fullmatch, (*parts, *chunk.breadcrumb, chunk.title)))


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


def _share_verbatim(strings: Sequence[str], candidate: Candidate) -> float:
    """The share of some strings that a section has as they are written, see `count_names`."""
    return count_names(strings, candidate.section.text) / len(strings) if strings else 0.0


@lru_cache(maxsize=20_000)
def _title_stems(title: str, language: str) -> frozenset[str]:
    """The stems of the words of a title that tell its topic. Cached: all questions meet the same titles."""
    return frozenset(stem(word, language) for word in topic_words(title, language) if len(word) > 1)


@lru_cache(maxsize=20_000)
def _offered_question(heading: str, language: str) -> str:
    """The question that is made of a heading, as `comparable_question` has it; "" if none is."""
    return comparable_question(question_of(heading, language))


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
