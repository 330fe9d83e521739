"""Generations of an index on disk: written, published, kept, swept, opened. Hides their files."""
