"""Reads the tables of an index as another program does, with LanceDB alone.

Trueref itself writes `pages`, `anchors`, `documents` and `generation` and never reads them: they are for other programs,
and `docs/reference/index-layout.md` says where they lie. So this is the only way to see what is in them.
"""

from __future__ import annotations

from pathlib import Path

import lancedb

from trueref_core.generations.served_generation import served_build

TIMES = frozenset({"created_at", "updated_at", "last_modified"})
"""Columns that differ between two builds of the same content."""


def table_rows(index: Path) -> dict[str, list[str]]:
    """The rows of every table of the generation that is served, in sorted order, without vectors and times."""
    database = lancedb.connect(str(served_build(index) / "tables"))
    rows: dict[str, list[str]] = {}
    for name in database.list_tables().tables:
        columns = database.open_table(name).to_arrow()
        kept = columns.select([column for column in columns.column_names if column not in {*TIMES, "vector"}])
        rows[name] = sorted(map(repr, kept.to_pylist()))
    return rows
