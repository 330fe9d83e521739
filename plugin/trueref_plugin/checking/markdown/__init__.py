"""Links of Markdown and MDX sources: their positions, their targets, and their corrections."""

__all__ = ["fixes", "link_candidates", "markdown_links", "project", "project_loading"]
