"""A question as it is understood: its words, what it leans on, what it is after, whom it is asked for."""

__all__ = ["conversation", "plan", "pointing", "question_text", "releases", "scope", "site_versions"]
