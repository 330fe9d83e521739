"""Serves answers: the API alone, with the built docs, beside `mkdocs serve`, or as files without a server."""

__all__ = ["companion", "static_answers", "uvicorn_server"]
