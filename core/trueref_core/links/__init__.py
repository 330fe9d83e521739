"""Links: what one names, whether it leads there, and what was meant where it does not."""
