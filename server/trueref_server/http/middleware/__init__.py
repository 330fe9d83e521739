"""The middleware of the API: limits on bodies, requests and answers at the same time, and headers."""

__all__ = ["body", "headers", "rate", "slots"]
