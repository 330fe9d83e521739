"""What both a build and a live preview need besides the index itself: widget files, the snippet, the companion.

Knows no host: paths and values only.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

import msgspec

from trueref_core.errors import TruerefError
from trueref_widget import FILES, STATIC, WidgetOptions, snippet

ASSETS: Final = "assets/trueref/"
"""Where the widget's files stand in the site, relative to its root."""
LOCAL_PREFIX: Final = "/_trueref"
"""Where the companion answers under a live preview."""


@dataclass(frozen=True, slots=True)
class WidgetLook:
    """The part of the snippet that is the same on every page. None leaves a choice to the widget."""

    server: str
    language: str = ""
    label: str | None = None
    shortcut: str | None = None
    position: str | None = None
    accent: str | None = None
    words: dict[str, str] | None = None

    def snippet(self, base: str) -> str:
        """The HTML for a page whose way to the site's root is `base`, such as `../../`."""
        chosen = {
            "lang": self.language or None,
            "label": self.label,
            "shortcut": self.shortcut,
            "position": self.position,
            "accent": self.accent,
            "words": self.words,
        }
        given: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
        return snippet(WidgetOptions(server=self.server, base=base, assets=f"{base}{ASSETS}", **given))


def write_assets(site: Path, generation: str) -> None:
    """Puts the widget's files into the site, and the id of the generation that was made from it."""
    folder = site / ASSETS
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copyfile(STATIC / name, folder / name)
    (folder / "build.json").write_bytes(msgspec.json.encode({"generation": generation}) + b"\n")


def load_companion(index: Path) -> Any:
    """The companion for a live preview, from the entry-point group `trueref.companion`.

    Raises:
        TruerefError: No companion is installed.
    """
    found = list(entry_points(group="trueref.companion"))
    if not found:
        raise TruerefError("The server part of Trueref is not installed. Install it again: pip install 'trueref[mkdocs]'.")
    return found[0].load()(index, LOCAL_PREFIX)
