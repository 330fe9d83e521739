"""The responses that are not plain JSON messages: errors, events, files, and what ends for a client that has gone."""

__all__ = ["document_files", "error_responses", "file_responses", "leaving", "sse", "widget_files"]
