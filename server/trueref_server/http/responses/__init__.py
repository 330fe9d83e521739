"""The responses that are not plain JSON messages: errors, events, and the files of documents and of the widget."""

__all__ = ["document_files", "error_responses", "sse", "widget_files"]
