"""Checks a model's text line by line: its facts, its statements, and whether it is an answer at all."""

__all__ = ["answer_checker", "facts", "lines", "verdict"]
