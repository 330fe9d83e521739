"""The ways to serve the API: alone, beside built docs, under `mkdocs serve`, or as files without a server."""

__all__ = ["companion", "static_answers", "uvicorn_server"]
