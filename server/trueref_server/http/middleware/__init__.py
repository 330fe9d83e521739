"""What every request passes before it reaches an endpoint: limits of body, rate and number, headers, counts."""

__all__ = ["body", "counting", "headers", "rate", "slots"]
