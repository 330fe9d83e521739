"""The HTTP side: one noun of HTTP a module, pure ASGI, no retrieval."""
