"""Writes the files of one generation, either all anew or with hard links to those of an earlier generation.

    tables/             LanceDB
    manifest.json       sites and pages
    anchors/            the anchors of each page
    links/              the edges of the documentation graph that begin on each page
    texts/              the text of each page that readers may be shown, as Markdown
    states.json         digests by page, for the next build
    ledger.json         one row a source file
    documents/          PDFs that no site publishes, by their ids
    generation.json     the record `Generation`
    SHA256SUMS          the sum of every file above

An incremental build links the earlier tables, and the parts in which no page changed (see `page_parts`). LanceDB never
changes a file that it wrote, so the earlier generation stays as it is.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from trueref_core.documents import FOLDER, copy_attachment, id_of
from trueref_core.errors import IndexDamaged
from trueref_core.generations.content import IndexContent, describe, stacked_vectors
from trueref_core.generations.page_digests import PageState, encoded
from trueref_core.generations.page_values import ANCHORS, KINDS, LINKS, page_values
from trueref_core.manifest.codec import PagesFile
from trueref_core.records import Generation, PageKey
from trueref_core.storage.atomic_files import sync_folder, write_file
from trueref_core.storage.page_parts import parts_for, write_parts
from trueref_core.storage.sealed_folders import link_file, read_sums, seal, verify
from trueref_core.tables import table_writer
from trueref_core.version import SCHEMA_VERSION

CHUNKS: Final = "chunks"

BUILDING = ".building-"
"""Prefix of the names of folders that are not a complete generation."""


def write_build(builds: Path, new_id: str, content: IndexContent, states: Mapping[PageKey, PageState]) -> None:
    """Write a generation into a folder of builds. Its folder gets its final name when all files are written.

    Args:
        builds: The folder of builds.
        new_id: Id of the generation.
        content: Its content, ordered.
        states: The states of its pages.

    Raises:
        IndexDamaged: A file of the generation whose pages are kept differs from what was written.
        OSError: The folder cannot be written. The unfinished generation is deleted.
    """
    # Not `mkdtemp`, whose folders only their owner may read: the server may run as another user.
    unfinished = builds / f"{BUILDING}{new_id}-{token_hex(4)}"
    unfinished.mkdir()
    earlier = builds / content.kept.generation if content.kept else None
    try:
        _write_files(unfinished, content, states, new_id, earlier)
        seal(unfinished, linked_from=earlier)
        if (builds / new_id).exists():
            # A damaged generation has this name and must be renamed first. Between the two renames, `current.json` may
            # name a folder that does not exist. Readers then report a damaged index, which is true.
            (builds / new_id).rename(builds / f"{BUILDING}damaged-{new_id}")
        unfinished.rename(builds / new_id)
        sync_folder(builds)
    except BaseException as error:
        shutil.rmtree(unfinished, ignore_errors=True)
        if earlier is not None and not isinstance(error, (KeyboardInterrupt, SystemExit, IndexDamaged)):
            # LanceDB raises errors of many types for a damaged table, sometimes a panic. Comparing the sums tells
            # whether a file is damaged.
            verify(earlier)
        raise


def _write_files(
    folder: Path, content: IndexContent, states: Mapping[PageKey, PageState], new_id: str, earlier: Path | None
) -> None:
    """Write all files of a generation except `SHA256SUMS`."""
    tables = (folder / "tables").absolute()
    changed, values = _changed_pages(content, states), page_values(content)
    for kind in KINDS:
        earlier_parts = content.kept.files[kind] if content.kept is not None else None
        new_values = {key: value for key, value in values[kind].items() if key in changed[kind]}
        write_parts(folder, kind, parts_for(len(content.pages)), new_values, earlier_parts, changed[kind])
    write_file(
        folder / "manifest.json", encoded(PagesFile(SCHEMA_VERSION, new_id, content.sites, content.pages)) + b"\n"
    )
    write_file(folder / "states.json", encoded(list(states.values())) + b"\n")
    write_file(folder / "ledger.json", encoded(content.documents) + b"\n")
    _write_documents(folder, content, earlier)
    generation = describe(content, new_id, _write_tables(tables, content, earlier, changed))
    write_file(folder / "generation.json", encoded(generation) + b"\n")
    _write_generation(tables, generation)


def _changed_pages(content: IndexContent, states: Mapping[PageKey, PageState]) -> dict[str, set[PageKey]]:
    """For each kind of value, the pages whose value differs from the earlier generation, with new and removed pages."""
    before: Mapping[PageKey, PageState] = content.kept.before if content.kept is not None else {}
    candidates: set[PageKey] = before.keys() | states.keys()
    if content.kept is not None:
        candidates -= content.kept.pages
    # For each kind, because a change of a page seldom changes all its values: rewording a paragraph changes no anchor.
    differing = {
        kind: {
            key for key in candidates if getattr(before.get(key), name, None) != getattr(states.get(key), name, None)
        }
        for kind, name in KINDS.items()
    }
    return differing | {CHUNKS: candidates}


def _write_documents(folder: Path, content: IndexContent, earlier: Path | None) -> None:
    """Write the PDFs that no site publishes: as hard links to those of the earlier generation, or as copies.

    They are part of the generation, so that an index can be moved to a server with everything that it cites.
    """
    ids = {document for page in content.pages if (document := id_of(page))} | content.attachments.keys()
    if not ids:
        return
    (folder / FOLDER).mkdir()
    sums = read_sums(earlier) if earlier is not None else {}
    for key in sorted(ids):
        name = f"{FOLDER}/{key}.pdf"
        # The id follows from the content, so files of the same name are equal. Only the earlier generation has the PDFs
        # of the index's other sites.
        if earlier is not None and name in sums:
            link_file(earlier, name, folder / name, sums)
        elif key in content.attachments:
            copy_attachment(content.attachments[key], folder / name)


def _write_tables(
    folder: Path, content: IndexContent, earlier: Path | None, changed: Mapping[str, set[PageKey]]
) -> dict[str, int]:
    """Write the tables, or change those of the earlier generation. Returns the number of rows of each.

    The tables of pages and documents are always written whole: for ten thousand rows, changing one would save only
    20 ms.
    """
    records: Mapping[str, Sequence[Any]] = {
        "pages": content.pages,
        "documents": content.documents,
        ANCHORS: [anchor for anchor in content.anchors if (anchor.site, anchor.page) in changed[ANCHORS]],
        LINKS: [link for link in content.links if (link.site, link.from_page) in changed[LINKS]],
    }
    kept = content.kept
    stale = {name: changed[name] & kept.before.keys() for name in (ANCHORS, LINKS, CHUNKS)} if kept is not None else {}
    if earlier is not None:
        _link_tables(earlier, folder, stale)

    def check(name: str) -> None:
        # Merging writes the rows into new files with new sums, which would hide earlier damage.
        if earlier is not None:
            verify(earlier, f"tables/{name}.lance/")

    return table_writer.write_tables(folder, records, content.chunks, stacked_vectors(content), stale, check)


def _link_tables(earlier: Path, folder: Path, names: Iterable[str]) -> None:
    """Hard-links the files of these tables of an earlier generation into a folder."""
    sums = read_sums(earlier)

    def link(source: str, target: str) -> None:
        link_file(earlier, Path(source).relative_to(earlier).as_posix(), Path(target), sums)

    for name in names:
        shutil.copytree(earlier / "tables" / f"{name}.lance", folder / f"{name}.lance", copy_function=link)


def _write_generation(folder: Path, generation: Generation) -> None:
    """Write the table that describes the generation to other programs. Trueref itself reads `generation.json`."""
    row = asdict(generation) | {
        "sites": encoded(generation.sites).decode(),
        "counts": encoded(generation.counts).decode(),
        "recipes": encoded(generation.recipes).decode(),
    }
    table_writer.write_generation_row(folder, row)
