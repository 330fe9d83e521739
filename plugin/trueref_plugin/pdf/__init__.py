"""PDFs as sources: they are listed, read page by page in a child process, cleaned, and made into pages like HTML."""

__all__ = ["pdf_guard", "pdf_records", "pdf_sources"]
