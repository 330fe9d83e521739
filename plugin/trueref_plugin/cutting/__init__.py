"""From the blocks of a page to its chunks."""

__all__ = ["cut", "run"]
