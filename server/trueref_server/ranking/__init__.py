"""The order of sections: signals, their weights, and how sure one may be of the first."""

__all__ = [
    "asked_identifier",
    "confidence",
    "confidence_features",
    "defined",
    "late_interaction",
    "object_titles",
    "part_similarity",
    "rank",
    "signals",
    "title_words",
    "verbatim",
    "weighted_question",
]
