"""Makes answers from the sections that were found. Every source of an answer is a row of the manifest."""

__all__ = [
    "answer_markdown",
    "answered_parts",
    "attribution",
    "context",
    "differences",
    "excerpts",
    "extractive",
    "neighbours",
    "numbering",
    "passage_comparison",
    "sections",
    "text_fragments",
]
