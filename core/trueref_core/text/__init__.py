"""Text: sentences, words and their forms, identifiers, tokens, and what a terminal may safely show."""

__all__ = ["block_marks", "identifiers", "printable", "sentences", "table_rows", "tokens", "word_forms"]
