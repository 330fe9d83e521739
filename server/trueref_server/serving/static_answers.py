"""Makes the files that the widget searches itself on a site without a server.

A directory file names the others, which the widget fetches when a question needs them: shards of a full-text index by
word, shards of the sections with their passages, and a file with a vector of each section. Each has its digest in its
name, so that a browser may cache it for ever. docs/decisions/static-search.md has the reasons.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.documents import DOCUMENTS
from trueref_core.export.export_files import SEARCH, ExportedFile
from trueref_core.export.published_site import is_shown
from trueref_core.generations.served_generation import open_index
from trueref_core.text.word_forms import MAX_CHARACTERS
from trueref_server.answering.excerpts.beginnings import may_begin
from trueref_server.answering.excerpts.excerpt import window
from trueref_server.answering.excerpts.tab_panels import asked_panels
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.corpus import MAX_CHUNKS, READ_AT_ONCE
from trueref_server.corpus.words import STOP_WORDS, compounds, hyphenated, stem, words
from trueref_server.records import ExcerptBlock
from trueref_server.serving.static_editions import StaticEditions
from trueref_server.serving.static_topics import UsualSections, usual_sections
from trueref_server.serving.static_vectors import StaticVectors, read_embedded

if TYPE_CHECKING:
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Chunk

FIELDS: Final = ("title", "path", "body")
"""The fields of a section that are searched, in the order of the postings."""

TERMS_BYTES: Final = 16_000
"""The most bytes of a shard of words, uncompressed: nearly every word of a question needs another shard."""

SECTIONS_BYTES: Final = 40_000
"""The most bytes of a shard of sections, uncompressed: an answer compares the passages of about five sections."""

PASSAGES_CHARACTERS: Final = 20_000
"""The passages of a section are kept up to this many characters of text. Only lists of releases are longer."""

Postings = list[list[int]]
"""By field, two numbers for each section that has a word: the difference of its number to that of the section before,
and how often it has the word."""


class ShownPassage(msgspec.Struct, frozen=True, omit_defaults=True):
    """A passage. `window` has the numbers of the passages that are shown with it, its own among them.

    `window` is empty if the passage cannot be shown without another one that does not fit. `lead` is shown before a
    footnote: it has the words that refer to the note. `vector` is the packed vector of what is shown with it.
    """

    blocks: tuple[ExcerptBlock, ...]
    window: tuple[int, ...]
    lead: tuple[ExcerptBlock, ...] = ()
    vector: str = ""


class ShownSection(msgspec.Struct, frozen=True):
    """A section as the widget shows it, with the field names of an answer of the server."""

    title: str
    section: str
    breadcrumb: tuple[str, ...]
    page: str
    anchor: str
    href: str
    kind: str
    language: str
    passages: tuple[ShownPassage, ...]


class ShardDirectory(msgspec.Struct, frozen=True):
    """The file that is read first. `terms` and `shown` have each shard's first word or section number, and its name.

    `vectors` names the file with a packed vector of each section, "" if there is none.

    An edition is one version in one language, and has a number. `readers` has the first page, and `editions` the first
    section, of each run of the same edition. `order` has a row for the readers of each edition, with the turn in which
    each edition is searched.

    `usual` has the sections about topics that all docs have. A question is about one of them if a pattern fits what is
    left of it without the words in `plain`.
    """

    generation: str
    sections: int
    lengths: list[list[int]]
    stop: str
    terms: list[tuple[str, str]]
    shown: list[tuple[int, str]]
    vectors: str
    readers: list[tuple[str, int]]
    editions: list[tuple[int, int]]
    order: list[list[int]]
    plain: str
    usual: UsualSections


def static_files(index: Path, site: str) -> list[ExportedFile]:
    """The files with which a site answers without a server, from all pages that its readers may find.

    Args:
        index: The folder of the index.
        site: Name of the site in it.

    Raises:
        IndexFault: The index cannot be read.
        EmbedderError: The vectors of words, which are part of the package, are missing or damaged.
    """
    # In a thread of its own, since a build may run inside an event loop, as in a notebook or a test with a browser.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(_static_files(index, site))).result()


async def _static_files(index: Path, site: str) -> list[ExportedFile]:
    """Open the index, make the files, close it."""
    index_handle = await open_index(index)
    try:
        sections = [chunks async for chunks in _sections(index_handle, site)]
        editions = StaticEditions(index_handle.manifest, site)
        vectors = StaticVectors(sections, await read_embedded(index_handle, sections))
        return _files(index_handle.generation.id, index_handle.manifest, sections, editions, vectors)
    finally:
        await index_handle.close()


async def _sections(index: OpenIndex, site: str) -> AsyncIterator[Sequence[Chunk]]:
    """The sections of the pages that are shown. The same content has the same order."""
    pages = {
        page.page
        for page in index.manifest.pages()
        if page.site == site and is_shown(page) and page.kind != "redirect" and not page.page.startswith(DOCUMENTS)
    }
    keys = sorted(key for key in index.rows.sections if key[0] == site)
    for start in range(0, len(keys), READ_AT_ONCE):
        sections = await index.sections(dict.fromkeys(keys[start : start + READ_AT_ONCE], ""), most=MAX_CHUNKS)
        for chunks in sections.values():
            if chunks and chunks[0].page in pages:
                yield chunks


def _files(
    generation: str,
    manifest: Manifest,
    sections: Sequence[Sequence[Chunk]],
    editions: StaticEditions,
    vectors: StaticVectors,
) -> list[ExportedFile]:
    """The shards of words and of sections, the vectors, and the directory that names them all."""
    words_of = [_words(chunks) for chunks in sections]
    postings, forms, lengths = _count_words(sections, words_of)
    terms = list(_shards(generation, "terms", _term_rows(postings, forms, vectors), TERMS_BYTES))
    packed = [msgspec.json.encode(row) for row in vectors.of_sections(map(chain.from_iterable, words_of))]
    vector_files = [_shard(generation, "vectors", packed)] if packed else []
    shown = list(_shards(generation, "sections", _section_rows(manifest, sections, vectors), SECTIONS_BYTES))
    plain, usual = usual_sections(sections)
    directory = ShardDirectory(
        generation=generation,
        sections=len(sections),
        lengths=lengths,
        stop=" ".join(sorted(STOP_WORDS)),
        terms=[(str(first), _name(file)) for first, file in terms],
        shown=[(int(first), _name(file)) for first, file in shown],
        vectors="".join(_name(file) for file in vector_files),
        readers=editions.readers(),
        editions=editions.of_sections(sections),
        order=editions.order(),
        plain=plain,
        usual=usual,
    )
    # The directory comes last, so that all the files that it names are written before it.
    return [
        *(file for _, file in (*terms, *shown)),
        *vector_files,
        ExportedFile(f"{SEARCH}index.json", msgspec.json.encode(directory)),
    ]


def _count_words(
    sections: Sequence[Sequence[Chunk]], words_of: Sequence[Sequence[Sequence[str]]]
) -> tuple[dict[str, Postings], dict[str, str], list[list[int]]]:
    """The postings of each stem, the stem of each other word, and by field the length of each section.

    Args:
        sections: The chunks of each section.
        words_of: For each section, the words of each field.
    """
    postings: defaultdict[str, Postings] = defaultdict(lambda: [[] for _ in FIELDS])
    forms: dict[str, str] = {}
    lengths: list[list[int]] = [[] for _ in FIELDS]
    last_section: dict[tuple[str, int], int] = {}
    for number, (chunks, section_words) in enumerate(zip(sections, words_of, strict=True)):
        language = chunks[0].language
        for field, field_words in enumerate(section_words):
            stems = {word: stem(word, language) for word in field_words}
            forms.update((word, term) for word, term in stems.items() if term != word)
            counted = Counter(stems[word] for word in field_words)
            # The length of a field is its number of distinct terms.
            lengths[field].append(len(counted))
            for term, count in counted.items():
                postings[term][field] += [number - last_section.get((term, field), 0), count]
                last_section[term, field] = number
    forms.update(_undivided(sections, {*postings, *forms}, postings))
    return postings, forms, lengths


def _words(chunks: Sequence[Chunk]) -> tuple[list[str], ...]:
    """The words of each field of a section."""
    first = chunks[0]
    path = " ".join([*dict.fromkeys(first.breadcrumb), first.page])
    return words(first.title), words(path), [word for text in _texts(chunks) for word in words(text)]


def _texts(chunks: Sequence[Chunk]) -> list[str]:
    """The texts of a section's body that are searched, without the overlaps of its chunks."""
    return [part[:MAX_CHARACTERS] for chunk in chunks for part in (chunk.text[chunk.overlap :], chunk.lead_in)]


