"""A language model writes the answer, from the sections that were found; what reaches the reader is checked here."""

__all__ = ["answerer", "asking", "follow_up", "quotes", "sessions"]
