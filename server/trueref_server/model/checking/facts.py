"""Looks up the facts of an answer in its sources, and reports those that no source has.

A fact is what a reader copies or relies on letter by letter: code, an option, a path, a file name, a version, a number.
This look-up finds most wrong answers of small models, and costs next to nothing.
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

SUGGESTED_SIMILARITY: Final = 75
"""A name is suggested in place of a wrong one if their similarity (0 to 100, of rapidfuzz) is at least this."""

MAX_SUGGESTED: Final = 200
"""At most this many wrong facts of an answer get a suggestion."""

SHORTEST_NAME: Final = 3

CODE_SPAN = re.compile(r"(?<!`)`([^`\n]{1,300})`(?!`)")
"""Inline code between single backticks."""

CITATION = re.compile(r"\[(\d{1,3})\]")
"""A citation of one source."""

CITATION_OR_LINK = re.compile(r"\[\d{1,3}\]|\]\([^()\s`]{1,2048}\)")
"""A citation, or the end of a link with its address: what stands there is no fact that the model states."""

PLACEHOLDER = re.compile(r"(?<![\w\]])\[(?!x\])[a-z]\](?!\()")
"""A letter instead of a number: a small model copies the `[n]` of its instructions. `[x]` marks a task as done."""

ITEM_NUMBER = re.compile(
    r"^\s{0,12}(?:(?:[-*+>]|#{1,6})\s{1,4})?\*{0,2}\d{1,3}[.):](?=[\s*]|$)"  # an item of a list, or a heading
    r"|^\s{0,12}\|\s{0,12}\d{1,3}\s{0,12}\|"  # a row of a table
)
"""The number that an item of a list, a heading or a row of a table begins with."""

STEP_NUMBER = re.compile(
    r"\b(?:steps?|options?|methods?|examples?)\s{1,3}\d(?:\s{0,3}(?:[-–,]|to|and|or)\s{0,3}\d)?\b"
    r"|\b\d\s{1,3}steps?\b|\(\d\)",
    re.IGNORECASE,
)
"""How an answer numbers its own steps: `step 2`, `in 3 steps`, `(1)`."""

# A group that repeats begins with other characters than the part before it ends in, so that a match takes linear time.
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
"""The words of English docs for a single digit: an answer may say 5 where the docs say five."""

SHORT_FORMS: Final = frozenset(("e.g", "i.e", "a.k.a", "etc"))

CODE_WORD = re.compile(r"--?[A-Za-z][\w-]*|[A-Za-z_][\w.-]*|\d+(?:\.\d+)+", re.ASCII)
"""A word in a line of code: an option, a name, perhaps with dots, or a version."""

COMMENT = re.compile(r"(?:^|\s)(?:#|//)\s.*$")
"""A comment in a line of code, up to its end."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubt about characters `start` to `end` of a sentence or line. `suggestion` is the name that may be meant."""

    start: int
    end: int
    code: MarkCode
    suggestion: str = ""


