"""The facts about a whole generation that ranking needs: how common each word is, and the stems of each section.

A generation of up to `SECTIONS_IN_MEMORY` sections is kept in memory whole, and read when it is opened: 0.3 s for 5,000
chunks. For a larger generation the words of a sample are counted, and sections are read when a search finds them.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Final

from cachetools import LRUCache

from trueref_core.page_weights import page_weight
from trueref_core.records import Chunk, PageKey
from trueref_core.tables.chunk_rows import SectionKey
from trueref_core.text.identifiers import identifiers, is_sign_name, parts
from trueref_core.text.key_combinations import key_name
from trueref_core.text.word_forms import MAX_CHARACTERS, language_of
from trueref_server.corpus.compilations import find_compilations, find_notices
from trueref_server.corpus.spelling import Vocabulary
from trueref_server.corpus.words import (
    compounds,
    hyphenated,
    hyphenated_names,
    numbered,
    stem,
    words,
    words_of_names,
    words_with_signs,
)
from trueref_server.records import SectionAt

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.manifest.lookup import Manifest


SECTIONS_IN_MEMORY: Final = 20_000
"""Sections kept in memory, some 300 MB. For a larger index these are the sections that were found last, and its
statistics are counted over a sample of as many."""

PAGES_IN_MEMORY: Final = 5_000
"""How many pages of a large index have their links in memory. A small index has all its links in memory."""

MAX_CHUNKS: Final = 60
"""The most chunks of a section that are read, around the chunk that was found: some 40,000 characters. A page without
headings is a single section, and a change log can have thousands of chunks."""

READ_AT_ONCE: Final = 200
"""Sections that are read at a time: readers should not have to wait until a whole index is read."""

MAX_JOINED: Final = 4
"""The most words that a question may write apart and that together are taken for one identifier."""


_ENTRY = re.compile(r"([A-Za-z]{5,40})( ?[(=:].{0,400})?")
"""Matches the title of an entry whose name is a word of letters, such as `mynetworks (default: empty)`."""

_PUNCTUATION: Final = ".,:;!?()\"'"
"""What may stand around a word of a title."""

HOME_PAGES: Final = ("", "index.html")
"""The addresses of the home page of a site."""

_AFTER_NAME: Final = re.compile(r"\s[-\u2013\u2014|\u00b7]\s|:\s")
"""What stands between a name and what it is, in the title of a home page."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section as ranking sees it. `title`, `path` and `body` are stems in the order of the text.

    `names` are the stems of the words of names in its code, each once: see `words_of_names`. The title of an entry is
    followed by those of its own name. `path` is the breadcrumb with the address of the page. `size` counts the
    characters of the text. `twin_key` is the twin key of the longest chunk, which is equal in sections that say the
    same. If that chunk is too short to have a twin, it is the chunk's id.
    """

    chunks: tuple[Chunk, ...]
    title: tuple[str, ...]
    path: tuple[str, ...]
    body: tuple[str, ...]
    names: tuple[str, ...]
    size: int
    twin_key: str

    @classmethod
    def of(cls, chunks: Sequence[Chunk]) -> Section:
        """The section that consists of these chunks, which are in the order of the page."""
        first = chunks[0]
        language = first.language
        # The overlap of a chunk repeats the end of the chunk before it: counted twice, its words would weigh double.
        texts = [chunk.text[chunk.overlap :] for chunk in chunks]
        # Apart from the text: names in different places of a chunk neither stand together nor make it longer.
        names = chain.from_iterable(
            words_of_names(text, is_code=chunk.kind == "code") for chunk, text in zip(chunks, texts, strict=True)
        )
        lead_ins = [chunk.lead_in for chunk in chunks if chunk.lead_in]
        longest = max(chunks, key=lambda chunk: len(chunk.text))
        return cls(
            tuple(chunks),
            _stems(" ".join([first.title, *words_of_names(first.title, is_code=first.kind == "definition")]), language),
            _stems(" ".join([*dict.fromkeys(first.breadcrumb), first.page]), language),
            tuple(chain.from_iterable(_stems(text, language) for text in chain(texts, lead_ins))),
            tuple(dict.fromkeys(_stems(" ".join(dict.fromkeys(names)), language))),
            sum(map(len, texts)),
            longest.twin_key or longest.id,
        )

    @property
    def text(self) -> str:
        """Anchor, title and text: quotations and identifiers are looked for in it letter by letter."""
        first = self.chunks[0]
        return "\n".join([first.anchor, first.title, *(chunk.text for chunk in self.chunks)])


@dataclass
class Statistics:
    """How common the words of an index are.

    Attributes:
        sections: How many sections were counted.
        length: The mean number of stems in a section's text.
        section_counts: Of each stem, in how many sections it occurs.
        words: Of each word as written, in how many sections it occurs.
        names: Identifiers as written, by their letters and digits in lower case.
        hyphenated: Words with hyphens, by their form without: `{"email": "e-mail"}`.
        numbered: Of each name with a number after a hyphen or slash, such as `utf-8`, in how many sections it occurs.
        compounds: Neighbouring words of titles, by their form as one word: `{"darkmode": "dark mode"}`.
        entries: Names of parameters, commands and the like that are a single word, such as `mynetworks`, or have
            hyphens, such as `next-hop-self`, in small letters. What other titles have is left out: `headers` is a topic
            too.
        signs: Names of signs, such as `&&`.
        keys: Combinations of keys, such as `ctrl-c`, by the names of `key_names`.
        subjects: By site, the words by which its docs call their subject: those of the title of its home page.
        notices: Twin keys of texts that many pages have: see `find_notices`.
    """

    sections: int = 0
    length: float = 1.0
    section_counts: Counter[str] = field(default_factory=Counter[str])
    words: Counter[str] = field(default_factory=Counter[str])
    names: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    hyphenated: dict[str, str] = field(default_factory=dict[str, str])
    numbered: Counter[str] = field(default_factory=Counter[str])
    compounds: dict[str, str] = field(default_factory=dict[str, str])
    entries: set[str] = field(default_factory=set[str])
    signs: set[str] = field(default_factory=set[str])
    keys: set[str] = field(default_factory=set[str])
    subjects: dict[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    notices: frozenset[str] = frozenset()

    @cached_property
    def subject(self) -> frozenset[str]:
        """The words by which the docs of any site call their subject."""
        return frozenset[str]().union(*self.subjects.values())

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words as written, to find what a mistyped word means."""
        return Vocabulary(self.words)

    @classmethod
    def of(cls, sections: Iterable[Section]) -> Statistics:
        """Count the words of some sections."""
        statistics = cls()
        aliases, topics, twin_keys, stem_count = set[str](), set[str](), list[str](), 0
        for section in sections:
            statistics.sections += 1
            twin_keys.append(section.twin_key)
            stem_count += len(section.body)
            statistics.section_counts.update({*section.title, *section.path, *section.body, *section.names})
            statistics._count_words(section)
            statistics._read_title(section.chunks[0])
            topics.update(_topics(section.chunks[0]))
            aliases.update(*(chunk.aliases for chunk in section.chunks))
        statistics.entries = {name for name in statistics.entries if stem(name) not in topics}
        statistics._add_names(aliases)
        statistics.notices = find_notices(twin_keys)
        statistics.length = stem_count / max(1, statistics.sections)
        return statistics

    def _count_words(self, section: Section) -> None:
        """Count the words of a section as they are written, and those with hyphens, slashes and numbers."""
        texts = [text[:MAX_CHARACTERS] for text in (section.chunks[0].title, *(chunk.text for chunk in section.chunks))]
        self.words.update(frozenset(chain.from_iterable(map(words, texts))))
        # All texts of an index are read here when it is opened, so they are searched for such words only once.
        signed_texts = list(map(words_with_signs, texts))
        for text in signed_texts:
            self.hyphenated.update(hyphenated(text))
        self.numbered.update(frozenset(chain.from_iterable(map(numbered, signed_texts))))

    def _read_title(self, first: Chunk) -> None:
        """Record what the title of a section says, of which this is the first chunk."""
        self.compounds.update(compounds(first.title))
        if subject := subject_words(first):
            self.subjects[first.site] = subject
        if first.kind == "definition":
            self.entries.update(_entry_names(first))

    def _add_names(self, aliases: Iterable[str]) -> None:
        """Record the identifiers among the aliases of chunks, each given once."""
        # uv, whose commands share their options, has 3,100 different aliases in 35,000 places.
        for alias in aliases:
            if is_sign_name(alias):
                self.signs.add(alias)
            elif name := key_name(alias):
                self.keys.add(name)
            elif any(True for _ in identifiers(alias)) and 1 < len(parts(alias)) <= MAX_JOINED:
                self.names["".join(parts(alias)).lower()].add(alias)


