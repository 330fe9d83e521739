"""Checks links: of a built site, of Markdown sources, of any text. Needs no index of what it checks, and no network."""
