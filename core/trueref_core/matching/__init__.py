"""Finds the page or the anchor that a link may mean if no page or anchor has exactly the name in the link."""

__all__ = ["anchor_match", "anchor_names", "name_words", "page_match"]
