"""The HTTP side: one noun of HTTP a module, pure ASGI, no retrieval."""

__all__ = ["endpoints", "middleware", "operations", "responses"]
