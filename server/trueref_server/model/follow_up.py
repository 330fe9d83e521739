"""Makes the query of a second search: what the text of the first pass says is missing, and what its sources lack.

If that search finds sections that are likely enough to answer, the model continues with them.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from trueref_core.text.sentences import split_sentences
from trueref_server.corpus.words import as_written
from trueref_server.model.asking.numbered_sources import ModelSource
from trueref_server.model.checking.facts import CITATION
from trueref_server.records import CheckedReference, Mark, Source

MAX_SENTENCES: Final = 2
MAX_NAMES: Final = 4
QUERY_LONGEST: Final = 300
"""The most characters of the query."""

# What is missing stands behind the match. The gaps are bounded, so that each match looks a fixed number of characters
# ahead.
MISSING = re.compile(
    r"\b(?:not|n['’]t|no|nothing|neither)\b[^.\n]{0,40}?"
    r"\b(?:mention|cover|contain|say|said|state|specif|provide|describ|explain|information|detail|document)\w{0,8}"
    r"|\b(?:is|are)\s+(?:missing|unclear|not\s+known)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FollowUpSources:
    """The sources that a follow-up search added: `listed` for the reader, and `sources` for the model."""

    listed: tuple[Source, ...]
    sources: tuple[ModelSource, ...]


Search = Callable[[str], Awaitable[FollowUpSources]]


def follow_up_query(text: str, marks: Iterable[Mark], references: Iterable[CheckedReference]) -> str:
    """The query of the search after a first pass; "" if nothing is missing.

    Args:
        text: What the model wrote.
        marks: The marks of the checks, such as those of names that no source has.
        references: The links that the model wrote, as the gate checked them.
    """
    parts = [*_missing_phrases(text), *_unknown_names(text, marks), *_dead_link_words(references)]
    return " ".join(dict.fromkeys(parts))[:QUERY_LONGEST].strip()


def _missing_phrases(text: str) -> Sequence[str]:
    """The phrases after `the sources do not say` or the like, or before it if nothing follows."""
    phrases: list[str] = []
    for start, end in split_sentences(text):
        sentence = CITATION.sub("", text[start:end])
        if match := MISSING.search(sentence):
            behind = sentence[match.end() :].strip(" .:;,\n")
            phrases.append(behind or sentence[: match.start()].strip())
    return [phrase for phrase in phrases if phrase][:MAX_SENTENCES]


def _unknown_names(text: str, marks: Iterable[Mark]) -> Sequence[str]:
    """The names that no source has: the check of facts marked them."""
    names = (text[mark.start : mark.end] for mark in marks if mark.code == "not-in-sources")
    return list(dict.fromkeys(names))[:MAX_NAMES]


def _dead_link_words(references: Iterable[CheckedReference]) -> Sequence[str]:
    """The words of links into these docs that lead nowhere: they say what the model meant."""
    paths = (
        reference.given
        for reference in references
        if reference.decision == "removed" and reference.status == "unlinked"
    )
    # The words only: the address itself is invented.
    return [" ".join(as_written(path)) for path in dict.fromkeys(paths)][:MAX_NAMES]
