"""Keeps figures of answers, ratings, and the texts of questions if the settings say so, for the report."""

__all__ = ["database", "entries", "opening", "store"]
