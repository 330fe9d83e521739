"""Builds during a live preview. They never delay its reload, and full text answers until the vectors are made."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from trueref_core.embedding.embedder import Embedder, load_embedder
from trueref_core.errors import IndexDamaged, TruerefError
from trueref_core.garbage_collection import without_garbage_collection
from trueref_core.generations.content import IndexContent
from trueref_core.generations.publication import build_lock, publish
from trueref_core.generations.updating import marked_as_updating
from trueref_core.records import TextVectors
from trueref_core.storage.integrity_cache import delete_cache
from trueref_plugin.build.build import LOCK_SECONDS, IndexReport, cut, report_of, unchanged_report
from trueref_plugin.build.build_plan import BuildPlan, compare, read_served_manifest, refreshed
from trueref_plugin.build.chunk_vectors import embed, look_up_vectors
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter
from trueref_plugin.site.site_reader import read_site

FEW_TEXTS: Final = 40
"""Up to this many new texts are embedded before anything is published. At 90 texts a second (docs/quick-start.md) that
takes less than a second, so that publishing full text first would only add one more generation."""


class Preview:
    """The builds of one preview, one after the other.

    The first build publishes full text before the preview shows a page. Later builds are finished in the background. If
    the writer saves while texts are being embedded, the work in the background stops. The vectors that it made are
    kept, and the next build continues with them.

    If the index holds other sites, nothing is published without vectors: a generation has vectors for all of its sites
    or for none, so the other sites would lose theirs.

    Args:
        on_build: Called with the report of every build that was finished in the background, and the index.
        note: Called with a line when an embedding begins that takes more than a second.
        warn: Called with a line when a build failed. The generation before it still answers then.
    """

    def __init__(
        self,
        on_build: Callable[[IndexReport, Path], None],
        note: Callable[[str], None],
        warn: Callable[[str], None],
    ) -> None:
        self._on_build, self._note, self._warn = on_build, note, warn
        self._vectors: dict[str, TextVectors] = {}
        self._embedder: Embedder | None = None
        self._work_lock = threading.Lock()
        self._newest_build = 0
        self._thread: threading.Thread | None = None

    @without_garbage_collection()
    def build(self, options: BuildOptions, report: Reporter) -> IndexReport | None:
        """Reads the site, and publishes what changed, at once or in the background.

        Returns:
            The report, or None if the build will be finished in the background.

        Raises:
            TruerefError: An error that a user can correct: see `trueref_core.errors`.
        """
        self._newest_build += 1
        # The lock is held while the site is read and compared, so that no other build publishes in between.
        with build_lock(options.index, LOCK_SECONDS):
            options = options.checked()
            earlier = read_served_manifest(options, report)
            plan = compare(options, read_site(options, report, earlier), earlier, report)
            index_report = self._finish_at_once(plan, report)
        if index_report is None or plan.options.embeds != index_report.generation.vectors:
            self._begin(self._finish, plan, self._newest_build)
        elif plan.options.embeds and self._embedder is None:
            # Loaded before the first save needs it, because loading takes longer than everything else that a build
            # after a small change does.
            self._begin(self._load_in_background, plan)
        return index_report

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the vectors of the newest build are published."""
        if self._thread is not None:
            self._thread.join(seconds)

    def close(self) -> None:
        """Stops the work in the background after the text that is being embedded. Waits for at most five seconds."""
        self._newest_build += 1
        self.wait(5)

    def _begin(self, work: Callable[..., None], *arguments: object) -> None:
        """Starts work in the background, which the preview does not wait for."""
        # A daemon thread, so that the preview can end without waiting for vectors that nobody needs any more.
        self._thread = threading.Thread(target=work, args=arguments, name="trueref-embed", daemon=True)
        self._thread.start()

    def _load_in_background(self, plan: BuildPlan) -> None:
        """Loads the embedder in the background."""
        with self._work_lock, suppress(TruerefError):
            # Errors are not reported here: the next save tries to load the embedder again, and reports the error.
            self._load_embedder(plan)

    def _load_embedder(self, plan: BuildPlan) -> Embedder | None:
        """The embedder, loaded once for all builds of the preview."""
        self._embedder = self._embedder or load_embedder(plan.options.embedder)
        return self._embedder

    def _finish_at_once(self, plan: BuildPlan, report: Reporter) -> IndexReport | None:
        """Finishes a build that does not have to wait, and returns its report; None for any other build.

        If the site is already served, there is nothing to do. If the index does not have the site yet, full text is
        published at once, so that the preview can answer from its first page on.
        """
        if any(plan.is_served(vectors=vectors) for vectors in (False, plan.options.embeds)):
            return unchanged_report(plan)
        names = [site.name for site in plan.served.sites] if plan.served else []
        if plan.site.site.name in names or not plan.may_go_without_vectors:
            return None
        return _publish_text(plan, report, lambda: True)

    def _finish(self, plan: BuildPlan, number: int) -> None:
        """Finishes a build in the background thread, unless a newer save has begun another build."""
        # One thread at a time: two threads would make the same vectors, and the older build could publish last.
        with self._work_lock:
            try:
                with marked_as_updating(plan.options.index):
                    index_report = self._publish_or_repair(plan, lambda: number == self._newest_build)
            except TruerefError as error:
                # The error may be that a newer build holds the lock. A newer build does all of this again, so that no
                # warning is needed.
                if number == self._newest_build:
                    self._warn(f"{error} The last published build still answers questions.")
                return
        if index_report is not None:
            self._on_build(index_report, plan.options.index)

    def _publish_or_repair(self, plan: BuildPlan, is_wanted: Callable[[], bool]) -> IndexReport | None:
        """Publishes the site. If the generation with the unchanged pages is damaged, all pages are made again."""
        try:
            return self._publish(plan, is_wanted)
        except IndexDamaged:
            # Unlike in `build`, the site is not read again: MkDocs may already be writing its next version.
            delete_cache(plan.options.index)
            return self._publish(replace(plan, served=None, earlier=None), is_wanted)

    def _publish(self, plan: BuildPlan, is_wanted: Callable[[], bool]) -> IndexReport | None:
        """Publishes the site as read. If many vectors have to be made, full text is published before them."""
        if not is_wanted():
            return None
        embedder = self._load_embedder(plan)
        if embedder is None:
            return _publish_text(plan, Reporter(), is_wanted)
        content = cut(plan, embedder, Reporter())
        missing = self._look_up_vectors(plan, content, embedder)
        is_text_first = len(missing) > FEW_TEXTS and plan.may_go_without_vectors
        if is_text_first and not plan.is_served(vectors=False):
            _publish_text(plan, Reporter(), is_wanted)
            # The plan still refers to the generation before this one, which stays on disk for ten more minutes.
        if len(missing) > FEW_TEXTS:
            # Embedding keeps the processor busy for a minute or more, and the writer should know why.
            until_then = "text is found by its words" if is_text_first else "the build before answers"
            self._note(f"Embedding {len(missing)} texts in the background. Until that is done, {until_then}.")
        # Without the lock, because embedding takes minutes, and the writer's next save needs the lock to read the site.
        if not self._embed_while_wanted(missing, embedder, is_wanted):
            return None
        with build_lock(plan.options.index, LOCK_SECONDS):
            # Checked again under the lock: a newer build may have compared its site with the served generation while
            # the vectors were made. If it found no change, publishing the older site now would be wrong.
            if not is_wanted():
                return None
            current_plan = refreshed(plan)
            if current_plan is not plan:
                # Another build has added, changed or dropped a site since this one was read.
                content = cut(current_plan, embedder, Reporter())
                # If that build dropped this site, the vectors of unchanged pages are no longer in the index.
                self._embed_while_wanted(self._look_up_vectors(current_plan, content, embedder), embedder, lambda: True)
            content = replace(content, vectors=self._vectors)
            published = publish(plan.options.index, content, rewrite=plan.options.full)
        return report_of(plan, content, published, embedder, embedded=len(missing))

    def _look_up_vectors(self, plan: BuildPlan, content: IndexContent, embedder: Embedder) -> Mapping[str, str]:
        """The texts that have no vector yet, by their hashes. Puts the vectors that already exist into `_vectors`."""
        vectors = look_up_vectors(plan, content.chunks, embedder, self._vectors, Reporter())
        self._vectors = dict(vectors.existing)
        return vectors.missing

    def _embed_while_wanted(self, texts: Mapping[str, str], embedder: Embedder, is_wanted: Callable[[], bool]) -> bool:
        """Makes vectors and keeps them in `_vectors`. Returns False if it stopped early because of a newer build."""
        for text_hash, vectors in embed(texts, embedder, Reporter()):
            self._vectors[text_hash] = vectors
            if not is_wanted():
                return False
        return True


def _publish_text(plan: BuildPlan, report: Reporter, is_wanted: Callable[[], bool]) -> IndexReport | None:
    """Publishes a generation that answers by full text; does nothing and returns None if a newer build has begun."""
    content = cut(plan, None, report)
    with build_lock(plan.options.index, LOCK_SECONDS):
        if not is_wanted():
            return None
        current_plan = refreshed(plan)
        if current_plan is not plan:
            content = cut(current_plan, None, report)
        published = publish(plan.options.index, content, rewrite=plan.options.full)
    return report_of(plan, content, published, None, embedded=0)
