"""The tables of a generation in LanceDB: writes, searches and filters them, so that no other folder imports LanceDB."""

__all__ = ["chunk_rows", "chunk_search", "filters", "table_writer"]
