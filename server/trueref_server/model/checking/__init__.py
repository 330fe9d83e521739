"""What is checked of a model's text, line by line: facts, statements, and whether it is an answer at all."""

__all__ = ["answer_checker", "facts", "lines", "verdict"]
