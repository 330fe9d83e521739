"""Files that are written completely or not at all, and compared with their sums when they are read."""

__all__ = ["atomic_files", "integrity_cache", "page_parts", "sealed_folders"]
