"""The protocol of a backend of the cache: a place outside of the process that keeps answers."""

from __future__ import annotations

from typing import Protocol


class Backend(Protocol):
    """Bytes by key. Its methods are called from any thread, may block for a moment, and may raise `BackendError`."""

    def get(self, key: str) -> bytes | None:
        """The bytes under a key; None if there are none or they are too old."""
        ...

    def put(self, key: str, value: bytes) -> None:
        """Keep bytes under a key. If there are too many, those that were unused for longest are removed."""
        ...

    def remove(self, key: str) -> None:
        """Remove the bytes under a key, if there are any."""
        ...

    def close(self) -> None:
        """Close the connections or files of the backend."""
        ...


class BackendError(Exception):
    """The backend cannot be reached, or its files are damaged. The message is for the log of the server."""
