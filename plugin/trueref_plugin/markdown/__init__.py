"""The text of a page as Markdown, for exports."""

__all__ = ["markdown_page"]
