"""Text: sentences, words and their forms, identifiers, inline code, tables, tokens, and what a terminal may show."""

__all__ = [
    "block_marks",
    "identifiers",
    "inline_code",
    "markdown_escapes",
    "printable",
    "sentences",
    "table_rows",
    "tokens",
    "word_forms",
]
