"""The index that is served: opened once, exchanged while requests go on; its manifest and its PDFs."""

__all__ = ["live_index", "published_files"]
