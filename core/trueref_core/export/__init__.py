"""Exports, which other tools read: the published manifest, a list of URLs, an inventory, texts for language models.

All are pure functions from the rows of a manifest and the texts of its pages to bytes. Equal input gives equal bytes.
"""
