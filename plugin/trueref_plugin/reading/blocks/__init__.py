"""One reader for each kind of block: a list, a table, code. `block_readers.py` lists them for the walk over a page."""

__all__ = ["block_readers"]
