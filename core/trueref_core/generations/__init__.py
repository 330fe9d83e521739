"""Generations of an index on disk: written, published, kept, swept, opened. Hides their files."""

__all__ = ["content", "open_generation", "page_digests", "publication", "served_generation", "updating"]
