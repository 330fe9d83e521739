"""Writes the files in which the widget itself searches, for a site without a server.

A directory names the others, which are fetched when a question needs them: shards of a full-text index by word, and
shards of the sections with their passages. Each shard has its digest in its name, so that a browser may keep it for
ever. The index is that of MiniSearch, taken apart by word; docs/decisions/static-search.md has the reasons.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.documents import DOCUMENTS
from trueref_core.export.export_files import SEARCH, Exported
from trueref_core.export.published_site import is_shown
from trueref_core.generations.served_generation import open_index
from trueref_core.text.word_forms import LONGEST
from trueref_server.answering.excerpt import may_begin, window
from trueref_server.answering.passages import passages
from trueref_server.answering.tab_panels import asked_panels
from trueref_server.corpus.corpus import CHUNKS_MOST, READ_AT_ONCE
from trueref_server.corpus.words import STOP_WORDS, hyphenated, stem, words
from trueref_server.records import ExcerptBlock
from trueref_server.serving.static_editions import StaticEditions

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Chunk

FIELDS: Final = ("title", "path", "body")
"""The fields of a section that are searched, in the order of the postings."""

TERMS_BYTES: Final = 24_000
"""Size of a shard of words, uncompressed: nearly every word of a question needs another shard."""

SECTIONS_BYTES: Final = 40_000
"""Size of a shard of sections, uncompressed: an answer compares the passages of some five sections."""

PASSAGES_BYTES: Final = 20_000
"""Size of a section's text up to which its passages are kept. Only lists of releases are longer."""

Postings = list[list[int]]
"""By field, two numbers for each section that has a word: its distance to the section before, and how often it has the
word."""


class ShownPassage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A passage. `window` has the numbers of the passages that are shown with it, its own among them.

    `window` is empty if the passage cannot be shown without another one for which there is no room. `lead` is shown
    before a footnote: it has the words that refer to the note.
    """

    blocks: tuple[ExcerptBlock, ...]
    window: tuple[int, ...]
    lead: tuple[ExcerptBlock, ...] = ()


class ShownSection(msgspec.Struct, frozen=True):
    """A section as the widget shows it, under the names that an answer of the server has."""

    title: str
    section: str
    breadcrumb: tuple[str, ...]
    page: str
    anchor: str
    href: str
    kind: str
    passages: tuple[ShownPassage, ...]


class Directory(msgspec.Struct, frozen=True):
    """The file that is read first. `terms` and `shown` say where each shard begins: by word, and by number of section.

    An edition is one version in one language, and has a number. `readers` says by page, and `editions` by section,
    where each run of one edition begins. `order` has a row for the readers of each edition: how late each edition is
    searched.
    """

    generation: str
    sections: int
    lengths: list[list[int]]
    stop: str
    terms: list[tuple[str, str]]
    shown: list[tuple[int, str]]
    readers: list[tuple[str, int]]
    editions: list[tuple[int, int]]
    order: list[list[int]]


def static_files(index: Path, site: str) -> list[Exported]:
    """The files with which a site answers by itself, of all pages that its readers may find.

    Args:
        index: The folder of the index.
        site: Name of the site in it.

    Raises:
        IndexFault: The index cannot be read.
    """
    # In a thread of its own: a build may be called while an event loop runs, in a notebook or a test with a browser.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_static_files(index, site))).result()


async def _static_files(index: Path, site: str) -> list[Exported]:
    """Open the index, make the files, close it."""
    opened = await open_index(index)
    try:
        sections = [chunks async for chunks in _sections(opened, site)]
        return _files(opened.generation.id, opened.manifest, sections, StaticEditions(opened.manifest, site))
    finally:
        await opened.close()


async def _sections(index: OpenIndex, site: str) -> AsyncIterator[Sequence[Chunk]]:
    """The sections of the pages that are shown, in an order that is the same for the same content."""
    pages = {
        page.page
        for page in index.manifest.pages()
        if page.site == site and is_shown(page) and page.kind != "redirect" and not page.page.startswith(DOCUMENTS)
    }
    keys = sorted(key for key in index.rows.sections if key[0] == site)
    for start in range(0, len(keys), READ_AT_ONCE):
        sections = await index.sections(dict.fromkeys(keys[start : start + READ_AT_ONCE], ""), most=CHUNKS_MOST)
        for chunks in sections.values():
            if chunks and chunks[0].page in pages:
                yield chunks


def _files(
    generation: str, manifest: Manifest, sections: Sequence[Sequence[Chunk]], editions: StaticEditions
) -> list[Exported]:
    """The shards of words and of sections, and the directory that names them."""
    postings: defaultdict[str, Postings] = defaultdict(lambda: [[] for _ in FIELDS])
    forms: dict[str, str] = {}
    lengths: list[list[int]] = [[] for _ in FIELDS]
    last: dict[tuple[str, int], int] = {}
    for number, chunks in enumerate(sections):
        for field, field_words in enumerate(_words(chunks)):
            language = chunks[0].language
            forms.update((word, stem(word, language)) for word in field_words if stem(word, language) != word)
            counted = Counter(stem(word, language) for word in field_words)
            # Distinct terms, as MiniSearch counts the length of a field.
            lengths[field].append(len(counted))
            for term, count in counted.items():
                postings[term][field] += [number - last.get((term, field), 0), count]
                last[term, field] = number
    known = {*postings, *forms}
    forms.update(_longest_parts(sections, known))
    terms = list(_shards(generation, "terms", _by_word(postings, forms), TERMS_BYTES))
    shown = list(_shards(generation, "sections", _by_number(manifest, sections), SECTIONS_BYTES))
    directory = Directory(
        generation=generation,
        sections=len(sections),
        lengths=lengths,
        stop=" ".join(sorted(STOP_WORDS)),
        terms=[(str(first), file.path.rpartition("/")[2]) for first, file in terms],
        shown=[(int(first), file.path.rpartition("/")[2]) for first, file in shown],
        readers=editions.readers(),
        editions=editions.of_sections(sections),
        order=editions.order(),
    )
    # The directory comes last: it names the other files, which are all written when it is.
    return [*(file for _, file in (*terms, *shown)), Exported(f"{SEARCH}index.json", msgspec.json.encode(directory))]


def _words(chunks: Sequence[Chunk]) -> tuple[list[str], ...]:
    """The words of each field of a section."""
    first = chunks[0]
    path = " ".join([*dict.fromkeys(first.breadcrumb), first.page])
    return words(first.title), words(path), [word for text in _texts(chunks) for word in words(text)]


def _texts(chunks: Sequence[Chunk]) -> list[str]:
    """The texts of a section's body that are searched, without what a chunk repeats of the one before it."""
    return [part[:LONGEST] for chunk in chunks for part in (chunk.text[chunk.overlap :], chunk.lead_in)]


