"""What goes back to a client: errors, events, and the files of documents and of the widget."""

__all__ = ["document_files", "error_responses", "sse", "widget_files"]
