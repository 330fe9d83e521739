"""What ranking knows of a generation besides its tables: how common words are, and sections as lists of stems.

A generation of up to `SECTIONS_HELD` sections is held in memory whole, and read when it is opened: 0.3 s for 5,000
chunks. Of a larger one the words of a sample are counted, and sections are read when a search finds them.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeVar

from trueref_core.records import Chunk
from trueref_core.tables.chunk_rows import SectionKey
from trueref_core.text.identifiers import identifiers, parts
from trueref_core.text.word_forms import LONGEST, language_of
from trueref_server.corpus.page_boosts import PageAt, weights_of
from trueref_server.corpus.spelling import Vocabulary
from trueref_server.corpus.words import stem, words

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex

Key = TypeVar("Key")
Value = TypeVar("Value")

SectionAt = tuple[str, str, str]
"""Site, page and anchor of a section."""

SECTIONS_HELD: Final = 20_000
"""Sections held in memory, some 300 MB; of a larger index these many were found last, and the statistics are theirs."""

PAGES_HELD: Final = 5_000
"""Pages of a large index whose links are held: of a small one all are."""

CHUNKS_MOST: Final = 60
"""Chunks of a section that are read, those around the one that was found: some 40,000 characters. A page without
headings is one section, and a change log can have thousands."""

READ_AT_ONCE: Final = 200
"""Sections that are read before other readers have their turn: a whole index takes longer than they should wait."""

JOINED_MOST: Final = 4
"""Words that make up one identifier at most, where a question writes them apart."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section as ranking sees it. `title`, `path` and `body` are stems in the order of the text.

    `path` is the breadcrumb with the address of the page. `size` counts the characters of the text.
    """

    chunks: tuple[Chunk, ...]
    title: tuple[str, ...]
    path: tuple[str, ...]
    body: tuple[str, ...]
    size: int

    @classmethod
    def of(cls, chunks: Sequence[Chunk]) -> Section:
        """The section that some chunks make up, in the order of the page."""
        first = chunks[0]
        language = first.language
        # What a chunk repeats of the one before is read once.
        texts = [chunk.text[chunk.overlap :] for chunk in chunks]
        leads = [chunk.lead_in for chunk in chunks if chunk.lead_in]
        return cls(
            tuple(chunks),
            _stems(first.title, language),
            _stems(" ".join([*dict.fromkeys(first.breadcrumb), first.page]), language),
            tuple(chain.from_iterable(_stems(text, language) for text in chain(texts, leads))),
            sum(map(len, texts)),
        )

    @property
    def text(self) -> str:
        """Titles and text, in small letters, for what is looked for as it is written."""
        first = self.chunks[0]
        return "\n".join([first.anchor, first.title, *(chunk.text for chunk in self.chunks)]).lower()


@dataclass
class Statistics:
    """How common the words of an index are.

    `sections` were counted. `held` says in how many of them a stem occurs, `words` the same of words as written, and
    `names` are the identifiers by their letters and digits alone.
    """

    sections: int = 0
    length: float = 1.0
    held: Counter[str] = field(default_factory=Counter[str])
    words: Counter[str] = field(default_factory=Counter[str])
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words as written, for finding the one that a mistyped word means."""
        return Vocabulary(self.words)

    @classmethod
    def of(cls, sections: Iterable[Section]) -> Statistics:
        """Count the words of some sections."""
        counted = cls()
        total = 0
        for section in sections:
            counted.sections += 1
            total += len(section.body)
            counted.held.update({*section.title, *section.path, *section.body})
            texts = [section.chunks[0].title, *(chunk.text for chunk in section.chunks)]
            counted.words.update(frozenset(chain.from_iterable(words(text[:LONGEST]) for text in texts)))
            for alias in chain.from_iterable(chunk.aliases for chunk in section.chunks):
                if any(True for _ in identifiers(alias)) and 1 < len(parts(alias)) <= JOINED_MOST:
                    counted.names["".join(parts(alias)).lower()].add(alias)
        counted.length = total / max(1, counted.sections)
        return counted


