"""Signals that tell whether a passage answers a question. They compare the question with what would be shown for it.

What each signal brings is in docs/decisions/choice.md; their weights are in `choice`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Final

from trueref_core.matching.anchor_names import is_dated_release
from trueref_core.text.word_forms import language_of
from trueref_server.answering.candidates import PassageCandidate, SectionPassages
from trueref_server.answering.excerpts.excerpt import MAX_WORDS
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.sections.announcements import MAX_POINTER, points_elsewhere
from trueref_server.answering.sections.histories import is_history
from trueref_server.corpus.spelling import is_common
from trueref_server.corpus.words import content_words, stem, words
from trueref_server.question.meaning import defines, reads_as_entry, says_meaning
from trueref_server.ranking import signals as ranking_signals
from trueref_server.ranking.asked_identifier import OTHER_NAME
from trueref_server.ranking.defined import is_of_function, is_of_object, is_term, is_titled_by_thing
from trueref_server.ranking.object_titles import is_titled_by, name_of_entry, without_kind
from trueref_server.ranking.rank import signal_value
from trueref_server.ranking.signals import ASIDE
from trueref_server.ranking.title_words import UNTELLING, title_words_of
from trueref_server.ranking.weighted_question import WeightedQuestion

if TYPE_CHECKING:
    from trueref_server.answering.sections.passage import Passage

_DEPRECATED: Final = re.compile(
    r"(?<![\w./-])(?:deprecated|(?<!may )no longer|legacy|removed in|obsolete|discouraged)\b(?![/_*-]|\.\w)",
    re.IGNORECASE,
)
"""Words that call something deprecated. In a name or a path, such as `legacy/*`, they do not."""

_CALLED_DEPRECATED: Final = re.compile(r"\bdeprecated\b", re.IGNORECASE)
_OPENING_DEPRECATED: Final = re.compile(
    r"\W{0,5}(?:\w{1,20}:\W{1,3})?(?:this (?:\w{1,20} ){1,2}(?:is|was|has been|are) (?:now )?)?deprecated\b",
    re.IGNORECASE,
)
"""The beginning of a text about something deprecated: `Warning: Deprecated since 14`, `This option is deprecated`."""

MIN_EXPLANATION: Final = 6
"""The fewest words of a text that says something: an entry may have nothing but its name, or begin with a type."""

IN_FRONT: Final = 0.6
BELOW_TITLE: Final = 0.4
"""The values of `says_what_word_means` for a word in front of a line, and for one that is the title of the section."""

NAME_ALONE: Final = 0.5
"""The value of `named` if the title has the name that is asked for, and not the other keywords."""

_FOLLOWING: Final = r"(?:[^\w.!?;\n]{1,3}[\w-]+)"

_NOT_DONE: Final = re.compile(
    rf"\b(?:without|excluding|omitting|avoiding)\b(?=({_FOLLOWING}{{1,6}}))|"
    r"(?:\b(?:no|not|never|cannot|skip(?:s|ped)?|disable[sd]?|exclude[sd]?|ignore[sd]?|avoids?|prevents?|instead of|"
    r"(?<!may )(?<!might )(?<!could )(?<!accidentally )omits?)\b|"
    rf"n['\u2019]t\b)(?=({_FOLLOWING}{{1,3}}))|--no-([\w-]{{1,60}})",
    re.IGNORECASE,
)
"""A word of what does not happen, with what follows as the only group that matched.

`You don't need to configure it` does not say how to do without it, and has more words between."""

_OPTION: Final = 3
MIN_PREFIX: Final = 3
"""The group with the name of an option, and the fewest letters of a part of it that may shorten a word."""

_CHANGES: Final = re.compile(r"(?:change ?logs?|(?:version )?history|release notes)", re.IGNORECASE)
"""The title of a box that says how something has changed."""

_OTHER_NAME: Final = re.compile(rf"\W{{0,9}}(?:this |it )?(?:is |are |has )?{OTHER_NAME}", re.IGNORECASE)
"""The beginning of an entry that only names another one."""


def near(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How near the chunk in which the passage begins is to the whole question."""
    return candidate.section.hit.near.get(candidate.passage.chunk, 0.0)


