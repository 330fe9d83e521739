"""Writes records as rows of LanceDB tables. `chunk_search` searches them.

This is the only module that imports lancedb and pyarrow. It imports them inside functions, since importing takes two
seconds of processor time. The tokenizer `icu/split`, with stemming and without stop words, was chosen because it finds
`--no-deps`, `foo.bar_baz` and words of languages without spaces.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from datetime import timedelta
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

from trueref_core.records import Anchor, Chunk, Document, Link, Page, TextVectors
from trueref_core.tables.filters import one_of, pairs_clause, whole_words
from trueref_core.tables.light_import import without_client
from trueref_core.text.identifiers import sign_terms
from trueref_core.text.word_forms import indexed_forms

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Record = TypeVar("Record", Page, Anchor, Chunk, Link, Document)

RECORD_TABLES: dict[str, type[Any]] = {"pages": Page, "anchors": Anchor, "links": Link, "documents": Document}

TEXT_WEIGHTS = {"title": 3.0, "breadcrumb_terms": 1.5, "text": 1.0, "alias_terms": 2.0, "word_forms": 1.0}
"""The weight of a match in each searched column of `chunks`. The weighted scores of the columns are summed."""

UNSTEMMED_COLUMNS = ("alias_terms", "word_forms")
"""Searched columns whose terms are indexed as they are, without stemming."""

CHANGED_TABLES = {"anchors": "page", "links": "from_page", "chunks": "page"}
"""The tables that an incremental build changes, each with the column that has the page of a row."""

MAX_FLAT = 20_000
"""Up to this many chunks, their vectors are compared one by one in memory. This takes 30 MB at 384 dimensions and is 40
times as fast as a search in the table. The tables of a larger generation have the indexes of `_large_indexes`."""

PARTITION_VECTORS = 8_192
"""Vectors in a partition of their index, on average. `PROBES` of the search was measured with as many. With half of
them, LanceDB's default, a search finds less in the same time (`docs/decisions/scale.md`)."""

MAX_LOOKED_UP = 2_000
"""If the vectors of more texts than this are wanted, reading all vectors is faster than looking each up."""

READ_AT_ONCE = 5_000
"""How many rows are read at a time where all vectors are read."""

MERGED_ALWAYS = 50_000
"""Up to this many chunks, every build merges the fragments of the table. This took at most a third of a second before
chunks had wordpieces, which double the bytes."""

MAX_FRAGMENTS = 30
"""A larger table is merged only when it has this many fragments, since merging writes all of its rows again."""

MIN_CLEANUP_AGE = timedelta(milliseconds=1)
"""The age from which merging deletes old files: all of them. For an age of zero LanceDB warns that others may read
them, but nobody reads an unfinished generation."""

SYSTEM_ERROR = re.compile(r"\(os error (\d+)\)")


@dataclass(frozen=True, slots=True, eq=False)
class StackedVectors:
    """The vectors of chunks: `matrix` has a row for each chunk, and `wordpieces` the packed wordpieces of each."""

    matrix: NDArray[np.float32]
    wordpieces: Sequence[bytes]


