"""The facts of an answer, against the sources it was written from: what these do not hold is marked.

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

from trueref_server.model.negation import is_negated, tells_lack
from trueref_server.model.numbered_sources import ModelSource

NEAR: Final = 75
"""The ratio (0 to 100) from which a name is near enough to another to be suggested."""

SHORTEST_NAME: Final = 3

NOT_IN_SOURCES: Final = "not in the sources"
"""What the reason of a mark begins with, where a name or a number stands in no source."""

NO_NUMBER: Final = "the number of a source is missing"

SPAN = re.compile(r"(?<!`)`([^`\n]{1,300})`(?!`)")
CITATION = re.compile(r"\[(\d{1,3})\]")
ELSEWHERE = re.compile(r"\[\d{1,3}\]|\]\([^()\s]{1,2048}\)")
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
"""What of these counts outside of inline code: neither `and/or` nor `well-known`."""

DIGIT_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    digit: tuple(words.split())
    for digit, words in zip(
        "0123456789",
        ("zero no none", "one once single", "two twice both", *"three four five six seven eight nine".split()),
        strict=True,
    )
}
"""How English docs write a single digit: an answer may say 5 where they say five."""

WITH_UNIT = re.compile(r"(\d+(?:[.,]\d+)*)([A-Za-z]{1,3})", re.ASCII)
"""A number with its unit, as `5s` or `2MB`."""

UNIT = re.compile(r"-|[A-Za-z]{1,3}(?![\w])", re.ASCII)
"""What may stand right behind a number that a text has: `5-minute`, `5s`, `2MB`."""

RANGE = re.compile(r"-\d", re.ASCII)
"""What stands before the end of a range, the nearest character first."""

SHORT_FORMS: Final = frozenset(("e.g", "i.e", "a.k.a", "etc"))

CODE_WORD = re.compile(r"--?[A-Za-z][\w-]*|[A-Za-z_][\w.-]*|\d+(?:\.\d+)+", re.ASCII)
COMMENT = re.compile(r"(?:^|\s)(?:#|//)\s.*$")
WORD_CHARACTER = re.compile(r"[\w-]")


@dataclass(frozen=True, slots=True)
class Fact:
    """Characters `start` to `end` of a sentence, and what stands there."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """What is to be said of characters `start` to `end` of a sentence or a line."""

    start: int
    end: int
    reason: str


class FactChecker:
    """Looks facts up in the sources of an answer.

    Args:
        sources: What the model was given.
        question: What the reader asked: a sentence that says what is not so may have its names.
    """

    def __init__(self, sources: Sequence[ModelSource], question: str) -> None:
        self._texts: Mapping[int, str] = {
            source.n: f"{source.place}\n{source.version}\n{source.text}" for source in sources
        }
        self._question = question

    def holders(self, fact: str) -> list[int]:
        """The numbers of the sources that hold a fact, in order."""
        forms = (fact, *DIGIT_WORDS.get(fact, ()))
        return [
            n
            for n, text in self._texts.items()
            if any(holds(text, form) for form in forms) or _holds_with_unit(text, fact)
        ]

    def check_sentence(self, sentence: str) -> tuple[list[Finding], list[int]]:
        """What no source holds, and the sources that a sentence should cite besides those it does."""
        cited = {int(n) for n in CITATION.findall(sentence)}
        findings: list[Finding] = []
        missing: list[int] = []
        # "There is no `--night-owl`" needs no source that has the name. Anywhere else a question bears nothing out: a
        # "yes" to a name that its reader made up would be shown as if the docs said so.
        asked = self._question if is_negated(sentence) or tells_lack(sentence) else ""
        for fact in facts_of(sentence):
            holders = self.holders(fact.text)
            if not holders and not holds(asked, fact.text):
                findings.append(Finding(fact.start, fact.end, self._reason(fact.text)))
            # The fact stands in a source which the sentence does not cite: that is a missing citation, not a wrong
            # fact.
            # A single digit stands in many sources for something else.
            elif cited and len(fact.text) > 1 and holders and not cited.intersection(holders):
                missing += [] if holders[0] in missing else [holders[0]]
        prose = SPAN.sub(lambda span: " " * len(span[0]), sentence)
        placeholders = [placeholder for placeholder in PLACEHOLDER.finditer(prose) if not self.holders(placeholder[0])]
        findings += [Finding(placeholder.start(), placeholder.end(), NO_NUMBER) for placeholder in placeholders]
        return findings, missing

    def check_code(self, line: str) -> list[Finding]:
        """The words of a line of code that no source has."""
        # A comment is prose of the model's own.
        code = COMMENT.sub(lambda comment: " " * len(comment[0]), line)
        return [
            Finding(word.start(), word.end(), self._reason(word[0]))
            for word in CODE_WORD.finditer(code)
            if len(word[0]) >= SHORTEST_NAME and not self.holders(word[0])
        ]

    def _reason(self, fact: str) -> str:
        """The reason of a mark, with the name of the sources that is nearest, if one is near."""
        near = process.extractOne(fact, self._names, scorer=fuzz.ratio, score_cutoff=NEAR)
        return f"{NOT_IN_SOURCES}: did you mean {near[0]}?" if near else NOT_IN_SOURCES

    @cached_property
    def _names(self) -> list[str]:
        """What a misspelled fact may have meant: all that looks like code in the sources."""
        texts = self._texts.values()
        return sorted({fact[0] for text in texts for fact in FACT.finditer(text) if not fact[0][0].isdigit()})


def facts_of(sentence: str) -> Iterator[Fact]:
    """The facts of a sentence of Markdown, in order: inline code by its words, and in prose what looks like code."""
    numbered = NUMBERED.match(sentence)
    at = numbered.end() if numbered else 0
    for span in SPAN.finditer(sentence, at):
        yield from _in_prose(sentence, at, span.start())
        start = span.start(1)
        for word in re.finditer(r"\S+", span[1]):
            if text := word[0].strip("\"',;:<>[]{}"):
                offset = start + word.start() + word[0].index(text)
                yield Fact(offset, offset + len(text), text)
        at = span.end()
    yield from _in_prose(sentence, at, len(sentence))


def _in_prose(sentence: str, start: int, end: int) -> Iterator[Fact]:
    """The facts between two characters of a sentence, outside of inline code."""
    # Citations are no numbers, nor are those of the answer's own steps, and addresses were looked up by the gate; what
    # replaces them keeps every place.
    prose = sentence[:end]
    for pattern in (ELSEWHERE, COUNTED):
        prose = pattern.sub(lambda match: " " * len(match[0]), prose)
    for fact in FACT.finditer(prose, start):
        if LOOKS_LIKE_CODE.fullmatch(fact[0]) and fact[0].lower() not in SHORT_FORMS:
            yield Fact(fact.start(), fact.end(), fact[0])


def holds(text: str, fact: str) -> bool:
    """Whether a text has a fact, not as a part of a longer name or number. Case counts only where the fact has some.

    A name without a dot may be a part of a dotted one: `app.run` has `run`, and `my.config.yml` no `config.yml`. A
    whole number may begin a version: docs of Python 3.11 are docs of Python 3. It may also have a unit behind it or a
    name before it, as in `5-minute`, `2MB` and `python3`.
    """
    if fact.islower():
        text = text.lower()
    is_dotted, is_number = "." in fact, fact.isascii() and fact.isdigit()
    at = text.find(fact)
    while at >= 0:
        end = at + len(fact)
        # Characters beside the fact, the nearest one first.
        before, after = text[max(0, at - 2) : at][::-1], text[end : end + 2]
        if is_number:
            before = "" if before[:1].isalpha() or RANGE.match(before) else before
            after = "" if UNIT.match(text, end) else after
        if not (_goes_on(fact[0], before, is_dotted or fact[0].isdigit()) or _goes_on(fact[-1], after, is_dotted)):
            return True
        at = text.find(fact, at + 1)
    return False


def _holds_with_unit(text: str, fact: str) -> bool:
    """Whether a text has a number with its unit in another spelling: `2 MB` for `2MB`, `5 seconds` for `5s`."""
    parts = WITH_UNIT.fullmatch(fact)
    if parts is None:
        return False
    number, unit = map(re.escape, parts.groups())
    return re.search(rf"(?<![\w.,]){number}[ -]?{unit}", text, re.IGNORECASE) is not None


def _goes_on(edge: str, beyond: str, over_dot: bool) -> bool:
    """Whether a name or a number goes on beyond its edge.

    Args:
        edge: Its first or last character.
        beyond: The two characters next to it, the nearest one first; fewer where the text ends.
        over_dot: Whether it goes on with a dot that a word follows; the full stop of a sentence never goes on.
    """
    if not (beyond and WORD_CHARACTER.match(edge)):
        return False
    following = beyond[1:] if beyond[0] == "." and over_dot else beyond[0]
    return WORD_CHARACTER.match(following) is not None
