"""What other tools read: the published manifest, a list of URLs, an inventory, and texts for language models.

Pure functions from the rows of a manifest, and the texts of its pages, to bytes. Equal input gives equal bytes.
"""
