"""The sources as a model reads them: numbered as the reader sees them, whole if they fit, and without addresses."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trueref_server.answering.context import ContextSection
    from trueref_server.records import SectionAt, Source

ADDRESS = re.compile(r"<?https?://[^\s<>`]{1,2000}>?", re.IGNORECASE)
CODE = re.compile(r"(^`{3,}[^\n]*\n.*?^`{3,}[ ]*$|(?<!`)`[^`\n]{1,2000}`(?!`))", re.MULTILINE | re.DOTALL)
"""Blocks of code and inline code."""

BETWEEN_NAMES = " › "
TAG = re.compile(r"<(?=/?source\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A source of a prompt. `n` is its number in the answer, `place` its page and section, `text` what it says.

    `stands` says beside which other source it stands on its page, as in `before 1`, if that other one refers to it.
    `language` is that of its page, "" if the page names none.
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
    """The sections of a context under the numbers that the reader's list of sources gives them.

    A section that the list does not have is left out: nobody could look at what it says.

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
            stands=_stands(sections[source.n], numbers),
            language=sections[source.n].language,
        )
        for source in sorted(listed, key=lambda source: source.n)
        if source.n in sections
    )


def languages_of(sources: Sequence[ModelSource]) -> frozenset[str]:
    """The languages of some sources, which are mostly those of an answer, too."""
    return frozenset(source.language for source in sources)


def _stands(section: ContextSection, numbers: Mapping[SectionAt, int]) -> str:
    """Where a section stands that is read since another one leans on it; "" for what was found."""
    beside = (("before", section.before), ("behind", section.behind))
    return next((f"{side} {numbers[key]}" for side, key in beside if key is not None and key in numbers), "")


def _readable(text: str) -> str:
    """Text without the addresses that a model would repeat; code stays whole. No text ends its own source."""
    # An address in code is a value, such as the default of an option, and no link.
    parts = CODE.split(text)
    bare = "".join(part if at % 2 else ADDRESS.sub("", part) for at, part in enumerate(parts))
    # A page that shows `</source>` would end its source in the prompt: what follows would read as instructions.
    return TAG.sub("&lt;", bare).strip()


def _attribute(text: str) -> str:
    """A text that may stand in an attribute of the prompt: on one line, and without its marks."""
    return " ".join(text.replace('"', "'").replace("<", " ").split())