def nearest(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How near the nearest chunk of the passage's section is to the whole question."""
    return max(candidate.section.hit.near.values(), default=0.0)


def behind(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How far the score of the passage's section is below the best one."""
    return candidate.behind


def shared(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """The share of the question's words that the text to be shown has, rare words counting for more.

    The entry of an option need not repeat the command that its section is called by: `-e` of `trim`. Nor need a section
    repeat the words of its title if nothing else is asked for.
    """
    first = candidate.section.hit.in_page_order[0]
    if question.title.is_nothing_but(first) or _is_titled_by_name(question, candidate):
        return 1.0
    # `What is a kiln?` is met by `Kiln: A furnace for clay.`.
    if _begins_below_thing(question, candidate):
        return 1.0
    share = Relevance.of(question).share(_shown_with_term(candidate))
    if not question.letter_options:
        return share
    chunk = candidate.section.hit.chunk
    title_words = title_words_of(chunk.title, language_of(question.plan.language))
    is_titled = question.title.words_without_letters <= title_words or question.title.is_of_page(chunk)
    return max(share, explained_identifier(question, candidate)) if is_titled else share


def _shown_with_term(candidate: PassageCandidate) -> str:
    """The text that would be shown, with what stands above it and is not repeated.

    This is the name of an entry that is a section, and a heading without an address.
    """
    name = name_of_entry(candidate.section.hit.chunk.title) if _is_of_titled_entry(candidate.passage) else ""
    return "\n".join(filter(None, (name, candidate.passage.heading, candidate.shown)))


def _is_of_titled_entry(passage: Passage) -> bool:
    """Whether a passage is of an entry whose term is the title of its section."""
    return bool(passage.entry) and not passage.blocks[0].caption


def _is_titled_by_name(question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    """Whether a name is asked for and nothing else, and it is the title of the passage's section.

    In docs that are written in Markdown the entry of an option or of a method is a section with a heading.
    """
    title = candidate.section.hit.chunk.title
    return question.title.asks_for_name_alone and is_titled_by(title, question.plan.identifiers)


def room(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """The number of words that would be shown, on a logarithmic scale: fewer at the end of a section."""
    return math.log(1 + len(candidate.shown.split())) / math.log(1 + MAX_WORDS)


def deprecated(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """1 if the text that would be shown has a word such as `deprecated` or `no longer`, or its section is called so."""
    return float(_DEPRECATED.search(candidate.shown) is not None or _is_deprecated(candidate.section))


def _is_deprecated(section: SectionPassages) -> bool:
    """Whether a heading of a section, or the first sentence of its text, says that all of it is deprecated.

    What stands below `Warning: Deprecated since 14.` need not repeat it.
    """
    chunk, first_block = section.hit.chunk, section.passages[0].blocks[0]
    headings = (chunk.title, *chunk.breadcrumb[-1:], first_block.caption)
    return _OPENING_DEPRECATED.match(first_block.text) is not None or any(map(_CALLED_DEPRECATED.search, headings))


def points(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """1 if the text that would be shown only says where the answer is, or what the page is about."""
    return float(points_elsewhere(candidate.shown))


def aside(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """1 for change logs, histories of an entry, dated releases, blogs and landing pages, unless changes are asked for.

    A box called `Changelog` below the text of a section is a change log too: see `_says_changes`.
    """
    if question.plan.wants_releases:
        return 0.0
    chunk = candidate.section.hit.chunk
    # Not every change log is known as one by its page kind: that of requests is `community/updates.html`.
    is_release = any(map(is_dated_release, (chunk.title, *chunk.breadcrumb)))
    return float(chunk.page_kind in ASIDE or is_release or _says_changes(candidate.passage))


def _says_changes(passage: Passage) -> bool:
    """Whether a passage is a box that says how something has changed.

    An entry called `history`, code of a file of this name, and a table of versions in the text are none. A table of a
    long box is a passage of its own.
    """
    first = passage.blocks[0]
    is_called_so = _CHANGES.fullmatch(first.caption) is not None
    if first.kind == "admonition":
        return is_called_so or is_history(first.text)
    return first.kind == "table" and is_called_so and is_history(first.text)


def asked_identifier(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """The share of the identifiers that would be shown, the title included, if the question asks for little more."""
    if not question.plan.asks_for_identifier:
        return 0.0
    if question.title.is_path_of(candidate.section.hit.chunk):
        return 1.0
    return question.share_of_asked_identifiers(f"{candidate.section.hit.chunk.title}\n{candidate.shown}")


def explained_identifier(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """The share of the identifiers that the passage explains, if the question asks what they are.

    An author who explains `--strict` begins its title, its row or its paragraph with it; one who only mentions it does
    not. `Equivalent to --fail-on-warning` explains nothing. A section that the question names by its page explains what
    is asked of the page: `SuperFences > Options`.
    """
    if not question.plan.asks_for_identifier:
        return 0.0
    if question.title.is_path_of(candidate.section.hit.chunk):
        return 1.0
    blocks = candidate.passage.blocks
    if _OTHER_NAME.match(blocks[0].text) and len(candidate.passage.text.split()) <= MAX_POINTER:
        return 0.0
    # The caption of a definition is its term; that of code is often the name of the file, which is not explained.
    captions = (block.caption for block in blocks if block.kind != "code")
    hit = candidate.section.hit
    title = hit.chunk.title
    # A command has its name behind others: `neighbor PEER next-hop-self`, and an option its long form: `-o, --output`.
    is_entry = title.startswith("-") or any(chunk.kind == "definition" for chunk in hit.chunks)
    words_of_title = title.split() if is_entry else ()
    titles = [without_kind(title), *words_of_title, *captions]
    texts = [block.text for block in blocks if block.kind != "code"]
    return question.share_of_explained_identifiers("\n".join(titles), "\n".join(texts))


def does_without(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """The share of what the question wants to do without that the passage says is left out.

    Other passages have the same words: `run all of its dependencies` has those of `without its dependencies`.
    """
    if not question.plan.left_out:
        return 0.0
    unwanted = {stem(word, question.plan.language): word for word in question.plan.left_out}
    blocks = [block for block in candidate.passage.blocks if block.kind != "code"]
    texts = chain.from_iterable((block.caption, block.text) for block in blocks)
    denied = (_denied(match, unwanted, question.plan.language) for text in texts for match in _NOT_DONE.finditer(text))
    return max(denied, default=0) / len(unwanted)


def _denied(match: re.Match[str], unwanted: Mapping[str, str], language: str) -> int:
    """How many words of what the question wants to do without stand behind a word of what does not happen.

    Args:
        match: A match of `_NOT_DONE`.
        unwanted: The words by their stems.
        language: The language of the question.
    """
    following = [stem(word, language) for word in words(match[match.lastindex or 0])]
    if match.lastindex == _OPTION:
        # `--no-deps` is an option for `without its dependencies`.
        return sum(any(len(name) >= MIN_PREFIX and term.startswith(name) for name in following) for term in unwanted)
    # `not rewrite commit A` does not say how to do without committing.
    return sum(term in (following[:1] if word.endswith("ing") else following) for term, word in unwanted.items())


def says_what_word_means(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """1 if the question asks what a word means, and a sentence of the passage says so, or it is the entry of the term.

    Less if the passage has the word in front of an item or a line, or begins a section whose title is the word. Of a
    list of what a program shows, another passage may repeat the word more often.
    """
    word = question.plan.unknown_word
    if not word or question.plan.asks_for_identifier:
        return 0.0
    if says_what_thing_is(question, candidate):
        return 1.0
    blocks = [block for block in candidate.passage.blocks if block.kind != "code"]
    captions, texts = ("\n".join(parts) for parts in ((b.caption for b in blocks), (b.text for b in blocks)))
    first = candidate.section.hit.in_page_order[0]
    # `glaze (str) - the glaze` says what a function takes.
    is_of_function = candidate.passage.is_parameter or (first.kind == "definition" and "(" in first.title)
    if says_meaning(word, captions, texts) and not is_of_function:
        return IN_FRONT
    is_titled = _begins_below_thing(question, candidate) and len(words(candidate.shown)) >= MIN_EXPLANATION
    return BELOW_TITLE if is_titled else 0.0


def says_what_thing_is(question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    """Whether a passage says in a sentence what the thing is that is asked for, or is the entry of this term."""
    is_entry = is_term(candidate.section.hit.in_page_order[0]) and _begins_below_thing(question, candidate)
    return is_entry or says_in_sentence_what_thing_is(question, candidate)


def says_in_sentence_what_thing_is(question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    """Whether a passage says in a sentence what the thing is that is asked for.

    The sentence has its name, or reads as in a dictionary, below a title that is the thing.
    """
    thing, first = question.plan.unknown_word, candidate.section.hit.in_page_order[0]
    if not thing or is_of_function(thing, first):
        return False
    if any(defines(thing, block.text) for block in candidate.passage.blocks if block.kind != "code"):
        return True
    return _begins_below_thing(question, candidate) and reads_as_entry(candidate.passage.blocks[0].text)


def _begins_below_thing(question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    """Whether a passage begins a section whose title is the thing that is asked for: its text need not repeat it.

    Of an attribute `A kiln of the shop.` says which kiln it is.
    """
    thing, first = question.plan.unknown_word, candidate.section.hit.in_page_order[0]
    return bool(thing) and candidate.number == 0 and is_titled_by_thing(thing, first) and not is_of_object(first)


def named(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """1 if the question is the title of the passage's section, such as `retry policy`; less if that has the name alone.

    0 if the passage says nothing but a name. One word has to be the title of a page, since many sections are called
    `Usage` or `State`. A whole question asks for more than its words. Of `SuperFences options` a section `License >
    SuperFences` has the name alone. A heading without an address names the first passage below it: on old pages no
    section has its title.
    """
    plan, chunk = question.plan, candidate.section.hit.chunk
    if is_first_below_named(question, candidate):
        return 1.0
    is_page = set(chunk.breadcrumb) <= {chunk.title}
    is_whole = question.title.names(chunk)
    # `What is prefire?` asks for the entry `prefire`. Common words such as `scope` are the names of many.
    is_entry = _is_of_titled_entry(candidate.passage) or _is_titled_by_name(question, candidate)
    is_entry_asked = is_entry and not any(map(is_common, content_words(plan.query)))
    is_title_asked = plan.is_keywords and (question.keyword_count > 1 or is_page)
    if not (is_title_asked or is_entry_asked or is_whole) or len(words(candidate.shown)) < MIN_EXPLANATION:
        return 0.0
    title_words = title_words_of(chunk.title, language_of(plan.language))
    first = candidate.section.hit.in_page_order[0]
    has_all = question.title.words - UNTELLING <= title_words or question.title.consists_of(first)
    is_whole = is_whole or has_all
    return signal_value(candidate.section.hit, ranking_signals.named) * (1.0 if is_whole else NAME_ALONE)


def is_first_below_named(question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    """Whether a question names the heading without an address above a passage, as it would name a section."""
    passage, chunk = candidate.passage, candidate.section.hit.chunk
    if not (passage.heading and passage.begins) or len(words(candidate.shown)) < MIN_EXPLANATION:
        return False
    below = replace(chunk, title=passage.heading, breadcrumb=(*chunk.breadcrumb, chunk.title), kind="prose")
    are_keywords = question.plan.is_keywords and question.keyword_count > 1
    return question.title.is_nothing_but(below) or (are_keywords and question.title.consists_of(below))


def offered(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """Whether the question is made of the heading of the passage's section: see `ranking.signals.offered`."""
    return signal_value(candidate.section.hit, ranking_signals.offered)


def usual_title(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How likely the passage's section is the one about a usual topic: see `ranking.signals.usual_title`."""
    return signal_value(candidate.section.hit, ranking_signals.usual_title)


def rare_word_similarity(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How similar the passage is to each word of the question, both read in context, rare words counting for more."""
    return candidate.max_sim or 0.0


PassageSignal = Callable[["WeightedQuestion", PassageCandidate], float]
