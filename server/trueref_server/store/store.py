"""The store of a running server: it accepts entries at once, and a thread writes them and removes old ones."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from typing import Final, Literal

from trueref_server.rare_log import rare_logger
from trueref_server.records import Answer, Question
from trueref_server.store.database import Database, EntryRefused, StoreError
from trueref_server.store.entries import (
    WHOLE_ANSWER,
    FailureEntry,
    Rating,
    RatingEntry,
    StoreEntry,
    answer_entry,
    storable,
)
from trueref_server.store.queue import EntryQueue

logger = logging.getLogger("trueref.server")

MAX_WAITING: Final = 1000
"""At most this many entries wait for the database; further ones are lost and counted."""
BATCH: Final = 200
"""At most this many entries are written in one transaction."""
PURGE_SECONDS: Final = 3600.0
RETRY_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 5.0
"""How long a server that stops waits for the last entries to be written."""

LossReason = Literal["full", "refused", "unknown-answer"]
"""Why an entry is lost: too many wait, the database refuses it, or the answer that it rates is not in the database."""


class InsightStore:
    """Keeps the outcomes of questions and the ratings of answers. It never delays an answer and never raises.

    Args:
        database: The database. Only this object uses it, and it closes it.
        store_days: Days that entries are kept.
        question_days: Days that the texts of questions are kept; 0 keeps none.
        on_loss: Called from any thread with the reason and the number of lost entries.
        now: Seconds since the epoch.
    """

    def __init__(
        self,
        database: Database,
        store_days: int,
        question_days: int,
        on_loss: Callable[[LossReason, int], None],
        now: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._store_days = store_days
        self._question_days = question_days
        self._on_loss = on_loss
        self._now = now
        self._queue = EntryQueue(MAX_WAITING)
        self._log = rare_logger(logger)
        self._purged_at: float | None = None
        # A daemon: a database that hangs must not keep the server from ending.
        self._thread = threading.Thread(target=self._run, name="trueref-store", daemon=True)
        self._thread.start()

    def answered(self, question: Question, answer: Answer) -> None:
        """Keep the figures of an answer."""
        self._offer(answer_entry(question, answer, self._milliseconds(), with_text=bool(self._question_days)))

    def failed(self, code: str) -> None:
        """Keep that a question had no answer."""
        self._offer(FailureEntry(self._milliseconds(), code))

    def rated(self, rating: Rating) -> bool:
        """Keep the rating of an answer or a source; False if too many entries wait."""
        reason, comment = storable(rating.reason), storable(rating.comment)
        source = rating.source or WHOLE_ANSWER
        return self._offer(RatingEntry(rating.answer_id, self._milliseconds(), source, rating.helpful, reason, comment))

    def close(self) -> None:
        """Write the waiting entries and close the database. Wait at most `CLOSE_SECONDS` for that."""
        self._queue.close()
        self._thread.join(CLOSE_SECONDS)
        if self._thread.is_alive():
            logger.warning(
                "The database of the store took more than %g s: what was asked last may be lost.", CLOSE_SECONDS
            )

    def _offer(self, entry: StoreEntry) -> bool:
        """Put an entry into the queue. If there is no room, count it as lost and return False."""
        is_queued = self._queue.offer(entry)
        if not is_queued:
            self._on_loss("full", 1)
        return is_queued

    def _milliseconds(self) -> int:
        """Now, in milliseconds since the epoch."""
        return int(self._now() * 1000)

    def _run(self) -> None:
        """Write and remove until the queue is closed and empty."""
        batch: list[StoreEntry] = []
        while True:
            # The first time there is no wait, so that old entries are removed before a new one comes.
            seconds = 0.0 if self._purged_at is None else PURGE_SECONDS
            batch = batch or self._queue.take(BATCH, seconds)
            is_last = self._queue.is_closed and not batch
            if is_last:
                break
            try:
                self._purge()
                self._write(batch)
                batch = []
            except StoreError as error:
                self._log.warning("The store cannot be used; answers are given all the same: %s", error)
                # The server is stopping, and does not wait for a database that is down.
                if self._queue.is_closed:
                    self._report_loss("full", len(batch) + len(self._queue.take(MAX_WAITING, 0)))
                    break
                self._queue.wait_closed(RETRY_SECONDS)
            except Exception:
                # A bug must not end this thread, since all later entries would be lost, too.
                logger.exception("Entries of the store were lost")
                self._on_loss("refused", len(batch))
                batch = []
        self._database.close()

    def _write(self, entries: Sequence[StoreEntry]) -> None:
        """Write entries together, or one by one if one of them is refused."""
        if not entries:
            return
        try:
            self._report_loss("unknown-answer", self._database.write(entries))
        except EntryRefused as error:
            if len(entries) == 1:
                self._log.warning("The store refused an entry: %s", error)
                self._report_loss("refused", 1)
                return
            # One by one, so that only the refused entries of the batch are lost.
            for entry in entries:
                self._write([entry])

    def _report_loss(self, loss: LossReason, number: int) -> None:
        """Report lost entries, if there are any."""
        if number:
            self._on_loss(loss, number)

    def _purge(self) -> None:
        """Remove what is too old, once at the start and then once an hour."""
        now = self._now()
        if self._purged_at is None or now - self._purged_at >= PURGE_SECONDS:
            self._database.purge(int(now * 1000), self._store_days, self._question_days)
            self._purged_at = now
