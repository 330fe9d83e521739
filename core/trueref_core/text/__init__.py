"""Text: sentences, words and their forms, identifiers, inline code, tables, tokens, versions, what a terminal shows."""

__all__ = [
    "block_marks",
    "identifiers",
    "inline_code",
    "key_combinations",
    "markdown_escapes",
    "printable",
    "sentences",
    "table_rows",
    "tokens",
    "version_names",
    "word_forms",
]
