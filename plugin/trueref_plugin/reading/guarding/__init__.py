"""Guards the build against the parser: pages that may hang or crash it are parsed in a child process with limits."""

__all__ = ["child", "decode", "guard"]
