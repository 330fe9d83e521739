"""The one version of the distribution, and those of the parts whose change makes a new generation."""

from __future__ import annotations

from typing import Final

__version__: Final = "0.1.0"

SCHEMA_VERSION: Final = 7
"""Layout of an index: its tables and JSON files. A reader refuses every other number."""

MANIFEST_VERSION: Final = 2
"""Form of the published manifest. A reader refuses every other number."""

READER_VERSION: Final = 16
"""Version of the reader in `trueref_plugin`. Raise it when the same HTML gives other blocks."""

CUTTER_VERSION: Final = 4
"""Version of the cutter in `trueref_plugin`. Raise it when the same blocks give other chunks."""
