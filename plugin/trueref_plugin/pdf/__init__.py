"""PDFs as sources: found, read page by page in a child, cleaned, and made into pages like those of HTML."""
