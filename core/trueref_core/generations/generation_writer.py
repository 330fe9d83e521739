"""Writes the files of one generation: whole, or as a change of an earlier one.

    tables/             LanceDB
    manifest.json       sites and pages
    anchors/            the anchors of each page
    links/              the edges of the documentation graph that begin on each page
    texts/              the text of each page that readers may be shown, as Markdown
    states.json         digests by page, for the next build
    ledger.json         one row a source file
    documents/          PDFs that no site publishes, by their ids
    generation.json     what this generation is
    SHA256SUMS          of every file above

A change starts as hard links of the earlier tables, and of the parts in which no page changed (see `page_parts`).
LanceDB never changes a file that it wrote, so that the earlier generation stays what it was.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from trueref_core.documents import FOLDER, copy_attachment, id_of
from trueref_core.errors import IndexDamaged
from trueref_core.generations.content import IndexContent, describe, listed_rows, ordered, stacked_vectors
from trueref_core.generations.page_digests import PageState, encoded
from trueref_core.generations.page_values import ANCHORS, DIGESTS, KINDS, LINKS, page_values
from trueref_core.manifest.codec import PagesFile
from trueref_core.records import Document, Generation, Page
from trueref_core.storage.atomic_files import link_file, read_sums, seal, sync_folder, verify, write_file
from trueref_core.storage.page_parts import PageKey, parts_for, write_parts
from trueref_core.version import SCHEMA_VERSION

CHUNKS: Final = "chunks"

CHANGED_FROM = 3_000
"""Tables of fewer pages or sources are written anew: that takes 5 ms for a hundred, and changing one takes 20 ms."""

CHANGED_MOST: Final = 0.25
"""Share of the rows of a larger table from which on writing it anew costs less than changing it."""

BUILDING = ".building-"
"""Prefix of folders that are not a generation yet."""


def write_build(builds: Path, new: str, content: IndexContent, states: Mapping[PageKey, PageState]) -> None:
    """Write the generation `new` into a folder of builds; it has its name when it is whole.

    Raises:
        IndexDamaged: A file of the generation whose pages are kept is not the one that was written.
        OSError: The folder cannot be written. Nothing is left of what was begun.
    """
    # Not `mkdtemp`: the server that reads the index may be another user.
    temporary = builds / f"{BUILDING}{new}-{token_hex(4)}"
    temporary.mkdir()
    earlier = builds / content.kept.generation if content.kept else None
    try:
        _write_files(temporary, ordered(content), states, new, earlier)
        seal(temporary, linked_from=earlier)
        if (builds / new).exists():
            # A damaged one. Its name must be free; until the rename, `current.json` may name nothing.
            (builds / new).rename(builds / f"{BUILDING}damaged-{new}")
        temporary.rename(builds / new)
        sync_folder(builds)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if earlier is not None and not isinstance(error, (KeyboardInterrupt, SystemExit, IndexDamaged)):
            # LanceDB says of a damaged table whatever it stumbles over, some of it as a panic.
            verify(earlier)
        raise


def _write_files(
    folder: Path, content: IndexContent, states: Mapping[PageKey, PageState], new: str, earlier: Path | None
) -> None:
    """Write all files of a generation but their sums."""
    tables = (folder / "tables").absolute()
    changed, values = _changed(content, states), page_values(content)
    for kind in KINDS:
        files = content.kept.files[kind] if content.kept is not None else None
        new_values = {key: value for key, value in values[kind].items() if key in changed[kind]}
        write_parts(folder, kind, parts_for(len(content.pages)), new_values, files, changed[kind])
    write_file(folder / "manifest.json", encoded(PagesFile(SCHEMA_VERSION, new, content.sites, content.pages)) + b"\n")
    write_file(folder / "states.json", encoded(list(states.values())) + b"\n")
    write_file(folder / "ledger.json", encoded(content.documents) + b"\n")
    _write_documents(folder, content, earlier)
    generation = describe(content, new, _write_tables(tables, content, earlier, changed))
    write_file(folder / "generation.json", encoded(generation) + b"\n")
    _write_generation(tables, generation)


def _changed(content: IndexContent, states: Mapping[PageKey, PageState]) -> dict[str, set[PageKey]]:
    """By what is kept of pages, those where it is not what the earlier generation has, gone and new ones among them."""
    before: Mapping[PageKey, PageState] = content.kept.before if content.kept is not None else {}
    made: set[PageKey] = before.keys() | states.keys()
    if content.kept is not None:
        made -= content.kept.pages
    differing = {
        kind: {key for key in made if getattr(before.get(key), name, None) != getattr(states.get(key), name, None)}
        for kind, name in DIGESTS.items()
    }
    return differing | {CHUNKS: made}


def _write_documents(folder: Path, content: IndexContent, earlier: Path | None) -> None:
    """Links the files that the earlier generation has, and copies the others: an index is moved with what it cites."""
    ids = {document for page in content.pages if (document := id_of(page))} | content.attachments.keys()
    if not ids:
        return
    (folder / FOLDER).mkdir()
    sums = read_sums(earlier) if earlier is not None else {}
    for key in sorted(ids):
        name = f"{FOLDER}/{key}.pdf"
        # The id follows from the content. Of the other sites of the index, the files are there and nowhere else.
        if earlier is not None and name in sums:
            link_file(earlier, name, folder / name, sums)
        elif key in content.attachments:
            copy_attachment(content.attachments[key], folder / name)


def _write_tables(
    folder: Path, content: IndexContent, earlier: Path | None, changed: Mapping[str, set[PageKey]]
) -> dict[str, int]:
    """Write the tables, or change those of the earlier generation. Gives the number of rows of each."""
    from trueref_core.tables.table_writer import change_tables, write_tables

    records: dict[str, Sequence[Any]] = {
        ANCHORS: [anchor for anchor in content.anchors if (anchor.site, anchor.page) in changed[ANCHORS]],
        LINKS: [link for link in content.links if (link.site, link.from_page) in changed[LINKS]],
    }
    vectors, rows = stacked_vectors(content), listed_rows(content.pages, content.documents)
    if earlier is None or content.kept is None:
        whole = {name: list(table_rows.values()) for name, table_rows in rows.items()}
        return write_tables(folder, records | whole, content.chunks, vectors)
    stale: dict[str, Collection[PageKey]] = {
        name: changed[name] & content.kept.before.keys() for name in (ANCHORS, LINKS, CHUNKS)
    }
    for name, table_rows in rows.items():
        records[name], gone = _changed_rows(table_rows, content.kept.rows[name])
        if gone is not None:
            stale[name] = gone
    _link_tables(earlier, folder, stale)

    def check(name: str) -> None:
        # What is merged gets sums of its own.
        verify(earlier, f"tables/{name}.lance/")

    return change_tables(folder, records, content.chunks, vectors, stale, check)


def _changed_rows(
    now: Mapping[PageKey, Page | Document], before: Mapping[PageKey, Page | Document]
) -> tuple[list[Page | Document], set[PageKey] | None]:
    """The rows of a table that come and the keys of those that go; all rows and None where it is written anew."""
    # An equal row that is another object is written again, which does no harm.
    changed = {key for key in now.keys() | before.keys() if now.get(key) is not before.get(key)}
    if len(now) < CHANGED_FROM or len(changed) > CHANGED_MOST * len(now):
        # Where a link leads elsewhere, many pages are more or less central than they were.
        return list(now.values()), None
    return [row for key, row in now.items() if key in changed], changed & before.keys()


def _link_tables(earlier: Path, folder: Path, names: Iterable[str]) -> None:
    """Begin tables as hard links of earlier ones."""
    sums = read_sums(earlier)

    def link(source: str, target: str) -> None:
        link_file(earlier, Path(source).relative_to(earlier).as_posix(), Path(target), sums)

    for name in names:
        shutil.copytree(earlier / "tables" / f"{name}.lance", folder / f"{name}.lance", copy_function=link)


def _write_generation(folder: Path, generation: Generation) -> None:
    """The table that tells other readers of LanceDB what they look at. Trueref itself reads `generation.json`."""
    from trueref_core.tables.table_writer import write_generation_row

    row = asdict(generation) | {
        "sites": encoded(generation.sites).decode(),
        "counts": encoded(generation.counts).decode(),
        "recipes": encoded(generation.recipes).decode(),
    }
    write_generation_row(folder, row)
