"""Reads the served generation of an index.

Only the functions for vectors and `open_index` import lancedb; all others read JSON files alone.
"""

from __future__ import annotations

import asyncio
import re
import stat
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.embedding.packed_wordpieces import unpack
from trueref_core.errors import REBUILD, IndexDamaged, IndexMissing, OptionError
from trueref_core.extras import require_extra
from trueref_core.generations.open_generation import OpenIndex
from trueref_core.generations.page_digests import PageState, page_key
from trueref_core.generations.page_values import ANCHORS, KINDS, LINKS, TEXTS, decode_links
from trueref_core.links.section_graph import Graph
from trueref_core.manifest.codec import ManifestFile, SchemaOnly, decode_pages
from trueref_core.manifest.history import History, read_history
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Document, Generation, Link, PageKey, TextVectors
from trueref_core.storage.integrity_cache import delete_cache, verify_changed_files
from trueref_core.storage.page_parts import Parts
from trueref_core.storage.sealed_folders import read_summed, read_sums, read_verified, unreadable, verify
from trueref_core.tables import table_writer
from trueref_core.tables.chunk_search import ChunkTable
from trueref_core.version import SCHEMA_VERSION, require_schema

# A strict pattern, because an id from current.json becomes part of a path.
GENERATION_ID = re.compile(r"[0-9a-f]{24}")


CHUNKS_TABLE: Final = "tables/chunks.lance/"

LENGTH_TOLERANCE: Final = 1e-2
"""How much the square of a vector's length may differ from 1: some embedders compute with sixteen bits."""


class Retired(msgspec.Struct, frozen=True):
    """A generation that was served until the time `until`, in seconds since 1970."""

    generation: str
    until: float


class CurrentFile(msgspec.Struct, frozen=True):
    """The content of `current.json`: the served generation, and the ones before it, the latest first."""

    schema: int
    generation: str
    previous: tuple[Retired, ...] = ()


def index_folder(option: str) -> Path:
    """The folder that an `index` option names; `~` is the home folder.

    Raises:
        OptionError: The option is an address like `s3://bucket/docs`.
    """
    if "://" in option:
        raise OptionError(f"An index is a folder for now: {option} cannot be used. Give a path.")
    return Path(option).expanduser()


def read_current(index: Path) -> str | None:
    """The id of the served generation, None if nothing was published. Raises `IndexDamaged`."""
    current = read_served(index)
    return current.generation if current else None


def read_generation(index: Path) -> Generation:
    """The served generation. Reads JSON only.

    Raises:
        IndexMissing: There is no index.
        IndexDamaged: A file differs from what was written.
        IndexIncompatible: The index was written by another schema version.
    """
    return decode_generation(served_build(index))


def read_intact(index: Path) -> Generation:
    """The served generation, after its files were verified.

    Files that were compared before and have the same size, time and inode are not read again (see `integrity_cache`);
    comparing the others takes about 1 ms a megabyte. Raises what `read_generation` raises.
    """
    build = served_build(index)
    verify_changed_files(index, build)
    return decode_generation(build)


def read_manifest(index: Path, generation: str | None = None) -> Manifest:
    """The manifest of a generation, the served one by default, with the history of the index.

    Reads JSON only, anchors when they are looked up, and raises what `read_generation` raises.
    """
    return read_build_manifest(build_folder(index, generation), read_history(index))


def read_build_manifest(build: Path, history: History | None = None) -> Manifest:
    """The manifest of a build. Raises what `read_generation` raises."""
    sums = read_sums(build)
    file = decode_pages(read_summed(build, "manifest.json", sums), str(build / "manifest.json"))
    return Manifest.from_parts(file, Parts(build, ANCHORS, decode_generation(build).parts, sums), history)


def read_manifest_file(build: Path) -> ManifestFile:
    """The rows of a build's manifest and of the history of its index. Raises what `read_generation` raises."""
    rows = read_build_manifest(build).rows()
    return msgspec.structs.replace(rows, history=read_history(build.parent.parent).entries)


def read_parts(build: Path) -> dict[str, Parts]:
    """The values of each page in a build, by kind (see `page_values`). Raises what `read_generation` raises."""
    sums, count = read_sums(build), decode_generation(build).parts
    return {kind: Parts(build, kind, count, sums) for kind in KINDS}


def read_build_texts(build: Path) -> dict[PageKey, str]:
    """The texts of a build's pages that readers may be shown, as Markdown, in the order of the pages.

    The texts have no links in them. Reads JSON only; raises what `read_generation` raises.
    """
    return read_parts(build)[TEXTS].decoded(str)


def text_reader(build: Path) -> Callable[[str, str], str | None]:
    """A function that reads the text of a page of a build, by its site and address; None if the page has no text.

    The texts are read part by part, when a page in a part is first asked for. This function and the one that it returns
    raise what `read_generation` raises.
    """
    parts = read_parts(build)[TEXTS]

    def text_of(site: str, page: str) -> str | None:
        raw = parts.get((site, page))
        return None if raw is None else msgspec.json.decode(raw, type=str)

    return text_of


def read_ledger(index: Path, generation: str | None = None) -> tuple[Document, ...]:
    """The ledger of a generation, the served one by default. Reads JSON only; raises what `read_generation` raises."""
    build = build_folder(index, generation)
    return msgspec.json.decode(read_verified(build, "ledger.json"), type=tuple[Document, ...])


def read_states(index: Path, generation: str | None = None) -> dict[PageKey, PageState]:
    """The state of each page of a generation, the served one by default. Raises what `read_generation` raises."""
    data = read_verified(build_folder(index, generation), "states.json")
    return {page_key(state): state for state in msgspec.json.decode(data, type=list[PageState])}


