"""Builds under a live preview: full text answers at once, vectors follow in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from trueref_core.embedder import Embedder, load_embedder
from trueref_core.errors import TruerefError
from trueref_plugin.index import IndexReport, build_text, embed_and_publish, known_vectors
from trueref_plugin.options import BuildOptions
from trueref_plugin.reader import SiteContent
from trueref_plugin.report import Reporter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Preview:
    """The builds of one preview, one after the other.

    A save while texts are being embedded ends that work: its vectors are kept, and the next build goes on from them.

    Args:
        tell: Given the report of every build that ended in the background, and the index.
        warn: Given a line where one failed; full text still answers then.
    """

    def __init__(self, tell: Callable[[IndexReport, Path], None], warn: Callable[[str], None]) -> None:
        self._tell, self._warn = tell, warn
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._embedder: Embedder | None = None
        self._turn = threading.Lock()
        self._newest = 0
        self._thread: threading.Thread | None = None

    def build(self, options: BuildOptions, report: Reporter) -> IndexReport:
        """Publishes the text of the site, and starts embedding it."""
        self._newest += 1
        done = build_text(options, report)
        if options.embeds and not done.report.generation.vectors:
            work = (options, done.content, self._newest)
            # A daemon: ending the preview does not wait for vectors that no one will ask.
            self._thread = threading.Thread(target=self._embed, args=work, name="trueref-embed", daemon=True)
            self._thread.start()
        return done.report

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the vectors of the newest build are published."""
        if self._thread is not None:
            self._thread.join(seconds)

    def close(self) -> None:
        """Ends what runs in the background, at its next text."""
        self._newest += 1
        self.wait(5)

    def _embed(self, options: BuildOptions, content: SiteContent, number: int) -> None:
        with self._turn:
            try:
                self._embedder = self._embedder or load_embedder(options.embedder)
                if not self._vectors:
                    self._vectors = known_vectors(options, self._embedder)
                done = embed_and_publish(
                    options, content, self._embedder, self._vectors, Reporter(), lambda: number == self._newest
                )
            except TruerefError as error:
                # A newer build may hold the lock; it embeds again.
                if number == self._newest:
                    self._warn(f"{error} Full text still answers.")
                return
        if done is not None:
            self._tell(done, options.index)