def _undivided(
    sections: Sequence[Sequence[Chunk]], known_words: Collection[str], postings: Mapping[str, Postings]
) -> Iterator[tuple[str, str]]:
    """Words with hyphens and neighbours in titles, written as one word, each with the stem of one part.

    So a reader who leaves out the hyphen or the space finds the passage, which is indexed by the parts: `email` is read
    as `mail`, the longest part. Of neighbours it is the part that fewer sections have: `sitemap` is read as `map`. Left
    out are words that the docs also write as one, and words such as `re-use`, whose longest part is a stop word.
    """
    for chunks in sections:
        language = chunks[0].language
        for joined, pair in compounds(chunks[0].title).items():
            if joined not in known_words:
                stems_of_pair = [stem(word, language) for word in words(pair)]
                yield joined, min(stems_of_pair, key=lambda term: sum(map(len, postings[term])))
        for joined, word in hyphenated("\n".join((chunks[0].title, *_texts(chunks)))).items():
            longest = max(words(word), key=len)
            if joined not in known_words and longest not in STOP_WORDS:
                yield joined, stem(longest, chunks[0].language)


ShardRow = tuple[str | int, bytes]
"""The key of a row, which is a word or the number of a section, and its bytes."""


def _term_rows(postings: dict[str, Postings], forms: dict[str, str], vectors: StaticVectors) -> Iterator[ShardRow]:
    """A row for each word: the stem under which it is found if that differs from the word, its postings, its vector.

    Common words that the site does not have are among them: a question with one is compared by its vector.
    """
    common = vectors.common_words()
    known_stems = {word: stem(word, "en") for word in common if word not in postings}
    stems = {**{word: term for word, term in known_stems.items() if term in postings}, **forms}
    for word in sorted({*postings, *forms, *common}):
        row = [word, stems.get(word, ""), postings.get(word, []), vectors.of_word(word)]
        yield word, msgspec.json.encode(row)


