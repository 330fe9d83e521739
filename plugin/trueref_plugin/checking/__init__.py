"""Checks the links of a built site, of Markdown sources, or of any text. A built site needs no index for that."""

__all__ = ["check", "report"]
