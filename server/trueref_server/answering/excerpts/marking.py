"""Marks the part of an excerpt that decides: a sentence, an item, a row or a line of code.

Readers look at it first, a folded card shows it as its only line, and the link of the card leads to it on the page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_core.text.table_rows import split_table
from trueref_server.answering.excerpts.code_excerpt import LEFT_OUT
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.sections.announcements import points_elsewhere
from trueref_server.corpus.words import words
from trueref_server.question.meaning import reads_as_entry
from trueref_server.records import ExcerptBlock

MIN_SENTENCE: Final = 20
"""A sentence with fewer characters tells nothing by itself."""

MIN_FIRST_WORDS: Final = 3
"""The fewest words of the first sentence of an entry that is asked for by its name."""

WORDS_SHARE: Final = 0.4
"""The weight of the share of the question's words that a part has, beside the similarity of its meaning. From .2 to .6
hardly anything changes (`docs/decisions/marks.md`)."""

NAMED_SHARE: Final = 0.4
LISTED: Final = ("list", "table")
"""The weight of how well an item or a row names what is asked for. Of a table of error codes every row is as near in
meaning to `E_SOCKET`, and only one of them has it. Of sentences below the name, those without it say what it is for."""

BASES: Final = re.compile(r"Bases: ")
"""The beginning of the line in which Sphinx names the classes that a class is derived from."""

_TYPE: Final = r"(?:[A-Z]|(?:str|int|float|bool|bytes|list|dict|tuple|set|frozenset|type|object|complex)\b)"

_SIGNATURE: Final = re.compile(
    rf"[\w.]{{1,200}}\(\s{{0,20}}(?:(?:self|cls|\*|/),\s{{1,20}})?\*{{0,2}}\w{{1,200}}: {_TYPE}|"
    rf"[\w.]{{1,200}}\([\s\w,*/]{{0,200}}\) -> |"
    rf"\w{{1,200}}: {_TYPE}[^\n=]{{0,200}}(?: = [^\n]*)?\Z"
)
"""The signature of a function, a class or an attribute in Python, as mkdocstrings writes it below the title: a call in
which a parameter or the result has a type, or a name with a type. It repeats the title and names types, and what
follows says what they are for."""

_ADDRESS: Final = re.compile(r"\W{0,3}(?:https?|ftp)://\S{1,2000}\Z")
"""A line that is nothing but an address: it may have the words of the question, and says nothing."""

ITEM_MARK: Final = re.compile(r"^(?:-|\d{1,5}\.) ")

Span = tuple[int, int]
"""The start and the end of a part in the text of its block."""

MarkablePart = tuple[int, Span]
"""The number of a block, and the span of a part in it."""

Similarities = Callable[[Sequence[str]], Sequence[float] | None]
"""How similar the meaning of each part is to the question, from -1 to 1; None if they cannot be compared."""

_PYTHON: Final = ("", "py", "python")
"""The languages that code in Python is given, or none. In YAML `theme: Material` has the form of a signature."""


def marked(
    blocks: Sequence[ExcerptBlock],
    relevance: Relevance,
    similarities: Similarities | None = None,
    *,
    is_entry_asked: bool = False,
) -> tuple[ExcerptBlock, ...]:
    """The blocks with a highlight on the part that decides; without one if no part can be compared with the question.

    With `similarities`, the meaning of a part counts, and the words that it shares with the question count less: the
    part that has most of the words often only repeats the question (`docs/decisions/marks.md`). Otherwise words decide.
    The first sentence below a term that is asked for by its name comes before all others, which lack the name as well,
    and so do the first one below a heading that is the question, and the one that says what the thing is whose meaning
    is asked for. With `is_entry_asked` nothing but an entry is asked for, so that the first sentence of its description
    is marked, or a later one that says what it is, and not a parameter in whose description the name is repeated.
    """
    # A section that begins with a list of definitions begins with the term of the first, and is none itself.
    is_entry_asked = is_entry_asked and bool(blocks) and not blocks[0].caption
    parts = [
        (number, span)
        for number, block in enumerate(blocks)
        for span in _markable_spans(block, is_first_whole=is_entry_asked)
    ]
    if is_entry_asked:
        parts = _saying_what_entry_is(blocks, parts, relevance) or parts
    if blocks and blocks[0].kind == "code" and _is_signature(blocks[0]):
        parts = [(number, span) for number, span in parts if number > 0] or parts
    texts = [_text_of(blocks, part) for part in parts]
    # By its meaning any other item of a list is as near as those of the things that are compared.
    if of_compared := [part for part, text in zip(parts, texts, strict=True) if relevance.names_compared(text)]:
        parts = of_compared
        texts = [_text_of(blocks, part) for part in parts]
    values = similarities(texts) if similarities and texts else None
    numbers = [number for number, _ in parts]
    below_question = next(
        (at for at, number in enumerate(numbers) if relevance.is_asked_by(blocks[number].caption)), None
    )
    below_term = below_question if below_question is not None else _first_below_term(blocks, numbers, relevance)
    defining = next((at for at, text in enumerate(texts) if relevance.is_defined_in(text)), None)
    # Below the title `Kiln`, `A furnace for clay.` says what it is, without a verb.
    if defining is None and relevance.is_title_asked and texts and reads_as_entry(texts[0]):
        defining = 0
    if below_term is not None:
        best = below_term
    elif defining is not None:
        best = defining
    elif is_entry_asked and len(parts) == 1:
        best = 0
    elif values is None:
        best = relevance.best(texts)
    else:
        # By its meaning any other combination of keys is as near as the one that is asked for.
        scores = [
            value
            + WORDS_SHARE * relevance.share(text)
            + NAMED_SHARE * (relevance.share_named(text) if blocks[number].kind in LISTED else 0.0)
            + relevance.count_keys(text)
            for value, text, number in zip(values, texts, numbers, strict=True)
        ]
        best = scores.index(max(scores))
    if best < 0:
        return tuple(blocks)
    number, span = parts[best]
    return tuple(replace(block, highlight=span) if at == number else block for at, block in enumerate(blocks))


def _saying_what_entry_is(
    blocks: Sequence[ExcerptBlock], parts: Sequence[MarkablePart], relevance: Relevance
) -> list[MarkablePart]:
    """The part that says what an entry is: the first of its description, unless a later one says so with its name.

    The name is repeated by the fields, and by notes. It is none of the parts if there are only fields.
    """
    described = [part for part in parts if not blocks[part[0]].caption]
    telling = [part for part in described if relevance.is_defined_in(_text_of(blocks, part))]
    is_told_first = bool(described) and reads_as_entry(_text_of(blocks, described[0]))
    return (described if is_told_first or not telling else telling)[:1]


def _text_of(blocks: Sequence[ExcerptBlock], part: MarkablePart) -> str:
    """The text of a part."""
    number, (start, end) = part
    return blocks[number].text[start:end]


def _is_signature(block: ExcerptBlock) -> bool:
    """Whether a block of code is a signature in Python, as far as its language is known."""
    return block.code_language in _PYTHON and _SIGNATURE.match(block.text) is not None


def _first_below_term(blocks: Sequence[ExcerptBlock], numbers: Sequence[int], relevance: Relevance) -> int | None:
    """The first part below a term that has an identifier of the question; None if none of several terms has one.

    Args:
        blocks: The blocks.
        numbers: By part, the number of its block.
        relevance: The relevance of texts to the question.
    """
    terms = {number: block.caption for number, block in enumerate(blocks) if block.kind == "definition"}
    asked = {number for number, term in terms.items() if relevance.has_identifier(term)}
    return next((at for at, number in enumerate(numbers) if number in asked), None) if len(terms) > 1 else None


def _markable_spans(block: ExcerptBlock, *, is_first_whole: bool = False) -> Iterator[Span]:
    """The sentences, items, rows or lines of a block that may be highlighted.

    With `is_first_whole` a short first sentence may be too: below the name of an entry `The current kiln.` says all.
    """
    # An admonition may consist of a list: the mark of an item is no part of what it says.
    is_list = block.kind == "list" or (block.kind == "admonition" and ITEM_MARK.match(block.text) is not None)
    if is_list or block.kind in ("code", "table"):
        header = sum(len(line) + 1 for line in split_table(block.text)[0]) if block.kind == "table" else 0
        offset = header
        for line in block.text[header:].split("\n"):
            visible = line.strip()
            if is_list:
                visible = ITEM_MARK.sub("", visible, count=1)
            if visible and visible != LEFT_OUT:
                start = offset + line.rindex(visible)
                yield start, start + len(visible)
            offset += len(line) + 1
    else:
        for number, (start, end) in enumerate(split_sentences(block.text)):
            sentence = block.text[start:end]
            # A sentence with a colon only announces the answer. Where it stands, or what a class is derived from, is
            # beside the question, but has its words.
            is_beside = BASES.match(sentence) or _ADDRESS.match(sentence)
            says_nothing = sentence.endswith(":") or points_elsewhere(sentence) or is_beside
            is_long = end - start >= MIN_SENTENCE
            if is_first_whole and number == 0:
                is_long = is_long or len(words(sentence)) >= MIN_FIRST_WORDS
            if is_long and not says_nothing:
                yield start, end