class Corpus:
    """The sections of one generation with their statistics.

    Args:
        statistics: Of all sections, or of a sample.
        sections: Those that are held; the least lately used leave where there are too many.
        links: Where links in the text of each section lead; None where they are read when they are wanted.
        weights: What the build adds to the scores of pages, of those that it gave a weight.
    """

    def __init__(
        self,
        statistics: Statistics,
        sections: Mapping[SectionKey, Section],
        links: Mapping[SectionAt, Collection[SectionAt]] | None = None,
        weights: Mapping[PageAt, float] = MappingProxyType({}),
    ) -> None:
        self.statistics = statistics
        self.weights = weights
        self._sections = OrderedDict(sections)
        self._links = links
        self._pages: OrderedDict[tuple[str, str], dict[SectionAt, set[SectionAt]]] = OrderedDict()

    @classmethod
    async def of(cls, index: OpenIndex) -> Corpus:
        """Read the sections of an open generation: all, or a sample that is the same for the same content.

        The indexes of its tables are brought into memory too, so that the first question takes no longer than others.
        """
        await index.table.warm()
        keys = sorted(index.rows.sections)
        is_small = len(keys) <= SECTIONS_HELD
        if not is_small:
            step = len(keys) / SECTIONS_HELD
            keys = [keys[int(place * step)] for place in range(SECTIONS_HELD)]
        sections = await _read(index, dict.fromkeys(keys, ""))
        statistics = await asyncio.to_thread(Statistics.of, sections.values())
        links = _by_section(await index.table.links()) if is_small else None
        return cls(statistics, sections, links, await asyncio.to_thread(weights_of, index.manifest))

    async def sections(self, index: OpenIndex, around: Mapping[SectionKey, str]) -> dict[SectionKey, Section]:
        """Some sections; unknown ones are left out.

        Args:
            index: The generation that this is of.
            around: By site and section id, the id of the chunk that was found: of a very long section its neighbours
                are read.
        """
        # Of a very long section the place that was found is read, each time: it may be another one.
        long = {key: chunk for key, chunk in around.items() if index.rows.size_of(key) > CHUNKS_MOST}
        held = {key: self._sections[key] for key in around if key in self._sections and key not in long}
        missing = {key: chunk for key, chunk in around.items() if key not in held}
        # Held ones are taken before anything is waited for: another question may drop them meanwhile.
        found = held | (await _read(index, missing) if missing else {})
        _hold(self._sections, {key: section for key, section in found.items() if key not in long}, SECTIONS_HELD)
        return {key: found[key] for key in around if key in found}

    async def links(self, index: OpenIndex, places: Collection[SectionAt]) -> Mapping[SectionAt, Collection[SectionAt]]:
        """Where links in the text of some sections lead."""
        links = self._links
        if links is None:
            pages = {place[:2] for place in places}
            found = {page: self._pages[page] for page in pages if page in self._pages}
            read = _by_section(await index.table.links(pages - found.keys()))
            found |= {page: {} for page in pages - found.keys()}
            for place, targets in read.items():
                found[place[:2]][place] = targets
            _hold(self._pages, found, PAGES_HELD)
            links = {place: targets for of_page in found.values() for place, targets in of_page.items()}
        return {place: links[place] for place in places if place in links}


def _hold(held: OrderedDict[Key, Value], found: Mapping[Key, Value], most: int) -> None:
    """Put what was found behind all else, and let go of what was found least lately."""
    for key, value in found.items():
        held[key] = value
        held.move_to_end(key)
    while len(held) > most:
        held.popitem(last=False)


def _by_section(links: Iterable[tuple[str, str, str, str, str]]) -> dict[SectionAt, set[SectionAt]]:
    found: dict[SectionAt, set[SectionAt]] = defaultdict(set)
    for site, page, anchor, to_page, to_anchor in links:
        found[site, page, anchor].add((site, to_page, to_anchor))
    return found


async def _read(index: OpenIndex, around: Mapping[SectionKey, str]) -> dict[SectionKey, Section]:
    sections: dict[SectionKey, Section] = {}
    left = list(around.items())
    for start in range(0, len(left), READ_AT_ONCE):
        found = await index.sections(dict(left[start : start + READ_AT_ONCE]), most=CHUNKS_MOST)
        sections |= await asyncio.to_thread(_sections, found)
    return sections


def _sections(found: Mapping[SectionKey, Sequence[Chunk]]) -> dict[SectionKey, Section]:
    return {key: Section.of(chunks) for key, chunks in found.items() if chunks}


def _stems(text: str, language: str) -> tuple[str, ...]:
    code = language_of(language)
    return tuple(stem(word, code) for word in words(text[:LONGEST]))
