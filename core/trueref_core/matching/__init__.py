"""Finds the page or the anchor that a link may mean if none has exactly the name in it."""

__all__ = ["anchor_match", "anchor_names", "name_words", "page_match"]
