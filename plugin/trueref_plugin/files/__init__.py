"""The files of a finished site, and what is remembered of them from one build to the next."""

__all__ = ["page_summary", "read_cache", "site_files"]
