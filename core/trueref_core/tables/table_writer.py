"""Records in LanceDB: how they become rows, and how a generation's tables are written.

How chunks are searched is in `chunk_search`. The only module that imports lancedb and pyarrow, inside functions: they
take two seconds of processor time. Numbers behind the choices are in FACTS: analysis `icu/split` with stemming and
without stop words finds `--no-deps`, `foo.bar_baz` and words of languages without spaces.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from datetime import timedelta
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from trueref_core.records import Anchor, Chunk, Document, Link, Page
from trueref_core.tables.filters import pages_clause, texts_clause, whole_words
from trueref_core.tables.light_import import without_client
from trueref_core.text.word_forms import indexed_forms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Record = TypeVar("Record", Page, Anchor, Chunk, Link, Document)

RECORD_TABLES: dict[str, type[Any]] = {"pages": Page, "anchors": Anchor, "links": Link, "documents": Document}

TEXT_WEIGHTS = {"title": 3.0, "breadcrumb_terms": 1.5, "text": 1.0, "alias_terms": 2.0, "word_forms": 1.0}
"""How much a match in each searched column of `chunks` adds to a score. Scores of columns are summed."""

WHOLE = ("alias_terms", "word_forms")
"""Searched columns that hold terms as they are to be found."""

CHANGED_TABLES = {"pages": "page", "anchors": "page", "links": "from_page", "documents": "file_path", "chunks": "page"}
"""Tables that a build changes by page or by source file, with the column of it."""

MOST_FLAT = 20_000
"""Chunks whose vectors are compared one by one, in memory: 30 MB at 384 dimensions, and 40 times as fast as asking the
table. Tables of a generation with more chunks have the indexes of `_large_indexes`."""

MOST_ASKED_FOR = 2_000
"""Vectors of more texts than this are found faster by reading all of them."""

MERGED_ALWAYS = 50_000
"""Up to so many chunks, merging takes a third of a second and is done by every build."""

FRAGMENTS_MOST = 30
"""So many changes may lie beside the rows of a large table before all of them are written again."""

NOW = timedelta(milliseconds=1)
"""At zero LanceDB warns of other readers; those of a generation that is being made are none."""

SYSTEM_ERROR = re.compile(r"\(os error (\d+)\)")


def write_tables(
    folder: Path,
    records: Mapping[str, Sequence[Any]],
    chunks: Sequence[Chunk],
    vectors: NDArray[np.float32] | None,
) -> dict[str, int]:
    """Create the tables of a generation in an empty folder, with the indexes that searching needs, and count the rows.

    Args:
        folder: An absolute path: LanceDB takes some relative ones for names in its cloud.
        records: Rows of the tables named in `RECORD_TABLES`.
        chunks: Rows of the table `chunks`.
        vectors: One row for each chunk, or None for a generation that is searched by text only.

    Raises:
        OSError: The folder cannot be written.
    """
    tables = {name: to_arrow(records[name], record_type) for name, record_type in RECORD_TABLES.items()}
    with _system_errors():
        database = lancedb_module().connect(str(folder))
        for name, rows in tables.items():
            database.create_table(name, rows)
        table = database.create_table("chunks", _chunks_to_arrow(chunks, vectors))
        if chunks:
            _index_text(table)
            _fit_indexes(database, len(chunks))
            table.optimize()
    return {name: rows.num_rows for name, rows in tables.items()} | {"chunks": len(chunks)}


def change_tables(
    folder: Path,
    records: Mapping[str, Sequence[Any]],
    chunks: Sequence[Chunk],
    vectors: NDArray[np.float32] | None,
    stale: Mapping[str, Collection[tuple[str, str]]],
    check: Callable[[str], None],
) -> dict[str, int]:
    """Change the tables of a generation that were copied from an earlier one, and give back how many rows they have.

    Args:
        folder: An absolute path. It holds the tables named in `stale` and no others; what is in their files is never
            changed, so that they may be hard links.
        records: Of the tables named in `RECORD_TABLES` the rows that come, and all rows of those that are not there.
        chunks: The chunks of new pages.
        vectors: One row for each of them, or None for a generation that is searched by text only.
        stale: By table, site and page, or site and source file, of the rows that go. It names the table `chunks`.
        check: Called with the name of a table before rows of it are written again, to raise where it is damaged.

    Raises:
        OSError: The folder cannot be written.
    """
    new = {name: to_arrow(records[name], record_type) for name, record_type in RECORD_TABLES.items()}
    new["chunks"] = _chunks_to_arrow(chunks, vectors)
    counts: dict[str, int] = {}
    with _system_errors():
        database = lancedb_module().connect(str(folder))
        for name, rows in new.items():
            if name in stale:
                counts[name] = _change(database.open_table(name), rows, stale[name], check)
            else:
                database.create_table(name, rows)
                counts[name] = rows.num_rows
        _fit_indexes(database, counts["chunks"], check)
    return counts


def _change(
    table: Any,
    added: Any,
    stale: Collection[tuple[str, str]],
    check: Callable[[str], None],
) -> int:
    """Change the rows of one table, merge them where that is due, and count all of them."""
    is_chunks = table.name == "chunks"
    is_changed = bool(stale or added.num_rows)
    is_merged = is_changed and _is_scattered(table, is_chunks=is_chunks)
    if is_merged:
        check(table.name)
    if stale:
        table.delete(pages_clause(stale, CHANGED_TABLES[table.name]))
    if added.num_rows:
        table.add(added)
        if is_chunks and not table.list_indices():
            # The sites of before had no text: an empty table has no index.
            _index_text(table)
    if is_merged:
        # The files of before are no one's here.
        table.optimize(cleanup_older_than=NOW, delete_unverified=True)
    count: int = table.count_rows()
    return count


def _is_scattered(table: Any, *, is_chunks: bool) -> bool:
    """Whether the rows of a table are merged with what comes to them: that writes all of them again.

    Full text is slower for rows that are not merged into its index: 14 ms for 30 of them beside 30,000, and not 8.
    """
    if is_chunks and table.count_rows() <= MERGED_ALWAYS:
        return True
    return bool(table.stats()["fragment_stats"]["num_fragments"] >= FRAGMENTS_MOST)


def write_generation_row(folder: Path, generation: Mapping[str, Any]) -> None:
    """Create the table `generation`, which has this one row. Raises `OSError` where the folder cannot be written."""
    with _system_errors():
        lancedb_module().connect(str(folder)).create_table("generation", _arrow().Table.from_pylist([dict(generation)]))


def to_arrow(records: Sequence[Record], record_type: type[Record]) -> Any:
    """Records as an Arrow table: one column a field, tuples as lists, no nulls."""
    columns = {field.name: list(map(attrgetter(field.name), records)) for field in fields(record_type)}
    return _arrow().table(columns, schema=_schema(record_type))


def from_arrow(table: Any, record_type: type[Record]) -> list[Record]:
    """The records of an Arrow table that has at least their fields."""
    hints = get_type_hints(record_type)
    columns = []
    for field in fields(record_type):
        values = table.column(field.name).to_pylist()
        columns.append(map(tuple, values) if get_origin(hints[field.name]) is tuple else values)
    return [record_type(*values) for values in zip(*columns, strict=True)]


def read_vectors(folder: Path, text_hashes: Collection[str] | None = None) -> dict[str, NDArray[np.float32]]:
    """The vectors of a generation's chunks by text hash, of some texts or of all; empty where it has none."""
    table = lancedb_module().connect(str(folder)).open_table("chunks")
    if "vector" not in table.schema.names:
        return {}
    query = table.search().select(["text_hash", "vector"])
    if text_hashes is not None and len(text_hashes) <= MOST_ASKED_FOR:
        if not text_hashes:
            return {}
        query = query.where(texts_clause(text_hashes))
    rows = query.to_arrow()
    return dict(zip(rows.column("text_hash").to_pylist(), matrix_of(rows), strict=True))


