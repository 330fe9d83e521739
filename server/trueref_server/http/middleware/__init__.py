"""The middleware of the API: limits of size, rate and number, headers, and counts."""

__all__ = ["body", "counting", "headers", "rate", "slots"]
