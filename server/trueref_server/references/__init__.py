"""The gate between an answer and its reader: only links that the manifest knows pass it."""

__all__ = ["gate", "reference_links"]
