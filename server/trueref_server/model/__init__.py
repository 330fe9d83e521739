"""A language model writes the answer from the sections that were found. Its text is checked before a reader sees it."""

__all__ = ["answerer", "asking", "follow_up", "quotes", "sessions"]
