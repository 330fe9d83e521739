"""Loads the parts of the server that a build or a live preview calls, by the names under which it registers them."""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, Final, Protocol

from trueref_core.errors import TruerefError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from wsgiref.types import WSGIApplication

    from trueref_core.export.export_files import ExportedFile

LOCAL_PREFIX: Final = "/_trueref"
"""The path at which the companion answers during a live preview."""


class PreviewCompanion(Protocol):
    """Answers questions during a live preview. The server registers one, so the plugin need not import the server."""

    def wrap(self, app: WSGIApplication) -> WSGIApplication:
        """The application of the preview, wrapped so that requests to the companion are answered first."""
        ...

    def close(self) -> None:
        """Closes the index."""
        ...


def load_companion(index: Path) -> PreviewCompanion:
    """The companion for a live preview, from the entry-point group `trueref.companion`.

    Raises:
        TruerefError: No companion is installed.
    """
    companion: PreviewCompanion = _registered("trueref.companion", "mkdocs")(index, LOCAL_PREFIX)
    return companion


def load_static_files() -> Callable[[Path, str], list[ExportedFile]]:
    """The function that makes the files in which the widget searches a site without a server.

    Its arguments are an index and the name of a site. The server registers it in the entry-point group
    `trueref.static`.

    Raises:
        TruerefError: The server part is not installed.
    """
    static_files: Callable[[Path, str], list[ExportedFile]] = _registered("trueref.static", "serve")
    return static_files


def _registered(group: str, extra: str) -> Any:  # noqa: ANN401 - entry points have no types
    """The object that the server registered in a group of entry points. Raises `TruerefError` if there is none."""
    registered = list(entry_points(group=group))
    if not registered:
        raise TruerefError(
            f"The server part of Trueref is not installed. Install it again: pip install 'trueref[{extra}]'."
        )
    return registered[0].load()
