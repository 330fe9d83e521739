"""The one version of the distribution, and those of the parts whose change makes a new generation.

A file that another version of a part wrote is refused.
"""

from __future__ import annotations

from typing import Final

from trueref_core.errors import REBUILD, IndexIncompatible

__version__: Final = "0.1.0"

SCHEMA_VERSION: Final = 8
"""Version of the layout of an index, its tables and JSON files. An index with another number is refused."""

MANIFEST_VERSION: Final = 2
"""Version of the form of the published manifest. A manifest with another number is refused."""

READER_VERSION: Final = 28
"""Version of the HTML reader in `trueref_plugin`. Raise it when the same HTML gives other blocks."""

SEARCH_FILES_VERSION: Final = 6
"""Version of the files of the search without a server. Raise it when the same index gives other files: a build takes
those that an earlier build made of the same generation."""

CUTTER_VERSION: Final = 5
"""Version of the cutter in `trueref_plugin`. Raise it when the same blocks give other chunks."""


def require_schema(schema: int, source: str, wanted: int = SCHEMA_VERSION) -> None:
    """Raise `IndexIncompatible` unless a file has the schema version that this version of Trueref reads."""
    if schema != wanted:
        raise IndexIncompatible(f"{source} has schema {schema}, this version reads {wanted}. {REBUILD}")
