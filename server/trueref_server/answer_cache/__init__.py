"""Answers that were given before, in memory, in SQLite or in Redis."""

__all__ = ["cache"]
