"""The ways in which the API is served: by itself, beside built docs, under `mkdocs serve`, as files."""

__all__ = ["companion", "static_answers", "uvicorn_server"]
