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

A change begins with hard links to the earlier tables, and to the parts in which no page changed (see `page_parts`).
LanceDB never changes a file that it wrote, so the earlier generation stays as it is.
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
from trueref_core.records import Generation
from trueref_core.storage.atomic_files import link_file, read_sums, seal, sync_folder, verify, write_file
from trueref_core.storage.page_parts import PageKey, parts_for, write_parts
from trueref_core.tables import table_writer
from trueref_core.version import SCHEMA_VERSION

CHUNKS: Final = "chunks"

BUILDING = ".building-"
"""Prefix of folders that are not a generation yet."""


def write_build(builds: Path, new: str, content: IndexContent, states: Mapping[PageKey, PageState]) -> None:
    """Write the generation `new` into a folder of builds. It gets its name when it is complete.

    The content is ordered.

    Raises:
        IndexDamaged: A file of the generation whose pages are kept is not the one that was written.
        OSError: The folder cannot be written. The unfinished generation is deleted.
    """
    # Not `mkdtemp`, whose folders only its own user may read: the server may run as another one.
    temporary = builds / f"{BUILDING}{new}-{token_hex(4)}"
    temporary.mkdir()
    earlier = builds / content.kept.generation if content.kept else None
    try:
        _write_files(temporary, content, states, new, earlier)
        seal(temporary, linked_from=earlier)
        if (builds / new).exists():
            # A damaged generation has this name, which must be free. Between the two renames `current.json` may name a
            # folder that does not exist. Readers say then that the index is damaged, which it was.
            (builds / new).rename(builds / f"{BUILDING}damaged-{new}")
        temporary.rename(builds / new)
        sync_folder(builds)
    except BaseException as error:
        shutil.rmtree(temporary, ignore_errors=True)
        if earlier is not None and not isinstance(error, (KeyboardInterrupt, SystemExit, IndexDamaged)):
            # For a damaged table LanceDB raises almost anything, sometimes a panic. Comparing the sums gives the true
            # cause.
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
    """By kind of value, the pages whose value differs from the earlier generation, including new and removed pages."""
    before: Mapping[PageKey, PageState] = content.kept.before if content.kept is not None else {}
    candidates: set[PageKey] = before.keys() | states.keys()
    if content.kept is not None:
        candidates -= content.kept.pages
    # By kind, because a change of a page seldom touches all of them: a reworded paragraph leaves its anchors as they
    # are.
    differing = {
        kind: {
            key for key in candidates if getattr(before.get(key), name, None) != getattr(states.get(key), name, None)
        }
        for kind, name in KINDS.items()
    }
    return differing | {CHUNKS: candidates}


def _write_documents(folder: Path, content: IndexContent, earlier: Path | None) -> None:
    """Writes the PDFs that no site publishes: as hard links to those of the earlier generation, or as copies.

    They are part of the generation, so that an index can be moved to a server with everything that it cites.
    """
    ids = {document for page in content.pages if (document := id_of(page))} | content.attachments.keys()
    if not ids:
        return
    (folder / FOLDER).mkdir()
    sums = read_sums(earlier) if earlier is not None else {}
    for key in sorted(ids):
        name = f"{FOLDER}/{key}.pdf"
        # The id follows from the content, so an equal name is an equal file. The PDFs of other sites of the index are
        # only in the earlier generation.
        if earlier is not None and name in sums:
            link_file(earlier, name, folder / name, sums)
        elif key in content.attachments:
            copy_attachment(content.attachments[key], folder / name)


def _write_tables(
    folder: Path, content: IndexContent, earlier: Path | None, changed: Mapping[str, set[PageKey]]
) -> dict[str, int]:
    """Write the tables, or change those of the earlier generation. Returns the number of rows of each.

    Those of pages and documents are always written: of ten thousand rows, changing one saves 20 ms.
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
        # Merging writes the rows into new files with new sums, so damage must be noticed before.
        if earlier is not None:
            verify(earlier, f"tables/{name}.lance/")

    return table_writer.write_tables(folder, records, content.chunks, stacked_vectors(content), stale, check)


def _link_tables(earlier: Path, folder: Path, names: Iterable[str]) -> None:
    sums = read_sums(earlier)

    def link(source: str, target: str) -> None:
        link_file(earlier, Path(source).relative_to(earlier).as_posix(), Path(target), sums)

    for name in names:
        shutil.copytree(earlier / "tables" / f"{name}.lance", folder / f"{name}.lance", copy_function=link)


def _write_generation(folder: Path, generation: Generation) -> None:
    """The table that describes the generation to other readers of LanceDB. Trueref itself reads `generation.json`."""
    row = asdict(generation) | {
        "sites": encoded(generation.sites).decode(),
        "counts": encoded(generation.counts).decode(),
        "recipes": encoded(generation.recipes).decode(),
    }
    table_writer.write_generation_row(folder, row)