def write_tables(
    folder: Path,
    records: Mapping[str, Sequence[Any]],
    chunks: Sequence[Chunk],
    vectors: StackedVectors | None,
    stale: Mapping[str, Collection[tuple[str, str]]],
    check: Callable[[str], None],
) -> dict[str, int]:
    """Write the tables of a generation, with the indexes that searches need, and return their numbers of rows.

    Args:
        folder: An absolute path: LanceDB reads some relative paths as names in its cloud. The folder contains exactly
            the tables named in `stale`, as hard links to those of an earlier generation; files are added to these
            tables, and never changed.
        records: For each table of `RECORD_TABLES`, the rows to add to a table in `stale`, or all rows of any other.
        chunks: The same for the table `chunks`.
        vectors: Those of the chunks, or None for a generation that is searched by text only.
        stale: For each existing table, site and page of the rows to delete.
        check: Called with the name of a table before all of its rows are written again; raises if the table is damaged.

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
                counts[name] = _change_table(database.open_table(name), rows, stale[name], check)
            else:
                table = database.create_table(name, rows)
                counts[name] = rows.num_rows
                if name == "chunks" and chunks:
                    _index_text(table)
        _adjust_large_indexes(database, counts["chunks"], check)
    return counts


def _change_table(
    table: Any,
    added: Any,
    stale: Collection[tuple[str, str]],
    check: Callable[[str], None],
) -> int:
    """Delete stale rows of a table, add new ones, merge its fragments if there are many, and return its row count."""
    is_chunks = table.name == "chunks"
    is_changed = bool(stale or added.num_rows)
    is_merged = is_changed and _is_scattered(table, is_chunks=is_chunks)
    if is_merged:
        check(table.name)
    if stale:
        table.delete(pairs_clause(stale, CHANGED_TABLES[table.name]))
    if added.num_rows:
        table.add(added)
        if is_chunks and not table.list_indices():
            # The table was empty until now, and an empty table gets no index.
            _index_text(table)
    if is_merged:
        # The old files can be deleted: here they are only hard links, and the earlier generation keeps its own.
        table.optimize(cleanup_older_than=MIN_CLEANUP_AGE, delete_unverified=True)
    count: int = table.count_rows()
    return count


def _is_scattered(table: Any, *, is_chunks: bool) -> bool:
    """Whether the fragments of a table should be merged, which writes all of its rows again.

    Full-text search is slower while rows are not merged into its index: with 30 such rows beside 30,000, a search takes
    14 ms instead of 8.
    """
    if is_chunks and table.count_rows() <= MERGED_ALWAYS:
        return True
    return bool(table.stats()["fragment_stats"]["num_fragments"] >= MAX_FRAGMENTS)


def write_generation_row(folder: Path, generation: Mapping[str, Any]) -> None:
    """Create the table `generation` with this one row. Raises `OSError` if the folder cannot be written."""
    with _system_errors():
        lancedb_module().connect(str(folder)).create_table("generation", _arrow().Table.from_pylist([dict(generation)]))


def to_arrow(records: Sequence[Record], record_type: type[Record]) -> Any:
    """Records as an Arrow table with a column for each field. Tuples become lists, and no value is null."""
    columns = {field.name: list(map(attrgetter(field.name), records)) for field in fields(record_type)}
    return _arrow().table(columns, schema=_schema(record_type))


def from_arrow(table: Any, record_type: type[Record]) -> list[Record]:
    """The records of an Arrow table that has at least their fields."""
    is_list = _arrow().types.is_list
    columns = [table.column(field.name) for field in fields(record_type)]
    # Lists in the table become tuples in the record.
    values = [map(tuple, column.to_pylist()) if is_list(column.type) else column.to_pylist() for column in columns]
    return [record_type(*row) for row in zip(*values, strict=True)]


def read_vectors(folder: Path, text_hashes: Collection[str] | None = None) -> dict[str, TextVectors]:
    """The vectors of a generation's chunks by text hash; empty if the generation has none.

    Args:
        folder: The folder of the tables, an absolute path.
        text_hashes: The texts whose vectors are wanted; None for all.
    """
    table = lancedb_module().connect(str(folder)).open_table("chunks")
    if "vector" not in table.schema.names:
        return {}
    query = table.search().select(["text_hash", "vector", "wordpieces"])
    if text_hashes is not None and len(text_hashes) <= MAX_LOOKED_UP:
        if not text_hashes:
            return {}
        query = query.where(one_of("text_hash", text_hashes))
    vectors: dict[str, TextVectors] = {}
    # In batches: of a large index the wordpieces alone may take some gigabytes, and not all of them may be wanted.
    for batch in query.to_batches(READ_AT_ONCE):
        rows = zip(batch.column("text_hash").to_pylist(), _matrix(batch.column("vector")), strict=True)
        for (text_hash, vector), wordpieces in zip(rows, batch.column("wordpieces"), strict=True):
            if text_hashes is None or text_hash in text_hashes:
                vectors[text_hash] = TextVectors(vector, wordpieces.as_py())
    return vectors


def _index_text(table: Any) -> None:
    """Make the full-text indexes of a table of chunks."""
    from lancedb.index import FTS

    analysed = FTS(base_tokenizer="icu/split", stem=True, remove_stop_words=False)
    # Identifiers are single, rare terms in these columns: split, `--no-deps` would be two of the most common words.
    unsplit = FTS(base_tokenizer="whitespace", stem=False, remove_stop_words=False, max_token_length=200)
    for column in TEXT_WEIGHTS:
        table.create_index(column, config=unsplit if column in UNSTEMMED_COLUMNS else analysed)


def _adjust_large_indexes(database: Any, chunks: int, check: Callable[[str], None]) -> None:
    """Make the indexes that only a large generation needs, and drop them if the generation is no longer large.

    Existing indexes of a large generation are not made again: `optimize` adds new rows to them, and divides partitions
    that have grown.
    """
    for name, wanted in _large_indexes().items():
        table = database.open_table(name)
        existing = {index.columns[0]: index.name for index in table.list_indices()}
        if chunks > MAX_FLAT:
            for column in sorted(wanted.keys() & _indexable_columns(table.schema) - existing.keys()):
                table.create_index(column, config=wanted[column])
        elif stale := wanted.keys() & existing.keys():
            check(name)
            for column in stale:
                table.drop_index(existing[column])
            # Deletes the files of the indexes too.
            table.optimize(cleanup_older_than=MIN_CLEANUP_AGE, delete_unverified=True)


def _indexable_columns(schema: Any) -> set[str]:
    """The columns that can have an index. IVF_RQ packs one bit for each dimension into bytes, which must be full."""
    names = set(schema.names)
    has_partial_byte = "vector" in names and schema.field("vector").type.list_size % 8
    return names - {"vector"} if has_partial_byte else names


def _large_indexes() -> dict[str, dict[str, Any]]:
    """For each table, the indexes of a large generation: on the vectors, and on the columns used in SQL conditions."""
    from lancedb.index import Bitmap, BTree, IvfRq

    vectors = IvfRq(distance_type="cosine", target_partition_size=PARTITION_VECTORS)
    of_chunks = {"vector": vectors, "site": Bitmap(), "version": Bitmap(), "language": Bitmap()}
    return {"chunks": of_chunks, "links": {"from_page": BTree()}}


def text_query(texts: Iterable[tuple[str, str]]) -> Any:
    """A full-text query for texts, each in its column. The weighted scores of several columns are summed.

    LanceDB's own query for several columns counts only the best column.
    """
    import lancedb.query

    # To mypy, the fields of its pydantic dataclasses have no defaults.
    language: Any = lancedb.query
    matches = [language.MatchQuery(text, column, boost=TEXT_WEIGHTS[column]) for column, text in texts]
    if len(matches) == 1:
        return matches[0]
    return language.BooleanQuery([(language.Occur.SHOULD, match) for match in matches])


def _alias_terms(chunk: Chunk) -> str:
    """The names of a chunk as terms that are searched for whole."""
    return " ".join([*sign_terms(chunk.aliases), whole_words(chunk.aliases)])


def _chunks_to_arrow(chunks: Sequence[Chunk], vectors: StackedVectors | None) -> Any:
    """Chunks as an Arrow table, with additional columns for searches: terms, forms of words, vectors."""
    arrow = _arrow()
    table = to_arrow(chunks, Chunk)
    texts = (" ".join((chunk.title, *chunk.breadcrumb, chunk.text)) for chunk in chunks)
    searched = {
        "breadcrumb_terms": [" > ".join(chunk.breadcrumb) for chunk in chunks],
        "alias_terms": [_alias_terms(chunk) for chunk in chunks],
        "word_forms": [indexed_forms(text, chunk.language) for text, chunk in zip(texts, chunks, strict=True)],
    }
    for name, terms in searched.items():
        table = table.append_column(name, arrow.array(terms, arrow.string()))
    if vectors is None:
        return table
    matrix = vectors.matrix
    values = arrow.array(matrix.astype("float32", copy=False).ravel(), arrow.float32())
    table = table.append_column("vector", arrow.FixedSizeListArray.from_arrays(values, matrix.shape[1]))
    return table.append_column("wordpieces", arrow.array(vectors.wordpieces, arrow.large_binary()))


def _schema(record_type: type[Any]) -> Any:
    """The Arrow schema of a record type: a column for each field, without nulls."""
    arrow = _arrow()
    plain = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}

    def arrow_type(hint: Any) -> Any:
        if get_origin(hint) is tuple:
            return arrow.list_(arrow.field("item", arrow.string(), nullable=False))
        # Every other generic of the records is a Literal of strings.
        return plain[hint] if hint in plain else plain[type(get_args(hint)[0])]

    hints = get_type_hints(record_type)
    return arrow.schema(
        [arrow.field(item.name, arrow_type(hints[item.name]), nullable=False) for item in fields(record_type)]
    )


def matrix_of(rows: Any) -> NDArray[np.float32]:
    """The column `vector` of an Arrow table as a matrix, one row for each row of the table."""
    return _matrix(rows.column("vector").combine_chunks())


def _matrix(column: Any) -> NDArray[np.float32]:
    """An Arrow array of vectors as a matrix, one row for each."""
    matrix: NDArray[np.float32] = column.flatten().to_numpy().reshape(len(column), column.type.list_size)
    return matrix


@contextmanager
def _system_errors() -> Generator[None]:
    """Turn errors of LanceDB into `OSError`.

    For a full disk LanceDB raises a `RuntimeError`, usually with the number of the system's error in its text.
    """
    try:
        yield
    except (RuntimeError, OSError) as error:
        number = SYSTEM_ERROR.search(str(error))
        if number is not None:
            raise OSError(int(number[1]), os.strerror(int(number[1]))) from error
        if isinstance(error, OSError):
            raise
        # If a limit of the system cut a file off, LanceDB reports only that the file is too short.
        raise OSError(errno.EIO, f"LanceDB says: {str(error).splitlines()[0]}") from error


def lancedb_module() -> Any:
    """LanceDB, imported when it is first needed."""
    # lancedb reads this variable when it is imported. Without it, every query of a table without a vector index logs a
    # warning.
    os.environ.setdefault("LANCEDB_LOG", "error")
    import lancedb

    return lancedb


def import_lancedb_lightly() -> None:
    """Import LanceDB in half the time, for a process that asks one question. LanceDB can then only open folders."""
    with suppress(Exception), without_client():
        # Another version of LanceDB may need more of the client. Then LanceDB is imported as usual when it is needed.
        lancedb_module()


def _arrow() -> Any:
    """The module pyarrow, imported at the first use."""
    import pyarrow

    return pyarrow
