"""The order of sections: signals, their weights, and how sure one may be of the first."""

__all__ = ["confidence", "late_interaction", "rank", "signals", "verbatim", "weighted_question"]
