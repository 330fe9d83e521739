"""What both a build and a live preview need besides the index itself: the widget's files, the companion.

Knows no host: paths and values only.
"""

from __future__ import annotations

import shutil
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from trueref_core.errors import SiteError, TruerefError
from trueref_widget import FILES, STATIC

if TYPE_CHECKING:
    from wsgiref.types import WSGIApplication

    from trueref_core.records import Generation

ASSETS: Final = "assets/trueref/"
"""Where the widget's files stand in the site, relative to its root."""
BUILD: Final = "build.json"
"""The file among them that names the generation."""
LOCAL_PREFIX: Final = "/_trueref"
"""Where the companion answers under a live preview."""


def write_assets(site: Path) -> None:
    """Puts the widget's files into the site, for pages of no generation in particular."""
    folder = site / ASSETS
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(STATIC / name, folder / name)
    _write_generation(site, "")


def _write_generation(site: Path, generation: str) -> None:
    """Notes in the site, beside the widget's files, which generation was made from it."""
    (site / ASSETS / BUILD).write_bytes(msgspec.json.encode({"generation": generation}) + b"\n")


def note_generation(site: Path, generation: Generation) -> None:
    """Notes in the site which generation is served, where the widget's files are in it.

    Of an index of several sites every build of any of them has another id, which says nothing of the pages of this one.

    Raises:
        SiteError: The site cannot be written to.
    """
    if not (site / ASSETS / BUILD).is_file():
        return
    try:
        _write_generation(site, generation.id if len(generation.sites) == 1 else "")
    except OSError as error:
        raise SiteError(
            f"{site / ASSETS / BUILD} cannot be written ({error.strerror or error}). Free its disk or its permissions."
        ) from error


class Companion(Protocol):
    """What answers under a live preview. The server part registers one, so that neither part imports the other."""

    def wrap(self, app: WSGIApplication) -> WSGIApplication:
        """The application of the preview with the answers in front of it."""
        ...

    def close(self) -> None:
        """Lets go of the index."""
        ...


def load_companion(index: Path) -> Companion:
    """The companion for a live preview, from the entry-point group `trueref.companion`.

    Raises:
        TruerefError: No companion is installed.
    """
    found = list(entry_points(group="trueref.companion"))
    if not found:
        raise TruerefError(
            "The server part of Trueref is not installed. Install it again: pip install 'trueref[mkdocs]'."
        )
    companion: Companion = found[0].load()(index, LOCAL_PREFIX)
    return companion
