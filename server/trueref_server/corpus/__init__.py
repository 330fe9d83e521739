"""Facts about a whole generation: how common its words are, how they are spelt, and the boosts of its pages."""

__all__ = ["compilations", "corpus", "spelling", "words"]
