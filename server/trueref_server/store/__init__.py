"""Keeps figures of answers, ratings, and the texts of questions if that is asked for, for the report."""

__all__ = ["database", "entries", "opening", "store"]
