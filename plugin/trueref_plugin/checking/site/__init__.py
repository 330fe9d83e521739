"""Links of a built site: its pages, anchors and links as a browser has them."""

__all__ = ["broken_links", "built_site"]
