"""The sources as a model reads them: with the numbers that the reader sees, and without addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trueref_server.answering.context import ContextSection
    from trueref_server.records import SectionAt, Source

ADDRESS = re.compile(r"<?https?://[^\s<>`]{1,2000}>?", re.IGNORECASE)
"""An address in the prose of a source, perhaps between angle brackets."""

CODE = re.compile(r"(^`{3,}[^\n]*\n.*?^`{3,}[ ]*$|(?<!`)`[^`\n]{1,2000}`(?!`))", re.MULTILINE | re.DOTALL)
"""Blocks of code and inline code."""

BETWEEN_NAMES = " › "
SOURCE_TAG = re.compile(r"<(?=/?source\b)", re.IGNORECASE)
"""The `<` of a tag by which the text of a source could end the source, or begin another, in the prompt."""


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A source of a prompt. `n` is its number in the answer, `place` the titles of its page and section.

    `stands` is "" for a section that the search found. A section that is there because another source refers to it has
    its position beside that source on the page, such as `before 1`. `language` is that of the page, "" if the page
    names none.
    """

    n: int
    place: str
    kind: str
    version: str
    text: str
    stands: str = ""
    language: str = ""


def model_sources(
    listed: Sequence[Source], context: Sequence[ContextSection], numbers: Mapping[SectionAt, int]
) -> tuple[ModelSource, ...]:
    """The sections of a context, under the numbers that they have in the reader's list of sources.

    A section that is not in the list is left out, since the reader could not open it.

    Args:
        listed: The numbered sources that the reader sees.
        context: The sections, best first, within their budget of tokens.
        numbers: The numbers of the sections. Their addresses do not tell them apart: two sites of an index may have
            a page under one address.
    """
    sections = {numbers.get((section.site, section.page, section.anchor)): section for section in context}
    return tuple(
        ModelSource(
            n=source.n,
            place=_attribute(BETWEEN_NAMES.join(filter(None, (source.title, source.section)))),
            kind=_attribute(source.kind),
            version=_attribute(sections[source.n].version),
            text=_readable(sections[source.n].text),
            stands=_position_beside_source(sections[source.n], numbers),
            language=sections[source.n].language,
        )
        for source in sorted(listed, key=lambda source: source.n)
        if source.n in sections
    )


def languages_of(sources: Sequence[ModelSource]) -> frozenset[str]:
    """The languages of the sources, in which an answer from them is mostly written, too."""
    return frozenset(source.language for source in sources)


def _position_beside_source(section: ContextSection, numbers: Mapping[SectionAt, int]) -> str:
    """The position of a section beside the numbered source that refers to it; "" if the search found the section."""
    neighbours = (("before", section.before), ("behind", section.behind))
    return next((f"{side} {numbers[key]}" for side, key in neighbours if key is not None and key in numbers), "")


def _readable(text: str) -> str:
    """A text for a `<source>` element: without addresses outside of code, which a model would repeat."""
    # An address in code is a value, such as the default of an option, and no link.
    parts = CODE.split(text)
    bare = "".join(part if index % 2 else ADDRESS.sub("", part) for index, part in enumerate(parts))
    # A page that shows `</source>` would end its source in the prompt: what follows would read as instructions.
    return SOURCE_TAG.sub("&lt;", bare).strip()


def _attribute(text: str) -> str:
    """A text as an attribute of the prompt: on one line, without double quotes and `<`."""
    return " ".join(text.replace('"', "'").replace("<", " ").split())
