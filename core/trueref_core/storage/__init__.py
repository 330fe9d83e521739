"""Files on disk that are there whole or not at all, and known to be the ones that were written."""

__all__ = ["atomic_files", "integrity_cache", "page_parts"]
