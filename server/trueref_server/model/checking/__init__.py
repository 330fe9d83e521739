"""What is checked of a model's text, line by line: facts, statements, and whether it is an answer at all."""
