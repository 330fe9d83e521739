"""Generations of an index on disk: they are written, published, opened, and deleted when no reader needs them.

Other folders need not know the files of a generation.
"""

__all__ = ["content", "open_generation", "page_digests", "publication", "served_generation", "updating"]
