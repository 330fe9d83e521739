"""Looks up the facts of an answer in the sources that it was written from, and marks the ones that no source has.

A fact is what a reader copies or relies on letter by letter: code, an option, a path, a file name, a version, a number.
Looking whether it stands in the sources finds most wrong answers of small models, at next to no cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rapidfuzz import fuzz, process

from trueref_server.model.asking.numbered_sources import ModelSource, languages_of
from trueref_server.model.checking.negation import is_negated_in, tells_lack
from trueref_server.model.checking.source_text import SourceText
from trueref_server.records import MarkCode

NEAR: Final = 75
"""A name is suggested in place of another if their similarity (0 to 100) is at least this."""

SUGGESTED_MOST: Final = 200
"""At most so many wrong facts of an answer get a suggestion."""

SHORTEST_NAME: Final = 3

SPAN = re.compile(r"(?<!`)`([^`\n]{1,300})`(?!`)")
CITATION = re.compile(r"\[(\d{1,3})\]")
ELSEWHERE = re.compile(r"\[\d{1,3}\]|\]\([^()\s`]{1,2048}\)")
# A small model copies the `[n]` of its instructions; `[x]` is the mark of a task that is done.
PLACEHOLDER = re.compile(r"(?<![\w\]])\[(?!x\])[a-z]\](?!\()")
NUMBERED = re.compile(
    r"^\s{0,12}(?:(?:[-*+>]|#{1,6})\s{1,4})?\*{0,2}\d{1,3}[.):](?=[\s*]|$)"  # an item of a list, or a heading
    r"|^\s{0,12}\|\s{0,12}\d{1,3}\s{0,12}\|"  # a row of a table
)
COUNTED = re.compile(
    r"\b(?:steps?|options?|methods?|examples?)\s{1,3}\d(?:\s{0,3}(?:[-–,]|to|and|or)\s{0,3}\d)?\b"
    r"|\b\d\s{1,3}steps?\b|\(\d\)",
    re.IGNORECASE,
)
"""How an answer numbers its own steps: `step 2`, `in 3 steps`, `(1)`."""

# Every alternative begins with another class of characters than the one before it may end in: each match is linear.
FACT = re.compile(
    r"(?<![\w-])--?[A-Za-z][\w-]*"  # an option
    r"|(?<![\w./-])v?\d+(?:[.,:]\d+)*\w{0,3}(?!\w)"  # a number or a version
    r"|(?<![\w./-])[./]{0,3}[A-Za-z0-9]+(?:[./\\_-]+[A-Za-z0-9]+)+(?:\(\))?",  # a path, a file name, a dotted name
    re.ASCII,
)
LOOKS_LIKE_CODE = re.compile(r"[./-].*|\d.*|.*(?:\d[.,:]|[_.\\()]).*", re.ASCII | re.DOTALL)
"""The matches that count as facts outside of inline code: `and/or` and `well-known` do not."""

DIGIT_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    digit: tuple(words.split())
    for digit, words in zip(
        "0123456789",
        ("zero no none", "one once single", "two twice both", *"three four five six seven eight nine".split()),
        strict=True,
    )
}
"""How English docs write a single digit: an answer may say 5 if they say five."""

SHORT_FORMS: Final = frozenset(("e.g", "i.e", "a.k.a", "etc"))

CODE_WORD = re.compile(r"--?[A-Za-z][\w-]*|[A-Za-z_][\w.-]*|\d+(?:\.\d+)+", re.ASCII)
COMMENT = re.compile(r"(?:^|\s)(?:#|//)\s.*$")


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt about characters `start` to `end` of a sentence or a line, and the name that may be meant instead."""

    start: int
    end: int
    code: MarkCode
    suggestion: str = ""


