"""The store of a running server: it takes entries at once, and one thread writes them and removes old ones."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, Literal

from trueref_server.rare_log import rare_logger
from trueref_server.records import Answer, Question
from trueref_server.store.database import Database, EntryRefused, StoreError
from trueref_server.store.entries import FailureEntry, Rating, RatingEntry, StoreEntry, answer_entry, storable
from trueref_server.store.queue import EntryQueue

logger = logging.getLogger("trueref.server")

WAITING_MOST: Final = 1000
"""Entries that may wait for the database; further ones are lost and counted."""
BATCH: Final = 200
PURGE_SECONDS: Final = 3600.0
RETRY_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 5.0
"""How long a server that stops waits for the last entries to be written."""

Loss = Literal["full", "refused", "unknown-answer"]
"""Why an entry is not kept: too many wait, the database takes no such entry, or it has no answer with that id."""


class InsightStore:
    """Keeps what became of questions, and what readers say of the answers. Never slows an answer and never raises.

    Args:
        database: Where it is kept. This object alone uses it, and closes it.
        store_days: Days that entries are kept.
        question_days: Days that the texts of questions are kept; 0 keeps none.
        on_loss: Is called with how many entries are lost and why, from any thread.
        now: Seconds since the epoch.
    """

    def __init__(
        self,
        database: Database,
        store_days: int,
        question_days: int,
        on_loss: Callable[[Loss, int], None],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._store_days = store_days
        self._question_days = question_days
        self._on_loss = on_loss
        self._now = now
        self._queue = EntryQueue(WAITING_MOST)
        self._log = rare_logger(logger)
        self._purged_at: float | None = None
        # A daemon: a database that hangs must not keep the server from ending.
        self._thread = threading.Thread(target=self._run, name="trueref-store", daemon=True)
        self._thread.start()

    def answered(self, question: Question, answer: Answer) -> None:
        """Keep what became of a question."""
        self._offer(answer_entry(question, answer, self._milliseconds(), with_text=bool(self._question_days)))

    def failed(self, code: str) -> None:
        """Keep that a question had no answer."""
        self._offer(FailureEntry(self._milliseconds(), code))

    def rated(self, rating: Rating) -> bool:
        """Keep what a reader says of an answer or a source; False if too many entries wait."""
        reason, comment = storable(rating.reason), storable(rating.comment)
        source = rating.source or 0
        return self._offer(RatingEntry(rating.answer_id, self._milliseconds(), source, rating.helpful, reason, comment))

    def close(self) -> None:
        """Write what waits, for five seconds at most, and close the database."""
        self._queue.close()
        self._thread.join(CLOSE_SECONDS)

    def _offer(self, entry: StoreEntry) -> bool:
        """Put an entry into the queue; one for which there is no room is counted."""
        is_taken = self._queue.offer(entry)
        if not is_taken:
            self._on_loss("full", 1)
        return is_taken

    def _milliseconds(self) -> int:
        """Now, in milliseconds since the epoch."""
        return int(self._now() * 1000)

    def _run(self) -> None:
        """Write and remove until the queue is closed and empty."""
        waiting: list[StoreEntry] = []
        while True:
            # What is too old is removed before the first entry comes.
            seconds = 0.0 if self._purged_at is None else PURGE_SECONDS
            waiting = waiting or self._queue.take(BATCH, seconds)
            is_last = self._queue.is_closed and not waiting
            if is_last:
                break
            try:
                self._purge()
                self._write(waiting)
                waiting = []
            except StoreError as error:
                self._log.warning("The store cannot be used; answers are given all the same: %s", error)
                # The server ends: a database that is down now is not waited for.
                if self._queue.is_closed:
                    self._lose("full", len(waiting) + len(self._queue.take(WAITING_MOST, 0)))
                    break
                self._queue.wait_closed(RETRY_SECONDS)
            except Exception:
                # A fault of the program: without this thread the next entries would be lost as well.
                logger.exception("Entries of the store were lost")
                self._on_loss("refused", len(waiting))
                waiting = []
        self._database.close()

    def _write(self, entries: Sequence[StoreEntry]) -> None:
        """Write entries together, or one by one if one of them is refused."""
        if not entries:
            return
        try:
            self._lose("unknown-answer", self._database.write(entries))
        except EntryRefused as error:
            if len(entries) == 1:
                self._log.warning("The store refused an entry: %s", error)
                self._lose("refused", 1)
                return
            # One that is refused must not take the others of its batch with it.
            for entry in entries:
                self._write([entry])

    def _lose(self, loss: Loss, number: int) -> None:
        """Say how many entries are lost, if any."""
        if number:
            self._on_loss(loss, number)

    def _purge(self) -> None:
        """Remove what is too old, at the start and then once an hour."""
        now = self._now()
        if self._purged_at is None or now - self._purged_at >= PURGE_SECONDS:
            self._database.purge(int(now * 1000), self._store_days, self._question_days)
            self._purged_at = now
