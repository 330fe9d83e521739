"""Text: sentences, words and their forms, identifiers, tokens, and what a terminal may safely show."""
