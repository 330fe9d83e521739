"""The cache of answers, in memory, in SQLite or in Redis."""

__all__ = ["cache"]
