"""Reads a built page: from its bytes to its anchors, sections and blocks."""

__all__ = ["guarding", "head", "markup", "page_links", "parse", "parsed"]
