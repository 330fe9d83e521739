"""The protocol of a backend of the cache: a place outside of the process that keeps answers."""

from __future__ import annotations

from typing import Protocol


class Backend(Protocol):
    """Bytes by key. Its methods are called from any thread, may block for a moment, and may raise `BackendError`."""

    def get(self, key: str) -> bytes | None:
        """The bytes that were put there, None if there are none, or if they are too old."""
        ...

    def put(self, key: str, value: bytes) -> None:
        """Keep bytes under a key; those that were longest unused give way to them."""
        ...

    def remove(self, key: str) -> None:
        """Forget what is kept under a key, if anything is."""
        ...

    def close(self) -> None:
        """Close its connections or files."""
        ...


class BackendError(Exception):
    """The backend cannot be reached, or its files are damaged. The message is for the log of the server."""
