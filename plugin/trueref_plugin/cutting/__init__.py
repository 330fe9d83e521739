"""Cuts the blocks of a page into chunks."""

__all__ = ["cut", "run"]