def _index_text(table: Any) -> None:
    """Make the full-text indexes of a table of chunks."""
    from lancedb.index import FTS

    analysed = FTS(base_tokenizer="icu/split", stem=True, remove_stop_words=False)
    # Identifiers as one rare term each: split into parts, `--no-deps` would be two of the most common words.
    whole = FTS(base_tokenizer="whitespace", stem=False, remove_stop_words=False, max_token_length=200)
    for column in TEXT_WEIGHTS:
        table.create_index(column, config=whole if column in WHOLE else analysed)


def _fit_indexes(database: Any, chunks: int, check: Callable[[str], None] = lambda _name: None) -> None:
    """Make the indexes that only a large generation needs, and drop them from one that is large no more.

    Those that are there stay as they are: `optimize` takes new rows into them, and cuts partitions that have grown.
    """
    for name, wanted in _large_indexes().items():
        table = database.open_table(name)
        there = {index.columns[0]: index.name for index in table.list_indices()}
        if chunks > MOST_FLAT:
            for column in sorted(wanted.keys() & _indexable(table.schema) - there.keys()):
                table.create_index(column, config=wanted[column])
        elif stale := wanted.keys() & there.keys():
            check(name)
            for column in stale:
                table.drop_index(there[column])
            # Takes the files away too.
            table.optimize(cleanup_older_than=NOW, delete_unverified=True)


