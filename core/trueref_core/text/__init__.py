"""Text as such: sentences, words and their forms, identifiers, tokens, what a terminal may be shown."""
