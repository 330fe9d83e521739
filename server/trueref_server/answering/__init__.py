"""Makes answers from the sections that were found. Every source of an answer is a row of the manifest."""

__all__ = [
    "answer_markdown",
    "attribution",
    "context",
    "excerpt",
    "extractive",
    "neighbours",
    "numbering",
    "passages",
    "tab_panels",
    "text_fragments",
]