def _indexable(schema: Any) -> set[str]:
    """The columns that can have an index. IVF_RQ packs a bit for each dimension into bytes, and refuses half ones."""
    names = set(schema.names)
    is_odd = "vector" in names and schema.field("vector").type.list_size % 8
    return names - {"vector"} if is_odd else names


def _large_indexes() -> dict[str, dict[str, Any]]:
    """By table, what columns are indexed of a large generation: vectors, and what conditions ask for."""
    from lancedb.index import Bitmap, BTree, IvfRq

    of_chunks = {"vector": IvfRq(distance_type="cosine"), "site": Bitmap(), "version": Bitmap(), "language": Bitmap()}
    return {"chunks": of_chunks, "links": {"from_page": BTree()}}


def text_query(asked: Iterable[tuple[str, str]]) -> Any:
    """A full-text query for texts, each in a column. Of several columns the weighted scores are summed.

    LanceDB's own query of several columns takes the best one alone.
    """
    import lancedb.query

    # To mypy, the fields of its pydantic dataclasses have no defaults.
    language: Any = lancedb.query
    matches = [language.MatchQuery(text, column, boost=TEXT_WEIGHTS[column]) for column, text in asked]
    if len(matches) == 1:
        return matches[0]
    return language.BooleanQuery([(language.Occur.SHOULD, match) for match in matches])


def _chunks_to_arrow(chunks: Sequence[Chunk], vectors: NDArray[np.float32] | None) -> Any:
    """Chunks as an Arrow table, with the columns that only searches need: terms, forms of words, vectors."""
    arrow = _arrow()
    table = to_arrow(chunks, Chunk)
    table = table.append_column(
        "breadcrumb_terms", arrow.array([" > ".join(c.breadcrumb) for c in chunks], arrow.string())
    )
    table = table.append_column("alias_terms", arrow.array([whole_words(c.aliases) for c in chunks], arrow.string()))
    forms = [indexed_forms(" ".join((c.title, *c.breadcrumb, c.text)), c.language) for c in chunks]
    table = table.append_column("word_forms", arrow.array(forms, arrow.string()))
    if vectors is None:
        return table
    values = arrow.array(vectors.astype("float32", copy=False).ravel(), arrow.float32())
    return table.append_column("vector", arrow.FixedSizeListArray.from_arrays(values, vectors.shape[1]))


def _schema(record_type: type[Any]) -> Any:
    """The Arrow schema of a record: a column a field, and none may be null."""
    arrow = _arrow()
    plain = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}

    def arrow_type(hint: Any) -> Any:
        if get_origin(hint) is tuple:
            return arrow.list_(arrow.field("item", arrow.string(), nullable=False))
        # Every other generic of the records is a Literal of strings.
        return plain[hint] if hint in plain else plain[type(get_args(hint)[0])]

    hints = get_type_hints(record_type)
    return arrow.schema([arrow.field(f.name, arrow_type(hints[f.name]), nullable=False) for f in fields(record_type)])


def matrix_of(rows: Any) -> NDArray[np.float32]:
    """The vectors of an Arrow table, one row for each of its rows."""
    column = rows.column("vector").combine_chunks()
    matrix: NDArray[np.float32] = column.flatten().to_numpy().reshape(len(column), column.type.list_size)
    return matrix


@contextmanager
def _system_errors() -> Generator[None]:
    """LanceDB raises RuntimeError for a full disk too; in most cases the system's error number is in its text."""
    try:
        yield
    except (RuntimeError, OSError) as error:
        number = SYSTEM_ERROR.search(str(error))
        if number is not None:
            raise OSError(int(number[1]), os.strerror(int(number[1]))) from error
        if isinstance(error, OSError):
            raise
        # A file that was cut off by a limit is said to be shorter than it should be, and no more.
        raise OSError(errno.EIO, f"LanceDB says: {str(error).splitlines()[0]}") from error


def lancedb_module() -> Any:
    """LanceDB, imported when it is first needed."""
    # Read when lancedb is imported: without it every query of a table without a vector index prints a warning.
    os.environ.setdefault("LANCEDB_LOG", "error")
    import lancedb

    return lancedb


def import_lancedb_lightly() -> None:
    """Import LanceDB for a process that asks one question, in half the time. It can open folders only."""
    with suppress(Exception), without_client():
        # Another version of LanceDB may do more with the names: then it is imported whole when it is needed.
        lancedb_module()


def _arrow() -> Any:
    import pyarrow

    return pyarrow