def _section_rows(
    manifest: Manifest, sections: Sequence[Sequence[Chunk]], vectors: StaticVectors
) -> Iterator[ShardRow]:
    """A row for each section, in the order of the section numbers in the postings."""
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
            language=first.language,
            passages=tuple(_shown_passages(chunks, vectors)),
        )
        yield number, msgspec.json.encode(shown)


def _shown_passages(chunks: Sequence[Chunk], vectors: StaticVectors) -> Iterator[ShownPassage]:
    """The first passages of a section, each with the numbers of those that the server would show with it."""
    all_passages = passages(chunks)
    sizes = accumulate(len(passage.text) for passage in all_passages)
    # Whole passages only, since half a passage is never shown.
    fitting = [passage for passage, size in zip(all_passages, sizes, strict=True) if size <= PASSAGES_CHARACTERS]
    panels = asked_panels(fitting, "")
    for number, passage in enumerate(fitting):
        shown_with = tuple(window(fitting, number, panels))
        lead = passage.lead if passage.referring is None else fitting[passage.referring].blocks
        if not may_begin(fitting, shown_with[0]):
            shown_with = ()
        shown_text = " ".join(fitting[shown].text for shown in shown_with)
        yield ShownPassage(passage.blocks, shown_with, lead, vectors.of_text(shown_text))


def _shards(
    generation: str, name: str, rows: Iterable[ShardRow], size_limit: int
) -> Iterator[tuple[str | int, ExportedFile]]:
    """Rows in files of a limited size in bytes, each file with the key of its first row. A row is never split."""
    collected: list[ShardRow] = []
    size = 0
    for row in rows:
        if collected and size + len(row[1]) > size_limit:
            yield collected[0][0], _shard(generation, name, [data for _, data in collected])
            collected, size = [], 0
        collected.append(row)
        size += len(row[1])
    if collected:
        yield collected[0][0], _shard(generation, name, [data for _, data in collected])


def _shard(generation: str, name: str, rows: Iterable[bytes]) -> ExportedFile:
    """A file of rows with its generation, so that a widget never combines files of two builds."""
    inside = b",\n".join(rows)
    data = b'{"generation":%s,"rows":[\n%s\n]}\n' % (msgspec.json.encode(generation), inside)
    # The digest is in the name, so that the browser caches the file across pages, whatever headers the host sends.
    digest = hashlib.sha256(data).hexdigest()[:16]
    return ExportedFile(f"{SEARCH}{name}-{digest}.json", data)


def _name(file: ExportedFile) -> str:
    """The name of a file in the folder of the search."""
    return file.path.removeprefix(SEARCH)
