"""From a plan to ranked sections and what an answer may rest on."""

__all__ = ["gaps", "results", "search"]
