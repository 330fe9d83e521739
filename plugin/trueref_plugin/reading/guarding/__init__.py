"""Around the parser: pages that may be parsed in this process, and a child with limits for the others."""

__all__ = ["child", "decode", "guard", "safe_reading"]
