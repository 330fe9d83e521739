"""Builds under a live preview: they never delay the reload, and full text answers before vectors are there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.embedder import Embedder, load_embedder
from trueref_core.errors import IndexDamaged, TruerefError
from trueref_core.generations.publication import build_lock, forget
from trueref_plugin.build.build import LOCK_SECONDS, IndexReport, embed_and_publish, make
from trueref_plugin.build.build_plan import BuildPlan, plan_build
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FEW_TEXTS: Final = 40
"""So many texts are embedded before anything is published: well under a second, at 60 texts a second and more."""


class Preview:
    """The builds of one preview, one after the other.

    The first one publishes text before the preview shows a page. Later ones go on in the background. A save while
    texts are being embedded ends that work: its vectors are kept, and the next build goes on from them.

    Beside other sites of the index nothing is published before its vectors are there: theirs would be taken away.

    Args:
        tell: Given the report of every build that ended in the background, and the index.
        warn: Given a line where one failed; what was served still answers then.
    """

    def __init__(self, tell: Callable[[IndexReport, Path], None], warn: Callable[[str], None]) -> None:
        self._tell, self._warn = tell, warn
        self._vectors: dict[str, NDArray[np.float32]] = {}
        self._embedder: Embedder | None = None
        self._turn = threading.Lock()
        self._newest = 0
        self._thread: threading.Thread | None = None

    def build(self, options: BuildOptions, report: Reporter) -> IndexReport | None:
        """Reads the site, and begins to publish what changed.

        Returns:
            The report, or None where all of it is still to be published.
        """
        self._newest += 1
        with build_lock(options.index, LOCK_SECONDS):
            plan = plan_build(options.checked(), report)
            done = self._first(plan, report)
        if done is None or plan.options.embeds != done.generation.vectors:
            work = (plan, self._newest)
            # A daemon: ending the preview does not wait for vectors that no one will ask.
            self._thread = threading.Thread(target=self._finish, args=work, name="trueref-embed", daemon=True)
            self._thread.start()
        return done

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the vectors of the newest build are published."""
        if self._thread is not None:
            self._thread.join(seconds)

    def close(self) -> None:
        """Ends what runs in the background, at its next text."""
        self._newest += 1
        self.wait(5)

    def _first(self, plan: BuildPlan, report: Reporter) -> IndexReport | None:
        """What can be told at once: the site is served already, or nothing of it is, so that its text must be now."""
        if any(plan.is_served(vectors=has) for has in (False, plan.options.embeds)):
            assert plan.served is not None
            return IndexReport(plan.served, changed=False, site=plan.content.site.name, refused=plan.content.refused)
        names = [site.name for site in plan.served.sites] if plan.served else []
        if plan.content.site.name in names or not plan.may_go_without_vectors:
            return None
        return _publish_text(plan, report, lambda: True)

    def _finish(self, plan: BuildPlan, number: int) -> None:
        with self._turn:
            try:
                done = self._publish_sound(plan, lambda: number == self._newest)
            except TruerefError as error:
                # A newer build may hold the lock; it does all of this again.
                if number == self._newest:
                    self._warn(f"{error} What was there before still answers.")
                return
        if done is not None:
            self._tell(done, plan.options.index)

    def _publish_sound(self, plan: BuildPlan, is_wanted: Callable[[], bool]) -> IndexReport | None:
        try:
            return self._publish(plan, is_wanted)
        except IndexDamaged:
            # What was to be kept is not what was written. The site is not read again: MkDocs may be writing the next.
            forget(plan.options.index)
            return self._publish(replace(plan, served=None, earlier=None), is_wanted)

    def _publish(self, plan: BuildPlan, is_wanted: Callable[[], bool]) -> IndexReport | None:
        if not is_wanted():
            return None
        if not plan.options.embeds:
            return _publish_text(plan, Reporter(), is_wanted)
        self._embedder = self._embedder or load_embedder(plan.options.embedder)
        made = make(plan, self._embedder, self._vectors, Reporter())
        is_text_first = len(made.missing) > FEW_TEXTS and plan.may_go_without_vectors
        if is_text_first and not plan.is_served(vectors=False):
            _publish_text(plan, Reporter(), is_wanted)
            # Vectors are reused of what was served before; what the pages were kept of is there for ten minutes more.
        return embed_and_publish(plan, made, self._embedder, self._vectors, Reporter(), is_wanted)


def _publish_text(plan: BuildPlan, report: Reporter, is_wanted: Callable[[], bool]) -> IndexReport | None:
    """Publishes a generation that answers by full text."""
    return embed_and_publish(plan, make(plan, None, {}, report), None, {}, report, is_wanted)
