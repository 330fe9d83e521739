"""Finds the page or the anchor that a link may mean if none has exactly the name in it."""
