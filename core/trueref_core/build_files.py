"""Writes the files of one generation: whole, or as a change of an earlier one.

    tables/             LanceDB
    manifest.json       sites, pages, anchors
    links.json          the edges of the documentation graph, by page
    text.json           the text of each page that readers may be shown, as Markdown
    states.json         digests by page, for the next build
    ledger.json         one row a source file
    generation.json     what this generation is
    SHA256SUMS          of every file above

A change starts as hard links of the earlier tables. LanceDB never changes a file that it wrote, so that the earlier
generation stays what it was.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import asdict
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING

from trueref_core.content import (
    IndexContent,
    PageKey,
    by_page,
    describe,
    encoded,
    ordered,
    page_states,
    stacked_vectors,
)
from trueref_core.manifest import Manifest
from trueref_core.pagefile import encode_pages, link_row, raw_pages
from trueref_core.records import Generation
from trueref_core.storage import read_verified, seal, sync_folder, write_file
from trueref_core.texts import encode_texts

if TYPE_CHECKING:
    import msgspec

BUILDING = ".building-"
"""Prefix of folders that are not a generation yet."""


def write_build(builds: Path, new: str, content: IndexContent) -> None:
    """Write the generation `new` into a folder of builds; it has its name when it is whole.

    Raises:
        OSError: The folder cannot be written. Nothing is left of what was begun.
    """
    # Not `mkdtemp`: the server that reads the index may be another user.
    temporary = builds / f"{BUILDING}{new}-{token_hex(4)}"
    temporary.mkdir()
    try:
        earlier = builds / content.kept.manifest.generation_id if content.kept else None
        _write_files(temporary, ordered(content), new, earlier)
        seal(temporary, linked_from=earlier)
        if (builds / new).exists():
            # A damaged one. Its name must be free; until the rename, `current.json` may name nothing.
            (builds / new).rename(builds / f"{BUILDING}damaged-{new}")
        temporary.rename(builds / new)
        sync_folder(builds)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _write_files(folder: Path, content: IndexContent, new: str, earlier: Path | None) -> None:
    tables = (folder / "tables").absolute()
    states = page_states(content)
    if content.kept is None:
        manifest = Manifest(new, content.sites, content.pages, content.anchors)
    else:
        before = content.kept.manifest
        manifest = before.changed(new, content.sites, content.pages, content.anchors, content.kept.pages)
    write_file(folder / "manifest.json", manifest.encode())
    links = {key: list(map(link_row, found)) for key, found in by_page(content.links).items()}
    write_file(folder / "links.json", encode_pages(links, _kept("links.json", content, earlier)))
    write_file(folder / "text.json", encode_texts(content.texts, _kept("text.json", content, earlier)))
    write_file(folder / "states.json", encoded(list(states.values())) + b"\n")
    write_file(folder / "ledger.json", encoded(content.documents) + b"\n")
    generation = describe(content, new, _write_tables(tables, content, earlier))
    write_file(folder / "generation.json", encoded(generation) + b"\n")
    _write_generation(tables, generation)


def _kept(name: str, content: IndexContent, earlier: Path | None) -> dict[PageKey, msgspec.Raw]:
    """What a file of the earlier generation holds of the pages that are kept."""
    if earlier is None or content.kept is None:
        return {}
    before = raw_pages(read_verified(earlier, name))
    return {key: before[key] for key in content.kept.pages if key in before}


def _write_tables(folder: Path, content: IndexContent, earlier: Path | None) -> dict[str, int]:
    from trueref_core.tables import CHANGED_TABLES, change_tables, write_tables

    records = {name: getattr(content, name) for name in ("pages", "anchors", "links", "documents")}
    vectors = stacked_vectors(content)
    if earlier is None:
        return write_tables(folder, records, content.chunks, vectors)
    assert content.kept is not None
    for name in CHANGED_TABLES:
        _link_tree(earlier / "tables" / f"{name}.lance", folder / f"{name}.lance")
    stale = content.kept.before.keys() - set(content.kept.pages)
    return change_tables(folder, records, content.chunks, vectors, stale, content.kept.twins)


def _write_generation(folder: Path, generation: Generation) -> None:
    from trueref_core.tables import write_generation_row

    row = asdict(generation) | {
        "sites": encoded(generation.sites).decode(),
        "counts": encoded(generation.counts).decode(),
    }
    write_generation_row(folder, row)


def _link_tree(source: Path, target: Path) -> None:
    """The same files under another name, as copies where the file system has no hard links."""

    def link(source: str, target: str) -> None:
        try:
            os.link(source, target)
        except OSError:
            shutil.copyfile(source, target)

    shutil.copytree(source, target, copy_function=link)
