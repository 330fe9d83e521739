"""Reads PDFs: finds them, reads them page by page in a child process, cleans the text, and makes pages as from HTML."""

__all__ = ["pdf_guard", "pdf_records", "pdf_sources"]
