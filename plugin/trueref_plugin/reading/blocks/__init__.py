"""One reader for each kind of block: a list, a table, code. `parse.py` lists them and hands them to the walk."""

__all__ = ["code", "definitions", "docstrings", "lists", "tables", "tabs"]
