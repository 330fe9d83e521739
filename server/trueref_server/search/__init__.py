"""Searches for the sections that fit a plan, and ranks them, in one or two rounds."""

__all__ = ["gaps", "results", "search"]
