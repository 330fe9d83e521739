"""The index that is served, opened once and replaced by newer ones while requests go on; its manifest and PDFs."""

__all__ = ["live_index", "published_files"]