class FactChecker:
    """Looks facts up in the sources of an answer.

    Args:
        sources: What the model was given.
        question: What the reader asked. A sentence that says that something does not exist may repeat a name from it.
    """

    def __init__(self, sources: Sequence[ModelSource], question: str) -> None:
        self._texts: Mapping[int, str] = {
            source.n: f"{source.place}\n{source.version}\n{source.text}" for source in sources
        }
        self._sources: Mapping[int, SourceText] = {n: SourceText(text) for n, text in self._texts.items()}
        self._languages = languages_of(sources)
        self._question = SourceText(question)
        self._holders: dict[str, Sequence[int]] = {}
        self._near: dict[str, str] = {}

    def holders(self, fact: str) -> Sequence[int]:
        """The numbers of the sources that hold a fact, in order."""
        # An answer repeats its names, and every digit that it counts with.
        if fact not in self._holders:
            forms = (fact, *DIGIT_WORDS.get(fact, ()))
            self._holders[fact] = [
                n
                for n, source in self._sources.items()
                if any(map(source.holds, forms)) or source.holds_with_unit(fact)
            ]
        return self._holders[fact]

    def check_sentence(self, sentence: str) -> tuple[list[Doubt], list[int]]:
        """Doubts about the facts that no source has, and the sources that a sentence should cite as well."""
        cited = {int(n) for n in CITATION.findall(sentence)}
        findings: list[Doubt] = []
        missing: list[int] = []
        # "There is no `--night-owl`" needs no source that has the name. In any other sentence the question proves
        # nothing: a "yes" to a name that the reader made up would be shown as if the docs said so.
        is_lack = is_negated_in(sentence, self._languages) or tells_lack(sentence, self._languages)
        for start, end in facts_of(sentence):
            fact = sentence[start:end]
            holders = self.holders(fact)
            if not holders and not (is_lack and self._question.holds(fact)):
                findings.append(Doubt(start, end, "not-in-sources", self._near_name(fact)))
            # If the fact is in a source that the sentence does not cite, the fact is right and a citation is missing.
            # Single digits are left out: they are in many sources, and mean something else there.
            elif cited and len(fact) > 1 and holders and not cited.intersection(holders):
                missing += [] if holders[0] in missing else [holders[0]]
        prose = SPAN.sub(lambda span: " " * len(span[0]), sentence)
        placeholders = [placeholder for placeholder in PLACEHOLDER.finditer(prose) if not self.holders(placeholder[0])]
        findings += [Doubt(placeholder.start(), placeholder.end(), "no-number") for placeholder in placeholders]
        return findings, missing

    def check_code(self, line: str) -> list[Doubt]:
        """The words of a line of code that no source has."""
        # A comment is prose of the model's own.
        code = COMMENT.sub(lambda comment: " " * len(comment[0]), line)
        return [
            Doubt(word.start(), word.end(), "not-in-sources", self._near_name(word[0]))
            for word in CODE_WORD.finditer(code)
            if len(word[0]) >= SHORTEST_NAME and not self.holders(word[0])
        ]

    def _near_name(self, fact: str) -> str:
        """The name of the sources that is nearest to a fact; "" if none is near."""
        # A text with so many wrong names is not shown: the first ones are enough, since each is compared with all.
        if fact not in self._near and len(self._near) < SUGGESTED_MOST:
            near = process.extractOne(fact, self._names, scorer=fuzz.ratio, score_cutoff=NEAR)
            self._near[fact] = near[0] if near else ""
        return self._near.get(fact, "")

    @cached_property
    def _names(self) -> list[str]:
        """The names that a misspelled fact may have meant: everything in the sources that looks like code."""
        texts = self._texts.values()
        return sorted({fact[0] for text in texts for fact in FACT.finditer(text) if not fact[0][0].isdigit()})


def facts_of(sentence: str) -> Iterator[tuple[int, int]]:
    """Where the facts of a sentence of Markdown begin and end: words of inline code, and in prose what looks like code.

    They come in order.
    """
    numbered = NUMBERED.match(sentence)
    at = numbered.end() if numbered else 0
    prose = _prose_of(sentence)
    for span in SPAN.finditer(sentence, at):
        yield from _in_prose(prose, at, span.start())
        start = span.start(1)
        for word in re.finditer(r"\S+", span[1]):
            if text := word[0].strip("\"',;:<>[]{}"):
                offset = start + word.start() + word[0].index(text)
                yield offset, offset + len(text)
        at = span.end()
    yield from _in_prose(prose, at, len(sentence))


def _prose_of(sentence: str) -> str:
    """A sentence in which code, citations, addresses and numbers of steps are replaced, each by as many characters."""
    # The numbers of citations and of the answer's own steps are no facts, and the gate has looked addresses up. Code
    # becomes backticks and not blanks, since no address and no step goes on beyond it.
    prose = SPAN.sub(lambda span: "`" * len(span[0]), sentence)
    for pattern in (ELSEWHERE, COUNTED):
        prose = pattern.sub(lambda match: " " * len(match[0]), prose)
    return prose


def _in_prose(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The facts between two characters of a sentence, outside of inline code."""
    for fact in FACT.finditer(prose, start, end):
        if LOOKS_LIKE_CODE.fullmatch(fact[0]) and fact[0].lower() not in SHORT_FORMS:
            yield fact.span()
