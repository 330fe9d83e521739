"""The text of a page as Markdown, for exports."""
