"""The contract that build time and question time share: records, addresses, manifest, generations, embedder.

Knows no generator and no web. Nothing here imports mkdocs, starlette, `trueref_plugin` or `trueref_server`.
"""

from __future__ import annotations

from trueref_core.version import __version__

__all__ = ["__version__"]
