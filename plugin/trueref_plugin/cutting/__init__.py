"""Cuts the blocks of a page into chunks."""

__all__ = ["cut", "text_run"]
