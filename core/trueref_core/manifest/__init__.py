"""The manifest: the pages and anchors of a generation, as a look-up and as files, and the history of earlier builds."""

__all__ = ["codec", "history", "lookup"]
