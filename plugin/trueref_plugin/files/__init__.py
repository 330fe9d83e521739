"""Finds and reads the files of a finished site, and keeps what was read in a cache for the next build."""

__all__ = ["linked_folders", "page_summary", "read_cache", "site_files"]
