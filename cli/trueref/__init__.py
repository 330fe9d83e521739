"""Trueref as a library. Each name is imported when it is first used, so that importing this costs next to nothing.

from trueref import Manifest, Reference, diff, index_site, open_index
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from trueref_core.version import __version__

if TYPE_CHECKING:
    from trueref.manifest import Manifest
    from trueref_core.compare.diff import diff
    from trueref_core.errors import TruerefError
    from trueref_core.export.marked_text import pages_of
    from trueref_core.generations.served_generation import open_index, read_graph
    from trueref_core.links.resolve import resolve
    from trueref_core.records import Reference
    from trueref_plugin.build.build import index_site
    from trueref_plugin.checking.check import check

__all__ = [
    "Manifest",
    "Reference",
    "TruerefError",
    "__version__",
    "check",
    "diff",
    "index_site",
    "open_index",
    "pages_of",
    "read_graph",
    "resolve",
]

_MODULES = {
    "Manifest": "trueref.manifest",
    "Reference": "trueref_core.records",
    "TruerefError": "trueref_core.errors",
    "check": "trueref_plugin.checking.check",
    "diff": "trueref_core.compare.diff",
    "index_site": "trueref_plugin.build.build",
    "open_index": "trueref_core.generations.served_generation",
    "pages_of": "trueref_core.export.marked_text",
    "read_graph": "trueref_core.generations.served_generation",
    "resolve": "trueref_core.links.resolve",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 (PEP 562: the static types stand above)
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Stored in the module, so that the next use does not call this function.
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
