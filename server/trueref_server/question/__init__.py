"""Reads a question: its words, what it refers back to, what it asks for, and the versions and languages to search."""

__all__ = [
    "conversation",
    "meaning",
    "places",
    "plan",
    "pointing",
    "question_text",
    "releases",
    "scope",
    "site_versions",
    "usual_topics",
]
