"""Writes the files of one generation: whole, or as a change of an earlier one.

    tables/             LanceDB
    manifest.json       sites and pages
    anchors/            the anchors of each page
    links/              the edges of the documentation graph that begin on each page
    texts/              the text of each page that readers may be shown, as Markdown
    twins/              by which equal texts are found
    states.json         digests by page, for the next build
    ledger.json         one row a source file
    documents/          PDFs that no site publishes, by their ids
    generation.json     what this generation is
    SHA256SUMS          of every file above

A change starts as hard links of the earlier tables, and of the parts in which no page changed (see parts.py). LanceDB
never changes a file that it wrote, so that the earlier generation stays what it was.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from secrets import token_hex

from trueref_core.content import IndexContent, describe, ordered, stacked_vectors
from trueref_core.documents import FOLDER, Attachment, copy_attachment
from trueref_core.manifest_file import PagesFile
from trueref_core.page_values import KINDS, page_values
from trueref_core.parts import PageKey, parts_for, write_parts
from trueref_core.records import Generation
from trueref_core.states import PageState, encoded
from trueref_core.storage import link_file, seal, sync_folder, write_file
from trueref_core.version import SCHEMA_VERSION

BUILDING = ".building-"
"""Prefix of folders that are not a generation yet."""


def write_build(builds: Path, new: str, content: IndexContent, states: Mapping[PageKey, PageState]) -> None:
    """Write the generation `new` into a folder of builds; it has its name when it is whole.

    Raises:
        OSError: The folder cannot be written. Nothing is left of what was begun.
    """
    # Not `mkdtemp`: the server that reads the index may be another user.
    temporary = builds / f"{BUILDING}{new}-{token_hex(4)}"
    temporary.mkdir()
    try:
        earlier = builds / content.kept.generation if content.kept else None
        _write_files(temporary, ordered(content), states, new, earlier)
        seal(temporary, linked_from=earlier)
        if (builds / new).exists():
            # A damaged one. Its name must be free; until the rename, `current.json` may name nothing.
            (builds / new).rename(builds / f"{BUILDING}damaged-{new}")
        temporary.rename(builds / new)
        sync_folder(builds)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _write_files(
    folder: Path, content: IndexContent, states: Mapping[PageKey, PageState], new: str, earlier: Path | None
) -> None:
    tables = (folder / "tables").absolute()
    stale, values = _stale(content), page_values(content)
    for kind in KINDS:
        files = content.kept.files[kind] if content.kept is not None else None
        write_parts(folder, kind, parts_for(len(content.pages)), values[kind], files, stale)
    write_file(folder / "manifest.json", encoded(PagesFile(SCHEMA_VERSION, new, content.sites, content.pages)) + b"\n")
    write_file(folder / "states.json", encoded(list(states.values())) + b"\n")
    write_file(folder / "ledger.json", encoded(content.documents) + b"\n")
    _write_documents(folder / FOLDER, content.attachments, earlier)
    generation = describe(content, new, _write_tables(tables, content, earlier, stale))
    write_file(folder / "generation.json", encoded(generation) + b"\n")
    _write_generation(tables, generation)


def _stale(content: IndexContent) -> set[PageKey]:
    """The pages of the earlier generation that are not kept."""
    return set(content.kept.before.keys() - set(content.kept.pages)) if content.kept is not None else set()


def _write_documents(folder: Path, attachments: Mapping[str, Attachment], earlier: Path | None) -> None:
    """Links the files that the earlier generation has, and copies the others: an index is moved with what it cites."""
    if not attachments:
        return
    folder.mkdir()
    for key, attachment in attachments.items():
        name = f"{key}.pdf"
        known = earlier / FOLDER / name if earlier is not None else None
        if known is not None and known.is_file():
            # The id follows from the content, and the files of that generation were compared with their sums.
            link_file(known, folder / name)
        else:
            copy_attachment(attachment, folder / name)


def _write_tables(folder: Path, content: IndexContent, earlier: Path | None, stale: set[PageKey]) -> dict[str, int]:
    from trueref_core.tables import CHANGED_TABLES, change_tables, write_tables

    records = {name: getattr(content, name) for name in ("pages", "anchors", "links", "documents")}
    vectors = stacked_vectors(content)
    if earlier is None or content.kept is None:
        return write_tables(folder, records, content.chunks, vectors)
    for name in CHANGED_TABLES:
        source = earlier / "tables" / f"{name}.lance"
        shutil.copytree(source, folder / f"{name}.lance", copy_function=link_file)
    return change_tables(folder, records, content.chunks, vectors, stale, content.kept.twins)


def _write_generation(folder: Path, generation: Generation) -> None:
    from trueref_core.tables import write_generation_row

    row = asdict(generation) | {
        "sites": encoded(generation.sites).decode(),
        "counts": encoded(generation.counts).decode(),
    }
    write_generation_row(folder, row)
