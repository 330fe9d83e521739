"""The files in which the widget searches a site without a server. They are made once for a generation and cached."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from trueref_core.export.export_files import ExportedFile
from trueref_core.generations.served_generation import read_generation
from trueref_core.storage.atomic_files import replace_file
from trueref_core.version import SEARCH_FILES_VERSION, __version__
from trueref_plugin.build.server_parts import load_static_files

VERSION: Final = f"{__version__}.{SEARCH_FILES_VERSION}"
"""What made the files: another version of the program may make others from the same generation."""


class CachedFiles(msgspec.Struct, frozen=True):
    """The files that one version of the program made from one generation."""

    generation: str
    version: str
    files: list[ExportedFile]


def static_files(index: Path, site: str) -> list[ExportedFile]:
    """The search files of a site: from the cache in the folder of the index, else made now by the server part.

    Raises:
        IndexFault: The index cannot be read.
        TruerefError: The server part, which makes them, is not installed, or is damaged.
    """
    generation = read_generation(index).id
    # The name of a site may have any character, so the file is named by a digest of it.
    path = index / f"search-{hashlib.sha256(site.encode()).hexdigest()[:16]}.msgpack"
    cached = _read_cached(path)
    if cached is not None and (cached.generation, cached.version) == (generation, VERSION):
        return cached.files
    files = load_static_files()(index, site)
    # The cache only saves work in the next build. If the disk is full, code that needs the space reports it.
    with suppress(OSError):
        replace_file(path, msgspec.msgpack.encode(CachedFiles(generation, VERSION, files)))
    return files


def _read_cached(path: Path) -> CachedFiles | None:
    """The cached files; None if there are none, or if this version cannot read them."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=CachedFiles)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
