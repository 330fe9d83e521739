"""What is known of a generation as a whole: how common its words are, their spelling, boosts of its pages."""

__all__ = ["corpus", "spelling", "words"]
