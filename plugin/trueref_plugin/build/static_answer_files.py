"""The files that a site without a server answers from, made once for a generation and then kept beside it."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import msgspec

from trueref_core.export.export_files import Exported
from trueref_core.generations.served_generation import read_generation
from trueref_core.version import __version__
from trueref_plugin.build.site_assets import load_static_files


class Kept(msgspec.Struct, frozen=True):
    """The files of a site as one version of the program made them of one generation."""

    generation: str
    version: str
    files: list[tuple[str, bytes]]


def static_files(index: Path, site: str) -> list[Exported]:
    """The files for a site of an index. Of a generation whose files are kept, nothing heavy is imported.

    Raises:
        IndexFault: The index cannot be read.
        TruerefError: The server part, which makes them, is not installed.
    """
    generation = read_generation(index).id
    path = index / f"search-{hashlib.sha256(site.encode()).hexdigest()[:16]}.msgpack"
    kept = _read(path)
    if kept is not None and (kept.generation, kept.version) == (generation, __version__):
        return [Exported(name, data) for name, data in kept.files]
    files = load_static_files()(index, site)
    # What is kept only spares the next build this work: a full disk is reported where the space is needed.
    with suppress(OSError):
        temporary = path.with_suffix(".tmp")
        kept = Kept(generation, __version__, [(file.path, file.data) for file in files])
        temporary.write_bytes(msgspec.msgpack.encode(kept))
        temporary.replace(path)
    return files


def _read(path: Path) -> Kept | None:
    """What is kept, None where nothing is, or where another version kept it."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=Kept)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
