"""The index that is served and replaced by a newer generation while requests go on, its manifest, and its PDFs."""

__all__ = ["live_index", "published_files"]