def _topics(first: Chunk) -> Iterator[str]:
    """The stems of the words that a section is about by its title; none for an entry, which is called like its name."""
    if first.kind == "definition":
        return
    # `Setting style=$mynetworks` is about no topic of that name.
    parts_of_title = (part.strip(_PUNCTUATION) for part in first.title.split())
    yield from (stem(word) for part in parts_of_title if part.isalpha() for word in words(part))
    yield from map(stem, hyphenated_names(first.title.lower()))


def subject_words(first: Chunk) -> frozenset[str]:
    """The words by which the docs call their subject, if a chunk is on a home page: the first part of the page's title.

    `pipx: run Python applications` is about pipx, and not about applications.
    """
    if first.page not in HOME_PAGES:
        return frozenset()
    name = _AFTER_NAME.split([*first.breadcrumb, first.title][0], maxsplit=1)[0]
    return frozenset(word for word in words(name) if word.isalpha())


@dataclass(frozen=True, slots=True)
class PageBoosts:
    """What is added to the scores of pages, whatever they say.

    `patterns` has the weights of the server's settings by address pattern. `pages` has those of the build, for the
    pages to which it gave a weight. `compilations` are the pages that repeat others.
    """

    patterns: Mapping[str, float] = field(default_factory=dict[str, float])
    pages: Mapping[PageKey, float] = field(default_factory=dict[PageKey, float])
    compilations: Collection[PageKey] = frozenset()

    def weight(self, page: PageKey) -> float:
        """The weight that is added to each section of a page, from -1 to 1."""
        return page_weight(page[1], self.patterns, self.pages.get(page, 0.0))


