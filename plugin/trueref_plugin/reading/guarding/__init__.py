"""Guards the parser: decides which pages are parsed in this process, and parses the others in a child with limits."""

__all__ = ["child", "decode", "guard"]