def _longest_parts(sections: Sequence[Sequence[Chunk]], known: Collection[str]) -> Iterator[tuple[str, str]]:
    """Words with hyphens as they are without, each with the stem of its longest part: `email` is read as `mail`.

    So the reader who leaves a hyphen out is shown the passage, whose words are its parts. A word that the docs have
    without a hyphen is none of these, nor is `re-use`: `use` says nothing, and is in every section.
    """
    for chunks in sections:
        for joined, word in hyphenated("\n".join((chunks[0].title, *_texts(chunks)))).items():
            longest = max(words(word), key=len)
            if joined not in known and longest not in STOP_WORDS:
                yield joined, stem(longest, chunks[0].language)


ShardRow = tuple[str | int, bytes]
"""The key of a row, which is a word or the number of a section, and its bytes."""


def _by_word(postings: dict[str, Postings], forms: dict[str, str]) -> Iterator[ShardRow]:
    """A row for each word: its postings, and the stem that it is found by if that is another."""
    for word in sorted({*postings, *forms}):
        yield word, msgspec.json.encode([word, forms.get(word, ""), postings.get(word, [])])


def _by_number(manifest: Manifest, sections: Sequence[Sequence[Chunk]]) -> Iterator[ShardRow]:
    """A row for each section, by the number that the postings have for it."""
    for number, chunks in enumerate(sections):
        first = chunks[0]
        page = manifest.page(first.page, first.site)
        shown = ShownSection(
            title=page.title if page is not None else first.title,
            section=first.title,
            breadcrumb=tuple(dict.fromkeys(first.breadcrumb)),
            page=first.page,
            anchor=first.anchor,
            href=manifest.href(first.page, first.anchor, first.site),
            kind=first.page_kind,
            passages=tuple(_shown_passages(chunks)),
        )
        yield number, msgspec.json.encode(shown)


def _shown_passages(chunks: Sequence[Chunk]) -> Iterator[ShownPassage]:
    """The passages of a section up to a size, each with the passages that an answer of the server shows with it."""
    whole = passages(chunks)
    sizes = accumulate(len(passage.text) for passage in whole)
    # Whole passages only: half of one is never shown.
    fitting = [passage for passage, size in zip(whole, sizes, strict=True) if size <= PASSAGES_BYTES]
    panels = asked_panels(fitting, "")
    for number, passage in enumerate(fitting):
        shown = tuple(window(fitting, number, panels))
        lead = passage.lead if passage.referring is None else fitting[passage.referring].blocks
        yield ShownPassage(passage.blocks, shown if may_begin(fitting, shown[0]) else (), lead)


def _shards(
    generation: str, name: str, rows: Iterable[ShardRow], size_limit: int
) -> Iterator[tuple[str | int, Exported]]:
    """Rows in files of a limited size, each file with the key of its first row. A row is never cut."""
    collected: list[ShardRow] = []
    size = 0
    for row in rows:
        if collected and size + len(row[1]) > size_limit:
            yield collected[0][0], _shard(generation, name, collected)
            collected, size = [], 0
        collected.append(row)
        size += len(row[1])
    if collected:
        yield collected[0][0], _shard(generation, name, collected)


def _shard(generation: str, name: str, rows: Sequence[ShardRow]) -> Exported:
    """A file of rows. It names its generation, so that a widget never joins files of two builds."""
    inside = b",\n".join(data for _, data in rows)
    data = b'{"generation":%s,"rows":[\n%s\n]}\n' % (msgspec.json.encode(generation), inside)
    # In the name: the browser's cache keeps the file across pages, whatever the host says of its age.
    digest = hashlib.sha256(data).hexdigest()[:16]
    return Exported(f"{SEARCH}{name}-{digest}.json", data)
