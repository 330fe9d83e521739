"""From evidence to an answer whose every source is a row of the manifest."""

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
