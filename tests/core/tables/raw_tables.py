"""The tables of an index as another program opens them with LanceDB; `docs/reference/index-layout.md` says where they lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from trueref_core.generations.served_generation import served_build


def table_of(index: Path, name: str = "chunks") -> Any:
    """A table of the generation that is served."""
    import lancedb

    return lancedb.connect(served_build(index) / "tables").open_table(name)
