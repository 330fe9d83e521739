"""The index that is being served: opened once, and replaced by a newer generation without a restart.

A request leases the open index, so that a generation is closed only when the last request that reads it has ended.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from trueref_core.errors import REBUILD, EmbedderError, IndexDamaged, IndexIncompatible, TruerefError
from trueref_core.generations.served_generation import open_index

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.open_generation import OpenIndex

logger = logging.getLogger("trueref.server")

CHECK_SECONDS = 0.2
"""How often `current.json` is looked at, at most."""
RETRY_SECONDS = 1.0
"""How long a failed opening is remembered, so that a damaged index is not hashed again for every request."""
REFUSED_SECONDS = 60.0
"""How long a damaged newer generation is not tried again, nor an embedder that could not be loaded: some embedders take
minutes to find out that they cannot be downloaded."""
PATIENCE_SECONDS = 2.0
"""How long the request that noticed a newer generation waits for it: a small index is open by then, and a writer who
edits a page and asks about it gets the new text."""
STALE_SECONDS = 300.0
"""After this long without a request, the next request waits for the newer generation without a limit: a build may
delete the older generation ten minutes after it was replaced."""

FileStamp = tuple[int, int]
"""The time of change of `current.json`, in nanoseconds, and its inode."""


@dataclass(slots=True)
class Lease:
    """An open index and how many requests read it.

    `retired` says that the index is no longer served. Until `verified_until`, a request that fails does not have the
    files compared with their checksums again.
    """

    index: OpenIndex
    stamp: FileStamp | None
    readers: int = 0
    retired: bool = False
    verified_until: float = 0.0


class ServedIndex:
    """Opens the index of a folder at first use, and serves its newest generation that is not damaged.

    Args:
        path: The folder of the index.
        embedding_threads: How many texts its embedder reads at the same time; 0 leaves it to the embedder.
    """

    def __init__(self, path: Path, embedding_threads: int = 0) -> None:
        self.path = path
        self._embedding_threads = embedding_threads
        self._lock = asyncio.Lock()
        self._embedder_lock = asyncio.Lock()
        self._embedders: dict[str, Embedder] = {}
        self._embedder_failure: tuple[float, str, TruerefError] | None = None
        self._served: Lease | None = None
        self._failure: tuple[float, TruerefError] | None = None
        self._checked_at = 0.0
        # Kept with the stamp of `current.json`: another stamp means another build, which is tried at once although the
        # one before it was refused.
        self._refused: tuple[float, FileStamp | None] | None = None
        self._opening: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def lease(self) -> AsyncGenerator[OpenIndex]:
        """The open index, kept open until the block ends.

        Raises:
            IndexFault: The index cannot be opened, or was damaged after it was opened, so that the block failed.
        """
        lease = await self._current()
        lease.readers += 1
        try:
            yield lease.index
        except TruerefError:
            # An error of our own says what is wrong. Only an unexpected error may come from damaged files.
            raise
        except Exception as error:
            await self._withdraw_damaged(lease, error)
            raise
        finally:
            lease.readers -= 1
            await self._close_if_unread(lease)

    async def embedder(self, index: OpenIndex) -> Embedder | None:
        """The embedder that made the vectors of `index`, loaded at first use; None if full text alone answers.

        Raises:
            IndexIncompatible: That embedder is not installed here, or makes other vectors now.
        """
        generation = index.generation
        if not generation.vectors:
            return None
        name = generation.embedder
        # Two questions that come first at once must not both load the model.
        async with self._embedder_lock:
            if (
                self._embedder_failure
                and self._embedder_failure[1] == name
                and time.monotonic() < self._embedder_failure[0]
            ):
                raise self._embedder_failure[2]
            if name not in self._embedders:
                try:
                    # Only one embedder is kept: if a newer generation needs another one, the memory of the older
                    # embedder is freed.
                    threads = self._embedding_threads or None
                    embedder = await asyncio.to_thread(_load, name, generation.dimensions, threads)
                    self._embedders = {name: embedder}
                except TruerefError as error:
                    self._embedder_failure = (time.monotonic() + REFUSED_SECONDS, name, error)
                    raise
            return self._embedders[name]

    async def close(self) -> None:
        """Close the index. Requests that still read it keep it open until they end."""
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        served, self._served = self._served, None
        if served is not None:
            served.retired = True
            await self._close_if_unread(served)

    async def _current(self) -> Lease:
        """The lease of the newest open generation that is not damaged; the first request opens one."""
        if self._served is not None:
            await self._look_for_newer(self._served)
        # None before the first request, and also if another request withdrew a damaged index meanwhile.
        if self._served is None:
            async with self._lock:
                # A newer generation may be about to open, and another request may have opened one.
                if self._opening is not None:
                    await asyncio.wait((self._opening,))
                if self._served is None:
                    self._served = await self._open_first()
        return self._served

    async def _open_first(self) -> Lease:
        """Open the index; a failure is remembered for a while."""
        now = time.monotonic()
        if self._failure is not None and now < self._failure[0]:
            # Without the frames of earlier requests: the same exception object is raised for all of them.
            raise self._failure[1].with_traceback(None)
        try:
            lease = await self._open()
        except TruerefError as error:
            self._failure = (time.monotonic() + RETRY_SECONDS, error)
            raise
        self._checked_at = time.monotonic()
        return lease

    async def _withdraw_damaged(self, lease: Lease, error: Exception) -> None:
        """Check whether damaged files made a request fail; if so, the next request opens the index anew.

        Raises:
            IndexDamaged: The files of the generation are not those that were opened.
        """
        now = time.monotonic()
        # An error in the program must not make every request that meets it hash the whole index.
        if now < lease.verified_until:
            return
        lease.verified_until = now + REFUSED_SECONDS
        try:
            await asyncio.to_thread(lease.index.verify)
        except IndexDamaged as damage:
            lease.verified_until = 0.0
            if self._served is lease:
                logger.warning("The index was damaged while it was served: %s", damage)
                self._served, lease.retired = None, True
            raise damage from error

    async def _open(self) -> Lease:
        """Open the current generation."""
        # The stamp is taken first: a build that publishes meanwhile is noticed at the next look.
        stamp = self._stamp()
        return Lease(await open_index(self.path), stamp)

    async def _look_for_newer(self, served: Lease) -> None:
        """Begin to open a newer generation if there is one, and wait for it for a short time."""
        now = time.monotonic()
        if now - self._checked_at < CHECK_SECONDS:
            return
        # Computed before `_checked_at` is set anew: the difference is the time without a request.
        stale = now - self._checked_at > STALE_SECONDS
        self._checked_at = now
        stamp = self._stamp()
        if stamp is None or stamp == served.stamp or self._is_refused(stamp, now):
            return
        if self._opening is None or self._opening.done():
            self._opening = asyncio.create_task(self._open_newer(stamp))
        # Only the request that noticed the newer generation waits. Others read the older one meanwhile.
        await asyncio.wait((self._opening,), timeout=None if stale else PATIENCE_SECONDS)

    async def _open_newer(self, stamp: FileStamp) -> None:
        """Open a newer generation and serve it. If it cannot be opened, nothing changes for readers."""
        try:
            newer = await self._open()
        except Exception as error:
            if not isinstance(error, TruerefError):
                logger.exception("The newer generation cannot be opened, so the previous one is still served")
            elif self._refused is None or self._refused[1] != stamp:
                logger.warning("The newer generation cannot be served, so the previous one still is: %s", error)
            self._refused = (time.monotonic() + REFUSED_SECONDS, stamp)
            return
        older, self._served = self._served, newer
        if older is not None:
            older.retired = True
            await self._close_if_unread(older)

    def _is_refused(self, stamp: FileStamp, now: float) -> bool:
        """Whether a generation could not be opened a short while ago."""
        return self._refused is not None and self._refused[1] == stamp and now < self._refused[0]

    def _stamp(self) -> FileStamp | None:
        """The stamp of `current.json`, which differs after each build; None if there is no such file."""
        try:
            status = (self.path / "current.json").stat()
        except OSError:
            return None
        return status.st_mtime_ns, status.st_ino

    async def _close_if_unread(self, lease: Lease) -> None:
        """Close a replaced index once the last request that reads it has ended."""
        if lease.retired and lease.readers == 0:
            await lease.index.close()


def _load(name: str, dimensions: int, threads: int | None) -> Embedder:
    """Load an embedder by its name, and check that its vectors have the size of those in the index.

    With the bundled one, the vectors of words that belong to it are loaded too.
    """
    from trueref_core.embedding.bundled_model import BUNDLED_NAME
    from trueref_core.embedding.embedder import load_embedder
    from trueref_core.embedding.word_vectors import load_word_vectors

    try:
        embedder = load_embedder(name, threads, for_questions=True)
        if name == BUNDLED_NAME:
            # What is marked is found by them. Loaded here, they take no time of the first question. Two threads that
            # come first at once both load them, which does no harm.
            load_word_vectors()
    except EmbedderError as error:
        raise IndexIncompatible(f"The index was made with the embedder {name}: {error} {REBUILD}") from error
    if embedder is None or (embedder.name, embedder.dimensions) != (name, dimensions):
        available = "full text only" if embedder is None else f"{embedder.name} with {embedder.dimensions} dimensions"
        raise IndexIncompatible(
            f"The index was made with the embedder {name} with {dimensions} dimensions, and here is {available}. "
            f"{REBUILD}"
        )
    return embedder