class FactChecker:
    """Looks facts up in the sources of an answer.

    Args:
        sources: The sources that the model read.
        question: What the reader asked. A sentence that denies that something exists may repeat a name from it.
    """

    def __init__(self, sources: Sequence[ModelSource], question: str) -> None:
        self._texts: Mapping[int, str] = {
            source.n: f"{source.place}\n{source.version}\n{source.text}" for source in sources
        }
        self._sources: Mapping[int, SourceText] = {n: SourceText(text) for n, text in self._texts.items()}
        self._languages = languages_of(sources)
        self._question = SourceText(question)
        self._sources_with: dict[str, Sequence[int]] = {}
        self._suggestions: dict[str, str] = {}

    def sources_with(self, fact: str) -> Sequence[int]:
        """The numbers of the sources that hold a fact, in order."""
        # Kept, since an answer repeats its names and its digits.
        if fact not in self._sources_with:
            forms = (fact, *DIGIT_WORDS.get(fact, ()))
            self._sources_with[fact] = [
                n
                for n, source in self._sources.items()
                if any(map(source.holds, forms)) or source.holds_with_unit(fact)
            ]
        return self._sources_with[fact]

    def check_sentence(self, sentence: str) -> tuple[list[Doubt], list[int]]:
        """The doubts about facts that no source has, and the sources that a sentence should cite as well."""
        cited = {int(n) for n in CITATION.findall(sentence)}
        doubts: list[Doubt] = []
        missing_citations: list[int] = []
        # "There is no `--night-owl`" needs no source that has the name, only a question that has it. In any other
        # sentence the question proves nothing: a "yes" to a name that the reader made up would look as if the docs said
        # so.
        is_lack = is_negated_in(sentence, self._languages) or tells_lack(sentence, self._languages)
        for start, end in facts_of(sentence):
            fact = sentence[start:end]
            sources_with = self.sources_with(fact)
            if not sources_with and not (is_lack and self._question.holds(fact)):
                doubts.append(Doubt(start, end, "not-in-sources", self._near_name(fact)))
            # If a source has the fact and the sentence does not cite it, the fact is right and a citation is missing.
            # Single digits are left out, since many sources have them with another meaning.
            elif cited and len(fact) > 1 and sources_with and not cited.intersection(sources_with):
                missing_citations += [] if sources_with[0] in missing_citations else [sources_with[0]]
        prose = CODE_SPAN.sub(lambda span: " " * len(span[0]), sentence)
        placeholders = [
            placeholder for placeholder in PLACEHOLDER.finditer(prose) if not self.sources_with(placeholder[0])
        ]
        doubts += [Doubt(placeholder.start(), placeholder.end(), "no-number") for placeholder in placeholders]
        return doubts, missing_citations

    def check_code(self, line: str) -> list[Doubt]:
        """The words of a line of code that no source has."""
        # Comments are left out: they are the model's own prose.
        code = COMMENT.sub(lambda comment: " " * len(comment[0]), line)
        return [
            Doubt(word.start(), word.end(), "not-in-sources", self._near_name(word[0]))
            for word in CODE_WORD.finditer(code)
            if len(word[0]) >= SHORTEST_NAME and not self.sources_with(word[0])
        ]

    def _near_name(self, fact: str) -> str:
        """The name of the sources that is nearest to a fact; "" if none is near."""
        # Bounded, since each wrong name is compared with all names of the sources; a text with more is not shown
        # anyway.
        if fact not in self._suggestions and len(self._suggestions) < MAX_SUGGESTED:
            near = process.extractOne(fact, self._names, scorer=fuzz.ratio, score_cutoff=SUGGESTED_SIMILARITY)
            self._suggestions[fact] = near[0] if near else ""
        return self._suggestions.get(fact, "")

    @cached_property
    def _names(self) -> list[str]:
        """The names that a misspelled fact may have meant: everything in the sources that looks like code."""
        texts = self._texts.values()
        return sorted({fact[0] for text in texts for fact in FACT.finditer(text) if not fact[0][0].isdigit()})


def facts_of(sentence: str) -> Iterator[tuple[int, int]]:
    """Where the facts of a sentence of Markdown begin and end: words of inline code, and in prose what looks like code.

    They come in order.
    """
    numbered = ITEM_NUMBER.match(sentence)
    at = numbered.end() if numbered else 0
    prose = _prose_of(sentence)
    for span in CODE_SPAN.finditer(sentence, at):
        yield from _prose_facts(prose, at, span.start())
        start = span.start(1)
        for word in re.finditer(r"\S+", span[1]):
            if text := word[0].strip("\"',;:<>[]{}"):
                offset = start + word.start() + word[0].index(text)
                yield offset, offset + len(text)
        at = span.end()
    yield from _prose_facts(prose, at, len(sentence))


def _prose_of(sentence: str) -> str:
    """A sentence in which code, citations, addresses and numbers of steps are replaced, each by as many characters."""
    # The numbers of citations and steps are no facts, and the gate has checked the addresses. Code becomes backticks,
    # not blanks, so that no address and no step is matched across it.
    prose = CODE_SPAN.sub(lambda span: "`" * len(span[0]), sentence)
    for pattern in (CITATION_OR_LINK, STEP_NUMBER):
        prose = pattern.sub(lambda match: " " * len(match[0]), prose)
    return prose


def _prose_facts(prose: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The facts between two characters of a sentence, outside of inline code."""
    for fact in FACT.finditer(prose, start, end):
        if LOOKS_LIKE_CODE.fullmatch(fact[0]) and fact[0].lower() not in SHORT_FORMS:
            yield fact.span()