class Corpus:
    """A cache of one generation for ranking: its sections as stems, its links, and how common its words are.

    A small generation is in memory as a whole. Of a large one the sections and links used last are, and others are
    read from the index when a search finds them.

    Args:
        statistics: How common words are, counted over all sections or over a sample of them.
        sections: The sections to begin with. Only the `SECTIONS_IN_MEMORY` that were used last are kept.
        links: By section, the sections that links in its text lead to; None for a large generation, whose links are
            read when a question needs them.
        weights: What the build adds to the scores of pages, for the pages to which it gave a weight.
        compilations: The pages that repeat other pages; none for a large generation, which is not read whole.
    """

    def __init__(
        self,
        statistics: Statistics,
        sections: Mapping[SectionKey, Section],
        links: Mapping[SectionAt, Collection[SectionAt]] | None,
        weights: Mapping[PageKey, float],
        compilations: Collection[PageKey] = frozenset(),
    ) -> None:
        self.statistics = statistics
        self.weights = weights
        self.compilations = compilations
        self._sections: LRUCache[SectionKey, Section] = LRUCache(SECTIONS_IN_MEMORY)
        self._sections.update(sections)
        self._links = links
        self._pages: LRUCache[PageKey, dict[SectionAt, set[SectionAt]]] = LRUCache(PAGES_IN_MEMORY)

    @classmethod
    async def of(cls, index: OpenIndex) -> Corpus:
        """Read the sections of an open generation: all, or a sample that is the same for the same content.

        The indexes of its tables are brought into memory too, so that the first question takes no longer than others.
        """
        await index.table.warm()
        keys = sorted(index.rows.sections)
        is_small = len(keys) <= SECTIONS_IN_MEMORY
        if not is_small:
            # Chosen at even distances, not at random: the same content has to give the same weights in every process. A
            # word that no section of the sample has counts as a word that the docs do not have
            # (`docs/decisions/scale.md`).
            step = len(keys) / SECTIONS_IN_MEMORY
            keys = [keys[int(number * step)] for number in range(SECTIONS_IN_MEMORY)]
        sections = await _read(index, dict.fromkeys(keys, ""))
        statistics = await asyncio.to_thread(Statistics.of, sections.values())
        # The links of a large index are read by page when they are needed: with the index of the table by page, ten
        # pages take 5 ms.
        links = _by_section(await index.table.links()) if is_small else None
        weights = await asyncio.to_thread(_page_weights, index.manifest)
        compilations = await asyncio.to_thread(_compilations, sections) if is_small else frozenset[PageKey]()
        return cls(statistics, sections, links, weights, compilations)

    async def sections(self, index: OpenIndex, chunk_of: Mapping[SectionKey, str]) -> dict[SectionKey, Section]:
        """Some sections, from memory or from the index; those that the index does not have are left out.

        Args:
            index: The generation that this corpus was made of.
            chunk_of: By site and section id, the id of the chunk that a search found. Of a section with more than
                `MAX_CHUNKS` chunks only the chunks around that one are read.
        """
        # A very long section is never cached: the next question may find another chunk of it, and need other chunks
        # around that one.
        very_long = {key: chunk for key, chunk in chunk_of.items() if len(index.rows.of_section(key)) > MAX_CHUNKS}
        cached = {key: self._sections[key] for key in chunk_of if key in self._sections and key not in very_long}
        missing = {key: chunk for key, chunk in chunk_of.items() if key not in cached}
        # Cached sections are looked up before the first `await`: meanwhile another question may drop them.
        sections = cached | (await _read(index, missing) if missing else {})
        self._sections.update((key, section) for key, section in sections.items() if key not in very_long)
        return {key: sections[key] for key in chunk_of if key in sections}

    async def links(
        self, index: OpenIndex, sections: Collection[SectionAt]
    ) -> Mapping[SectionAt, Collection[SectionAt]]:
        """Where links in the text of some sections lead."""
        links = self._links
        if links is None:
            pages = {section[:2] for section in sections}
            by_page = {page: self._pages[page] for page in pages if page in self._pages}
            links_by_section = _by_section(await index.table.links(pages - by_page.keys()))
            # Pages without links are kept too: otherwise they would be looked up for every question.
            by_page |= {page: {} for page in pages - by_page.keys()}
            for section, targets in links_by_section.items():
                by_page[section[:2]][section] = targets
            self._pages.update(by_page)
            links = {section: targets for of_page in by_page.values() for section, targets in of_page.items()}
        return {section: links[section] for section in sections if section in links}


