"""How much is shown around a passage: the text before and after it, the part of its code, and the panel of its tabs."""

__all__ = ["beginnings", "excerpt", "relevance", "screen", "tab_panels"]
