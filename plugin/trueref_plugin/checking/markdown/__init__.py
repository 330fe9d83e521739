"""Links of Markdown and MDX sources: where they stand, what they name, how they are corrected."""