def read_links(index: Path) -> list[Link]:
    """The edges of the served generation. Reads JSON only; raises what `read_generation` raises."""
    return decode_links(read_parts(served_build(index))[LINKS])


def read_graph(index: Path | str, site: str | None = None) -> Graph:
    """The documentation graph of a site of the served generation. `site` may be left out if it is the only one.

    Reads JSON only, and raises what `read_generation` raises.
    """
    return Graph(link for link in read_links(Path(index)) if site is None or link.site == site)


def verified_vectors(build: Path, text_hashes: Collection[str] | None) -> dict[str, TextVectors]:
    """The vectors of a generation by text hash: those of the given texts, or all if `text_hashes` is None.

    The table is compared with its sums first, unless it is large and few vectors are wanted: the comparison would then
    take far longer than reading the vectors. In every case, a text is left out whose vector has not the length 1, which
    all vectors have when they are written, or whose wordpieces do not have the size that they say.

    Raises:
        IndexDamaged: The table differs from what was written.
    """
    is_large = decode_generation(build).counts["chunks"] > table_writer.MERGED_ALWAYS
    are_few_wanted = text_hashes is not None and len(text_hashes) <= table_writer.MAX_LOOKED_UP
    if not (is_large and are_few_wanted):
        verify(build, CHUNKS_TABLE)
    try:
        vectors = unverified_vectors(build, text_hashes)
    except Exception:
        # LanceDB raises errors of many types for a damaged table. If it is damaged, comparing the sums reports it.
        verify(build, CHUNKS_TABLE)
        raise
    return {name: of_text for name, of_text in vectors.items() if _is_intact(of_text)}


def _is_intact(vectors: TextVectors) -> bool:
    """Whether the vectors of a text can be those that were written. A changed bit of the wordpieces is not noticed."""
    vector, wordpieces = vectors.vector, vectors.wordpieces
    is_of_length_one = abs(float(vector @ vector) - 1) < LENGTH_TOLERANCE
    return is_of_length_one and (not wordpieces or unpack(wordpieces, len(vector)) is not None)


def unverified_vectors(build: Path, text_hashes: Collection[str] | None) -> dict[str, TextVectors]:
    """The vectors of a generation whose files were verified, by text hash; see `verified_vectors`."""
    return table_writer.read_vectors((build / "tables").absolute(), text_hashes)


async def open_index(index: Path | str) -> OpenIndex:
    """Open the served generation for questions, after comparing all of its files with their sums.

    Raises:
        IndexMissing: There is no index.
        IndexDamaged: A file differs from what was written.
        IndexIncompatible: The index was written by another schema version.
        ExtraMissing: The extra `serve` is not installed.
    """
    require_extra("serve", "Searching an index")
    folder = Path(index)
    build = served_build(folder)
    generation = decode_generation(build)
    try:
        await asyncio.to_thread(verify, build)
    except IndexDamaged:
        delete_cache(folder)
        raise
    manifest = await asyncio.to_thread(_whole_manifest, build, generation.parts, folder)
    table = await ChunkTable.open((build / "tables").absolute())
    # Every question needs the rows, and the vectors too if they are few enough for memory.
    rows = await table.rows()
    matrix = None if table.is_large or not table.dimensions else await table.matrix()
    return OpenIndex(build, generation, manifest, table, rows, matrix, rows.languages)


def _whole_manifest(build: Path, parts: int, index: Path) -> Manifest:
    """The manifest of a verified build. All anchors are read at once: the build may be deleted while it is in use."""
    file = decode_pages((build / "manifest.json").read_bytes(), str(build / "manifest.json"))
    anchors = Parts(build, ANCHORS, parts, None)
    anchors.items()
    return Manifest.from_parts(file, anchors, read_history(index))


def build_folder(index: Path, generation: str | None = None) -> Path:
    """The folder of a generation, of the served one by default. Raises `IndexMissing` or `IndexDamaged`."""
    return served_build(index) if generation is None else index / "builds" / generation


def served_build(index: Path) -> Path:
    """The folder of the served generation. Raises `IndexMissing` or `IndexDamaged`."""
    current = read_served(index)
    if current is None:
        found = f"{index} is a file, and an index is a folder." if index.is_file() else f"No index at {index}."
        raise IndexMissing(f"{found} Build one with `mkdocs build`, or `trueref index SITE`.")
    build = index / "builds" / current.generation
    try:
        is_folder = stat.S_ISDIR(build.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        is_folder = False
    except OSError as error:
        raise unreadable(build, error) from error
    if not is_folder:
        raise IndexDamaged(f"The index is damaged: {build} is missing. {REBUILD}")
    return build


def read_served(index: Path) -> CurrentFile | None:
    """The content of `current.json`, None if nothing was published. Raises `IndexDamaged` or `IndexIncompatible`."""
    path = index / "current.json"
    try:
        current = msgspec.json.decode(path.read_bytes(), type=CurrentFile)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(path, error) from error
    except (msgspec.DecodeError, UnicodeDecodeError):
        # Handled below like a file that names no generation, with the same error.
        current = CurrentFile(SCHEMA_VERSION, generation="")
    require_schema(current.schema, str(path))
    if not GENERATION_ID.fullmatch(current.generation):
        raise IndexDamaged(f"{path} does not name a generation. {REBUILD}")
    return current


def decode_generation(build: Path) -> Generation:
    """The generation in a folder. Raises `IndexDamaged` or `IndexIncompatible`."""
    data = read_verified(build, "generation.json")
    # The schema is checked before the rest is decoded, since another version may have other fields.
    require_schema(msgspec.json.decode(data, type=SchemaOnly).schema, f"The index at {build.parent.parent}")
    return msgspec.json.decode(data, type=Generation)
