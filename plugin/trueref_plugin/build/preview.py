"""Builds under a live preview: they never delay the reload, and full text answers before vectors are there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.embedding.embedder import Embedder, load_embedder
from trueref_core.errors import IndexDamaged, TruerefError
from trueref_core.garbage_collection import without_collecting
from trueref_core.generations.content import IndexContent
from trueref_core.generations.publication import build_lock, publish
from trueref_core.generations.updating import marked_as_updating
from trueref_core.storage.integrity_cache import delete_cache
from trueref_plugin.build.build import LOCK_SECONDS, IndexReport, cut, report_of
from trueref_plugin.build.build_plan import BuildPlan, compare, read_served_manifest, refreshed
from trueref_plugin.build.chunk_vectors import embed, look_up_vectors
from trueref_plugin.options import BuildOptions
from trueref_plugin.progress import Reporter
from trueref_plugin.site.site_reader import read_site

if TYPE_CHECKING:
    from trueref_plugin.build.chunk_vectors import Vector

FEW_TEXTS: Final = 40
"""Up to this many new texts are embedded before anything is published: at 60 texts a second that takes under a second,
so publishing the text first would only cost a second generation."""


class Preview:
    """The builds of one preview, one after the other.

    The first build publishes an index for full text before the preview shows a page. Later builds are finished in the
    background. When the writer saves while texts are being embedded, that work ends: its vectors are kept, and the
    next build continues with them.

    If the index holds other sites, nothing is published without vectors: a generation has vectors of all its sites or
    of none, so that the other sites would lose theirs.

    Args:
        tell: Called with the report of every build that ended in the background, and the index.
        note: Called with a line when embedding begins that takes a while.
        warn: Called with a line when a build failed; the generation before it still answers then.
    """

    def __init__(
        self,
        tell: Callable[[IndexReport, Path], None],
        note: Callable[[str], None],
        warn: Callable[[str], None],
    ) -> None:
        self._tell, self._note, self._warn = tell, note, warn
        self._vectors: dict[str, Vector] = {}
        self._embedder: Embedder | None = None
        self._turn = threading.Lock()
        self._newest = 0
        self._thread: threading.Thread | None = None

    @without_collecting()
    def build(self, options: BuildOptions, report: Reporter) -> IndexReport | None:
        """Reads the site, and begins to publish what changed.

        Returns:
            The report, or None if all of it is still to be published.
        """
        self._newest += 1
        # Reading and comparing happen under one lock, so that no other build publishes in between.
        with build_lock(options.index, LOCK_SECONDS):
            options = options.checked()
            earlier = read_served_manifest(options, report)
            plan = compare(options, read_site(options, report, earlier), earlier, report)
            done = self._report_at_once(plan, report)
        if done is None or plan.options.embeds != done.generation.vectors:
            self._begin(self._finish, plan, self._newest)
        elif plan.options.embeds and self._embedder is None:
            # Loaded before the first save needs it: loading takes longer than everything else that a small change
            # costs.
            self._begin(self._warm, plan)
        return done

    def wait(self, seconds: float | None = None) -> None:
        """Waits until the vectors of the newest build are published."""
        if self._thread is not None:
            self._thread.join(seconds)

    def close(self) -> None:
        """Ends what runs in the background, at its next text."""
        self._newest += 1
        self.wait(5)

    def _begin(self, work: Callable[..., None], *arguments: object) -> None:
        """Starts work in the background, which the preview does not wait for."""
        # A daemon thread: the preview can end without waiting for vectors that nobody needs any more.
        self._thread = threading.Thread(target=work, args=arguments, name="trueref-embed", daemon=True)
        self._thread.start()

    def _warm(self, plan: BuildPlan) -> None:
        """Loads the embedder in the background."""
        with self._turn, suppress(TruerefError):
            # An error is suppressed here: the next save loads the embedder again and reports it.
            self._load(plan)

    def _load(self, plan: BuildPlan) -> Embedder | None:
        """The embedder, loaded once for all builds of the preview."""
        self._embedder = self._embedder or load_embedder(plan.options.embedder)
        return self._embedder

    def _report_at_once(self, plan: BuildPlan, report: Reporter) -> IndexReport | None:
        """The report of a build that needs no work in the background, or whose text is published now; else None.

        Nothing is to be done if the site is served already. If nothing of it is served, its text is published now, so
        that the preview can answer from its first page on.
        """
        if any(plan.is_served(vectors=has) for has in (False, plan.options.embeds)):
            assert plan.served is not None
            return IndexReport(plan.served, changed=False, site=plan.site.site.name, refused=plan.site.refused)
        names = [site.name for site in plan.served.sites] if plan.served else []
        if plan.site.site.name in names or not plan.may_go_without_vectors:
            return None
        return _publish_text(plan, report, lambda: True)

    def _finish(self, plan: BuildPlan, number: int) -> None:
        """The work of the background thread. Only the build of the newest save is finished."""
        # One thread at a time: two would make the same vectors twice, and the older one could publish last.
        with self._turn:
            try:
                with marked_as_updating(plan.options.index):
                    done = self._publish_sound(plan, lambda: number == self._newest)
            except TruerefError as error:
                # A newer build may be the one that holds the lock. It does all of this again, so nobody is warned.
                if number == self._newest:
                    self._warn(f"{error} What was there before still answers.")
                return
        if done is not None:
            self._tell(done, plan.options.index)

    def _publish_sound(self, plan: BuildPlan, is_wanted: Callable[[], bool]) -> IndexReport | None:
        """Publishes. If the generation that unchanged pages are taken from is damaged, all pages are made again."""
        try:
            return self._publish(plan, is_wanted)
        except IndexDamaged:
            # The site is not read again, unlike in `build`: MkDocs may be writing the next version of it by now.
            delete_cache(plan.options.index)
            return self._publish(replace(plan, served=None, earlier=None), is_wanted)

    def _publish(self, plan: BuildPlan, is_wanted: Callable[[], bool]) -> IndexReport | None:
        """Publishes the site as read. With vectors it is published without them before if there are many to make."""
        if not is_wanted():
            return None
        embedder = self._load(plan)
        if embedder is None:
            return _publish_text(plan, Reporter(), is_wanted)
        content = cut(plan, embedder, Reporter())
        missing = self._look_up(plan, content, embedder)
        is_text_first = len(missing) > FEW_TEXTS and plan.may_go_without_vectors
        if is_text_first and not plan.is_served(vectors=False):
            _publish_text(plan, Reporter(), is_wanted)
            # The plan still builds on the generation before this one, which stays on disk for ten minutes more.
        if len(missing) > FEW_TEXTS:
            # Both processors are busy for a minute or more, and a writer would not know with what.
            meanwhile = "text is found by its words" if is_text_first else "the build before answers"
            self._note(f"Embedding {len(missing)} texts in the background. Until that is done, {meanwhile}.")
        # Outside of the lock: embedding takes minutes, and the writer's next save needs the lock to read the site.
        if not self._embed(missing, embedder, is_wanted):
            return None
        with build_lock(plan.options.index, LOCK_SECONDS):
            # Checked again under the lock: a newer build may have compared its site with the served generation while
            # the vectors were made. If it found no change, publishing the older site now would be wrong.
            if not is_wanted():
                return None
            now = refreshed(plan)
            if now is not plan:
                # Another build has added, changed or dropped a site since this one was read.
                content = cut(now, embedder, Reporter())
                # If this site was dropped, the vectors of its unchanged pages are gone from the index too.
                self._embed(self._look_up(now, content, embedder), embedder, lambda: True)
            content = replace(content, vectors=self._vectors)
            published = publish(plan.options.index, content, rewrite=plan.options.full)
        return report_of(plan, content, published, embedder, embedded=len(missing))

    def _look_up(self, plan: BuildPlan, content: IndexContent, embedder: Embedder) -> Mapping[str, str]:
        """The texts that have no vector yet, by their hashes. Vectors that exist already are kept in `_vectors`."""
        vectors = look_up_vectors(plan, content.chunks, embedder, self._vectors, Reporter())
        self._vectors = dict(vectors.existing)
        return vectors.missing

    def _embed(self, texts: Mapping[str, str], embedder: Embedder, is_wanted: Callable[[], bool]) -> bool:
        """Makes vectors; False if it ended before all were made, because a newer build wants others. All are kept."""
        for text_hash, vector in embed(texts, embedder, Reporter()):
            self._vectors[text_hash] = vector
            if not is_wanted():
                return False
        return True


def _publish_text(plan: BuildPlan, report: Reporter, is_wanted: Callable[[], bool]) -> IndexReport | None:
    """Publishes a generation that answers by full text."""
    content = cut(plan, None, report)
    with build_lock(plan.options.index, LOCK_SECONDS):
        if not is_wanted():
            return None
        now = refreshed(plan)
        if now is not plan:
            content = cut(now, None, report)
        published = publish(plan.options.index, content, rewrite=plan.options.full)
    return report_of(plan, content, published, None, embedded=0)
