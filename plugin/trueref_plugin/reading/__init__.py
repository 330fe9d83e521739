"""Reads a built page: from its bytes to its anchors, sections and blocks."""

__all__ = ["containers", "guarding", "head", "page_links", "parse", "parsed"]
