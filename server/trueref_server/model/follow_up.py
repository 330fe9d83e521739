"""Finds out what to search for after a model's first pass: what it says is missing, and what its sources lack.

One search is made for this. If it finds sections that are likely enough to answer, the model goes on with them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.checking.facts import CITATION
from trueref_server.records import CheckedReference, Mark, Source

SENTENCES_MOST: Final = 2
NAMES_MOST: Final = 4
LONGEST: Final = 300
"""Characters that are searched."""

# Bounded gaps: each match looks a fixed number of characters ahead. What is missing stands behind it.
MISSING = re.compile(
    r"\b(?:not|n['’]t|no|nothing|neither)\b[^.\n]{0,40}?"
    r"\b(?:mention|cover|contain|say|said|state|specif|provide|describ|explain|information|detail|document)\w{0,8}"
    r"|\b(?:is|are)\s+(?:missing|unclear|not\s+known)\b",
    re.IGNORECASE,
)
WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class FollowUpSources:
    """The sources that a search added: the list as the reader sees them, and as the model reads them."""

    listed: tuple[Source, ...]
    sources: tuple[ModelSource, ...]


Search = Callable[[str], Awaitable[FollowUpSources]]


def wanted(text: str, marks: Iterable[Mark], references: Iterable[CheckedReference]) -> str:
    """The text to search for after a first pass; "" if nothing is missing.

    Args:
        text: What the model wrote.
        marks: What its sources do not bear out.
        references: The links that it wrote.
    """
    parts = [*_missing(text), *_names(text, marks), *_links(references)]
    return " ".join(dict.fromkeys(parts))[:LONGEST].strip()


def _missing(text: str) -> Sequence[str]:
    """The text after `the sources do not say` or the like, or before it if nothing follows."""
    phrases: list[str] = []
    for start, end in split_sentences(text):
        sentence = CITATION.sub("", text[start:end])
        if match := MISSING.search(sentence):
            behind = sentence[match.end() :].strip(" .:;,\n")
            phrases.append(behind or sentence[: match.start()].strip())
    return [part for part in phrases if part][:SENTENCES_MOST]


def _names(text: str, marks: Iterable[Mark]) -> Sequence[str]:
    """The names that no source has: the check of facts marked them."""
    names = (text[mark.start : mark.end] for mark in marks if mark.code == "not-in-sources")
    return list(dict.fromkeys(names))[:NAMES_MOST]


def _links(references: Iterable[CheckedReference]) -> Sequence[str]:
    """The words of links into these docs that lead nowhere: what was meant, not where it was thought to be."""
    paths = (
        reference.given
        for reference in references
        if reference.decision == "removed" and reference.status == "unlinked"
    )
    # Its words, and not the address: that was invented.
    return [" ".join(WORD.findall(path)) for path in dict.fromkeys(paths)][:NAMES_MOST]
