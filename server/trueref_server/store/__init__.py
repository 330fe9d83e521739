"""What a server keeps of its answers, for the report: figures, ratings, and question texts where they are asked for."""

__all__ = ["database", "entries", "opening", "store"]