def _entry_names(first: Chunk) -> Iterator[str]:
    """The names in the title of an entry with this first chunk, in small letters; none for a term of a glossary.

    A glossary has words that are topics. The name of a parameter has arguments, a default or a type behind it, or is on
    a reference page. A command has its name between other words.
    """
    name = _ENTRY.fullmatch(first.title)
    if name is not None and (name[2] or first.page_kind in ("reference", "api")):
        yield name[1].lower()
    names = hyphenated_names(first.title.lower())
    if names != [first.title.lower()] or first.page_kind in ("reference", "api"):
        yield from names


def _compilations(sections: Mapping[SectionKey, Section]) -> frozenset[PageKey]:
    """The pages that repeat other pages."""
    firsts = ((section.chunks[0], section.twin_key) for section in sections.values())
    return find_compilations(((first.site, first.page), twin_key) for first, twin_key in firsts)


def _page_weights(manifest: Manifest) -> dict[PageKey, float]:
    """The weights that the builds gave to pages of a generation."""
    return {(page.site, page.page): page.weight for page in manifest.pages() if page.weight}


def _by_section(links: Iterable[tuple[str, str, str, str, str]]) -> dict[SectionAt, set[SectionAt]]:
    """The targets of each section, from rows of the links table. Both ends of a row are in the same site."""
    targets: dict[SectionAt, set[SectionAt]] = defaultdict(set)
    for site, page, anchor, to_page, to_anchor in links:
        targets[site, page, anchor].add((site, to_page, to_anchor))
    return targets


async def _read(index: OpenIndex, chunk_of: Mapping[SectionKey, str]) -> dict[SectionKey, Section]:
    """Read sections from the table, some at a time; unknown sections are left out."""
    sections: dict[SectionKey, Section] = {}
    remaining = list(chunk_of.items())
    for start in range(0, len(remaining), READ_AT_ONCE):
        chunks = await index.sections(dict(remaining[start : start + READ_AT_ONCE]), most=MAX_CHUNKS)
        sections |= await asyncio.to_thread(_sections, chunks)
    return sections


def _sections(chunks_of: Mapping[SectionKey, Sequence[Chunk]]) -> dict[SectionKey, Section]:
    """Make sections from their chunks; a section without chunks is left out."""
    return {key: Section.of(chunks) for key, chunks in chunks_of.items() if chunks}


def _stems(text: str, language: str) -> tuple[str, ...]:
    """The stems of the first `MAX_CHARACTERS` characters of a text, in order."""
    code = language_of(language)
    return tuple(stem(word, code) for word in words(text[:MAX_CHARACTERS]))
