"""The signal that a section says what a thing is, for questions such as `what is a glaze?`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from trueref_core.text.word_forms import language_of
from trueref_server.question.meaning import defines
from trueref_server.ranking.object_titles import is_titled_by
from trueref_server.ranking.title_words import title_and_name_words, topic_stems

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.ranking.signals import Candidate
    from trueref_server.ranking.weighted_question import WeightedQuestion

TITLED: Final = 0.6
"""The value for a section that only has the thing as its title: `Broker` may be about how to secure one."""

MIN_WORDS: Final = 5
"""The fewest words of a section that says what a thing is."""


def defined(question: WeightedQuestion, candidate: Candidate) -> float:
    """1 if the section says what the thing is whose meaning is asked for; less if only its title is this thing.

    Many more sections have the word more often: `Adding a kiln`, `Removing a kiln`.
    """
    thing = question.plan.unknown_word
    section = candidate.section
    if not thing or question.plan.wants_releases or len(section.body) < MIN_WORDS:
        return 0.0
    first = section.chunks[0]
    is_titled = is_titled_by_thing(thing, first)
    if is_titled and is_term(first):
        return 1.0
    # Few sections have all words of the thing, and the text of the others is not put together.
    counts = candidate.term_counts or question.counts_in(section)
    may_define = counts.keys() >= topic_stems(thing, language_of(first.language)) and not is_of_function(thing, first)
    if may_define and defines(thing, section.text):
        return 1.0
    return TITLED if is_titled else 0.0


def is_titled_by_thing(thing: str, first: Chunk) -> bool:
    """Whether a thing is the title of a section, or the name of the entry that it is.

    Args:
        thing: The thing in small letters.
        first: The first chunk of the section.
    """
    # `--workspace` is an option, which may have little to do with what a workspace is.
    if first.title.startswith("-") and not thing.startswith("-"):
        return False
    language = language_of(first.language)
    return topic_stems(thing, language) in title_and_name_words(first, language)


def is_of_function(thing: str, first: Chunk) -> bool:
    """Whether a section is the entry of a function or a class, and not of the thing.

    There, `glaze is a layer of glass` says what a parameter has to be.

    Args:
        thing: The thing in small letters.
        first: The first chunk of the section.
    """
    if first.kind != "definition" or "(" not in first.title:
        return False
    # `class pots.Kiln(heat)` has the names `Kiln` and `pots.Kiln`.
    return not (is_titled_by_thing(thing, first) or is_titled_by(first.title, (thing, thing.removesuffix("s"))))


def is_term(first: Chunk) -> bool:
    """Whether a section is the entry of a term, as in a glossary, and not that of a function or an attribute.

    The anchor of an attribute has its owner: `kiln.Kiln.glaze`.
    """
    return first.kind == "definition" and "(" not in first.title and "." not in first.anchor
