"""What the markup of generators and themes means: where the content is, what is left out, and which text is a title."""

__all__ = ["clean", "containers", "escapes", "object_roles", "page_furniture"]
