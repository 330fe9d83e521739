"""Finds what says how the things differ that a question compares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING, Final, Literal

from trueref_core.text.sentences import split_sentences
from trueref_core.text.table_rows import split_table
from trueref_core.text.word_forms import ENGLISH
from trueref_server.answering.sections.section_blocks import items_of
from trueref_server.corpus.words import stem, words

if TYPE_CHECKING:
    from trueref_server.answering.sections.passage import Passage
    from trueref_server.records import ExcerptBlock

Telling = Literal["", "of two", "plainly"]
"""Whether a passage says how things differ: not at all, by `the two` of the sentence before, or by their names."""

# The things stand right behind these words, or right around them: the rest of such a sentence may speak of anything,
# and a name such as `set` is also a verb (`Unlike earlier releases, this setting lets you set a list of hosts.`).
_ARTICLE: Final = r"(?:(?:an?|the|using|running) )?"
_PLAINLY: Final = (
    f"differ between {_ARTICLE}PAIR",
    rf"FIRST (?:\w{{1,20}} )?differ from {_ARTICLE}SECOND",
)
"""Patterns of the stems of a sentence that says how two things differ."""

_PAIR: Final = rf"FIRST (?:\w{{1,20}} ){{0,2}}and {_ARTICLE}SECOND"

_OF_TWO: Final = re.compile(r"\bthe (?:\w{1,20} )?differences? between (?:these|the) two\b", re.IGNORECASE)
"""What says how two things differ that the sentence before names."""

_FORMER: Final = re.compile(r"\bthe former\b", re.IGNORECASE)
_LATTER: Final = re.compile(r"\bthe latter\b", re.IGNORECASE)
"""What says something of each of two things that the sentence before names: `The former is ..., and the latter ...`."""

_BOTH: Final = re.compile(r"\W{0,3}both\b", re.IGNORECASE)
"""The beginning of a sentence that says what two things have in common, between their names and how they differ."""

MAX_OTHERS: Final = 2
"""The most items of a list beside those about the things that are compared: a longer list is about something else, and
says less of each than the section about it."""

_LINE: Final = r"(?:\| |- |\d{1,5}\. )[`'\"]?THING(?:\(\))?[`'\"]?\s?(?:[:\u2013\u2014|]|- )(?:\W{0,10}\w+){3}"
"""An item or a row that begins with a thing, and says at least three words of it behind a sign."""

_ELSEWHERE: Final = re.compile(
    r"\b(?:see|read|refer|learn|about|know|understand|wonder|(?:explain|describe|discusse?|compare|cover)(?:s|ed|ing)?)\b",
    re.IGNORECASE,
)
"""Words of a sentence that says where the difference is told: `See X for the difference between A and B`."""


def telling_of(passage: Passage, things: Sequence[str]) -> Telling:
    """Whether a passage says how all things that are compared differ, in English as the question.

    A short list or table that says something of each does so too.
    """
    if any(_is_list_of(block, things) for block in passage.blocks):
        return "plainly"
    texts = (block.text for block in passage.blocks if block.kind != "code")
    tellings = {telling for text in texts for telling in _tellings(text, things)}
    return "plainly" if "plainly" in tellings else "of two" if tellings else ""


def _is_list_of(block: ExcerptBlock, things: Sequence[str]) -> bool:
    """Whether a block is a list or a table with an item or a row about each thing, and hardly another one."""
    if block.kind not in ("list", "table"):
        return False
    lines = split_table(block.text)[1] if block.kind == "table" else items_of(block.text)
    about = [re.compile(_LINE.replace("THING", re.escape(thing)), re.IGNORECASE) for thing in things]
    numbers = [next((at for at, line in enumerate(lines) if pattern.match(line)), None) for pattern in about]
    return len(lines) <= len(things) + MAX_OTHERS and None not in numbers and len(set(numbers)) == len(things)


def _tellings(text: str, things: Sequence[str]) -> Iterator[Telling]:
    """How each sentence of a text that says how things differ says so."""
    stems_of_things = [as_stems(thing, ENGLISH).strip() for thing in things]
    # As they are written: a verb such as `sets` is no set.
    as_written = [" ".join(words(thing)) for thing in things]
    sentences = [text[start:end] for start, end in split_sentences(text)]
    named = ""
    for sentence, after in zip(sentences, [*sentences[1:], ""], strict=True):
        if _ELSEWHERE.search(sentence):
            named = sentence
            continue
        if _has(as_stems(sentence, ENGLISH), _PLAINLY, stems_of_things):
            yield "plainly"
        elif _is_of_two(sentence, after) and _has(f" {' '.join(words(named))} ", ("PAIR",), as_written):
            yield "of two"
        named = named if _BOTH.match(sentence) else sentence


def _is_of_two(sentence: str, after: str) -> bool:
    """Whether a sentence, perhaps with the one after it, says how two things differ that one before it names."""
    former = _FORMER.search(sentence)
    is_of_each = former is not None and _LATTER.search(f"{sentence[former.end() :]} {after}") is not None
    return is_of_each or _OF_TWO.search(sentence) is not None


def _has(text: str, patterns: Iterable[str], things: Sequence[str]) -> bool:
    """Whether a text has all of several things in one of the patterns, in any order."""
    return any(
        re.search(f" {_filled(pattern, list(map(re.escape, ordered)))} ", text)
        for pattern in patterns
        for ordered in permutations(things)
    )


def _filled(pattern: str, things: Sequence[str]) -> str:
    """A pattern with things in it: the last one is the second, and the others are listed before it."""
    first = rf" (?:\w{{1,20}} ){{0,2}}{_ARTICLE}".join(things[:-1])
    return pattern.replace("PAIR", _PAIR).replace("FIRST", first).replace("SECOND", things[-1])


def names_all(title: str, things: Iterable[str], language: str) -> bool:
    """Whether a title names each of several things, in words of its own: `linenums_style` does not name `linenums`."""
    remaining = as_stems(title, language)
    # The longest first, since its words may contain those of another.
    for thing in sorted((as_stems(thing, language) for thing in things), key=len, reverse=True):
        if thing not in remaining:
            return False
        remaining = remaining.replace(thing, " | ", 1)
    return True


def as_stems(text: str, language: str) -> str:
    """The stems of the words of a text, with a space around each."""
    return f" {' '.join(stem(word, language) for word in words(text))} "
