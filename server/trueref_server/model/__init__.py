"""Answers by a language model, which writes from the sections of a search. Its text is checked before it is shown."""

__all__ = ["answerer", "asking", "follow_up", "sessions"]
