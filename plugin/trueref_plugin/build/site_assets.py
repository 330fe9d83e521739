"""The files of the widget in a built site, which a build writes and a live preview too.

Nothing here depends on a generator such as MkDocs.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.addresses import ASSETS
from trueref_core.errors import SiteError
from trueref_core.export.offered_questions import offered_questions
from trueref_core.generations.served_generation import read_manifest
from trueref_widget import FILES, file_bytes

if TYPE_CHECKING:
    from trueref_core.records import Generation

BUILD: Final = "build.json"
"""The file in `ASSETS` that names the generation."""
QUESTIONS: Final = "questions.json"
"""The file in `ASSETS` with the questions that the widget offers."""
TEMPORARY: Final = f"{ASSETS}.export.tmp"
"""Where a file is written before it is renamed: always here, so that a build overwrites what a killed one left."""


def replace_in_site(site: Path, path: Path, data: bytes) -> None:
    """Replaces a file of a site. If the process is killed, the file is the old one or the new one, never a part."""
    # Not by `atomic_files.replace_file`, which writes its temporary file beside the page: a killed build would leave it
    # there, and it would be deployed.
    temporary = site / TEMPORARY
    for folder in (path.parent, temporary.parent):
        folder.mkdir(parents=True, exist_ok=True)
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_assets(site: Path) -> None:
    """Puts the widget's files into the site. They name no generation until `note_build` adds its id."""
    folder = site / ASSETS
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        (folder / name).write_bytes(file_bytes(name))
    _write_build(site, "")


def _write_build(site: Path, generation: str, *, questions: bool = False) -> None:
    """Writes `build.json`: which generation was made from the site, and whether there are questions to offer."""
    build_facts = {"generation": generation, **({"questions": True} if questions else {})}
    (site / ASSETS / BUILD).write_bytes(msgspec.json.encode(build_facts) + b"\n")


def note_build(site: Path, index: Path, name: str | None, generation: Generation | None = None) -> None:
    """Writes the id of the generation and the questions to offer beside the widget's files, if the site has these.

    In an index of several sites, a build of any site changes the id of the generation. The id then says nothing about
    the pages of this site, so that none is written.

    Args:
        site: The site folder.
        index: The index that was made from it.
        name: Name of the site in the index; None if the index has one site.
        generation: The served generation; None if it was not made from these pages.

    Raises:
        IndexFault: The index cannot be read.
        SiteError: The site cannot be written to.
    """
    folder = site / ASSETS
    if not (folder / BUILD).is_file():
        return
    offered = offered_questions(read_manifest(index), name)
    try:
        if offered.pages:
            (folder / QUESTIONS).write_bytes(msgspec.json.encode(offered) + b"\n")
        else:
            (folder / QUESTIONS).unlink(missing_ok=True)
        own_id = generation.id if generation is not None and len(generation.sites) == 1 else ""
        _write_build(site, own_id, questions=bool(offered.pages))
    except OSError as error:
        raise SiteError(
            f"{folder / BUILD} cannot be written ({error.strerror or error}). Free its disk or its permissions."
        ) from error
