"""The tables of a generation in LanceDB: written, searched, read by filters. Hides LanceDB and Arrow."""

__all__ = ["chunk_rows", "chunk_search", "filters", "table_writer"]
