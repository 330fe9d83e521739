"""Links of Markdown and MDX sources: their positions, their targets, and their corrections."""
