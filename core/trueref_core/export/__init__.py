"""Exports for other tools: the published manifest, a list of URLs, an inventory, texts for language models.

Each is a pure function from the rows of a manifest and the texts of its pages to bytes. Equal input gives equal bytes.
"""

__all__ = [
    "export_files",
    "inventory",
    "llms",
    "manifest_schema",
    "marked_files",
    "marked_text",
    "offered_questions",
    "published_site",
    "urls",
]
