"""The signal that a section says what a thing is, for questions such as `what is a glaze?`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trueref_core.text.word_forms import language_of
from trueref_server.corpus.words import topic_words, words
from trueref_server.question.meaning import defines
from trueref_server.ranking.object_titles import is_titled_by, name_of_entry
from trueref_server.ranking.title_words import title_and_name_words, topic_stems, without_number

if TYPE_CHECKING:
    from trueref_core.records import Chunk
    from trueref_server.ranking.signals import Candidate
    from trueref_server.ranking.weighted_question import WeightedQuestion

TITLED: Final = 0.6
"""The value for a section that only has the thing as its title: `Broker` may be about how to secure one."""

_TERM: Final = re.compile(r"(?:term|def|glossary|glossterm)[-_.]\w", re.IGNORECASE)
"""The beginning of the anchor of a term: `term-kiln` of Sphinx, `def_kiln` of AsciiDoc."""

_GLOSSARY: Final = re.compile(r"\b(?:glossary|terminology|concepts)\b", re.IGNORECASE)
"""The title of a page or of a part of it whose entries are terms."""

_OBJECT: Final = re.compile(r"(?:cmdoption|confval|envvar)-|.{0,200}\.")
"""The beginning of the anchor of an option, a setting or a variable, or an anchor with an owner: `kiln.Kiln.glaze`."""

_CALL: Final = re.compile(r"\w\(")
"""The arguments of a function in a title. What a term means stands behind a space: `kiln (furnace)`."""

_LITTLE: Final = frozenset("a an the what is are about".split())
"""The words that tell no topic and may stand in a title with the thing: `What is a kiln?`."""

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
    if is_titled_by_thing(thing, first) and is_term(first):
        return 1.0
    # Few sections have all words of the thing, and the text of the others is not put together.
    counts = candidate.term_counts or question.counts_in(section)
    may_define = counts.keys() >= topic_stems(thing, language_of(first.language)) and not is_of_function(thing, first)
    if may_define and defines(thing, section.text):
        return 1.0
    return TITLED if is_titled_by_thing(thing, first) and not is_of_object(first) else 0.0


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
    if topic_stems(thing, language) not in title_and_name_words(first, language):
        return False
    # `Glazing` and `set()` have the stems of `glaze` and `setting`. `Using kilns` has those of `kiln`, and so has `The
    # Any kiln`, which is about another one.
    name = without_number(name_of_entry(first.title))
    little_words = set(words(name)).difference(topic_words(name, language), words(thing))
    return _gerunds(thing) == _gerunds(name) and little_words <= _LITTLE


def _gerunds(text: str) -> set[str]:
    """The words of a text that end with `ing`, in the singular."""
    singulars = (word.removesuffix("s") for word in words(text))
    return {word for word in singulars if word.endswith("ing")}


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
    """Whether a section is the entry of a term in a glossary, and not that of an object of code, or of an option."""
    if first.kind != "definition" or "(" in first.title:
        return False
    is_in_glossary = any(map(_GLOSSARY.search, first.breadcrumb)) and not _OBJECT.match(first.anchor)
    return is_in_glossary or _TERM.match(first.anchor) is not None


def is_of_object(first: Chunk) -> bool:
    """Whether a section is about an object of code, a setting, an option or an argument, as far as its place tells.

    The setting `index` says what is written there, and an attribute `kiln` which kiln it is. But the title of a page of
    a reference is a topic, and so is a heading of several words.
    """
    is_page = set(first.breadcrumb) <= {first.title}
    is_name = first.page_kind in ("api", "reference") and " " not in first.title
    is_name = is_name or _CALL.search(first.title) is not None
    return (first.kind == "definition" or (is_name and not is_page)) and not is_term(first)
