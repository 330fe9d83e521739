"""The queue of entries for the database. Its length is limited, so that it does not fill the memory if that is down."""

from __future__ import annotations

import threading
from collections import deque

from trueref_server.store.entries import StoreEntry


class EntryQueue:
    """A queue between the event loop, which never waits, and the thread that writes.

    Args:
        capacity: The most entries that may wait.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._entries: deque[StoreEntry] = deque()
        self._changed = threading.Condition()
        self.is_closed = False

    def offer(self, entry: StoreEntry) -> bool:
        """Add an entry; False if the queue is full or closed."""
        with self._changed:
            if self.is_closed or len(self._entries) >= self._capacity:
                return False
            self._entries.append(entry)
            self._changed.notify_all()
            return True

    def take(self, limit: int, seconds: float) -> list[StoreEntry]:
        """Wait for entries and take the oldest; empty if the time is up, or if the queue is closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._entries or self.is_closed, seconds)
            return [self._entries.popleft() for _ in range(min(limit, len(self._entries)))]

    def close(self) -> None:
        """Accept no more entries, and wake the thread that waits for some."""
        with self._changed:
            self.is_closed = True
            self._changed.notify_all()

    def wait_closed(self, seconds: float) -> None:
        """Wait until the queue is closed, but at most some seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self.is_closed, seconds)
