"""From the bytes of a built page to its anchors, sections and blocks."""

__all__ = ["containers", "guarding", "head", "page_links", "parse", "parsed"]
