"""The middleware of the API: limits of size, rate and number, and headers."""

__all__ = ["body", "headers", "rate", "slots"]
