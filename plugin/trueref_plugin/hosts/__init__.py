"""MkDocs: its hooks, its options, and what its configuration says. Nothing else knows a host."""

__all__ = ["mkdocs_plugin"]
