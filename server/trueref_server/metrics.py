"""Metrics for monitoring: counts and times of answers, and no word of a question."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from trueref_core.errors import EmbedderError, IndexFault

if TYPE_CHECKING:
    from trueref_server.records import Answer

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
BUCKET_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Upper bounds of the histogram's buckets, in seconds: from an answer out of the cache to an answer by a slow model."""


class Metrics:
    """The counters of one service. They start at 0 with the process, as Prometheus expects."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        counter = partial(Counter, registry=self._registry)
        self._answers = counter("trueref_answers", "Answers given", ("verdict", "mode", "cached"))
        self._seconds = Histogram(
            "trueref_answer_seconds",
            "Time to the whole answer",
            ("mode",),
            buckets=BUCKET_SECONDS,
            registry=self._registry,
        )
        self._fallbacks = counter("trueref_fallbacks", "Answers by passages in place of a model's text", ("reason",))
        self._sources = counter("trueref_sources", "Sources of answers", ("kind",))
        self._references = counter("trueref_references", "References of answers that were checked", ("decision",))
        self._marks = counter("trueref_marks", "Passages of a model's text that were marked")
        self._lookups = counter("trueref_cache_lookups", "Questions looked up in the cache", ("result",))
        self._tokens = counter("trueref_model_tokens", "Tokens sent to a model and received from it", ("direction",))
        self._ratings = counter("trueref_ratings", "Ratings of answers and sources by readers", ("of", "helpful"))
        self._losses = counter("trueref_store_losses", "Entries that the store did not keep", ("reason",))
        self._errors = counter("trueref_http_errors", "Responses of the API with an error", ("status",))
        self._failures = counter("trueref_failures", "Questions without an answer", ("code",))

    def answered(self, answer: Answer) -> None:
        """Count an answer."""
        self._answers.labels(answer.verdict, answer.mode, str(answer.cached).lower()).inc()
        self._seconds.labels(answer.mode).observe(answer.timings["total"] / 1000)
        # The sources, references and marks of a cached answer were counted when the answer was made.
        if answer.cached:
            return
        if answer.fallback:
            self._fallbacks.labels(answer.fallback).inc()
        for source in answer.sources:
            self._sources.labels(source.kind).inc()
        counts = answer.references
        passed = max(0, counts.checked - counts.corrected - counts.removed)
        for decision, number in (("passed", passed), ("corrected", counts.corrected), ("removed", counts.removed)):
            self._references.labels(decision).inc(number)
        self._marks.inc(len(answer.marks))

    def looked_up(self, result: str) -> None:
        """Count a look-up in the cache by its result: `hit`, `miss`, or `error` if the cache cannot be used."""
        self._lookups.labels(result).inc()

    def spent(self, sent: int, received: int) -> None:
        """Count the tokens of one request to a model."""
        self._tokens.labels("sent").inc(sent)
        self._tokens.labels("received").inc(received)

    def rated(self, is_helpful: bool, *, of_source: bool) -> None:
        """Count a reader's rating of an answer, or of one of its sources."""
        self._ratings.labels("source" if of_source else "answer", str(is_helpful).lower()).inc()

    def lost(self, reason: str, number: int) -> None:
        """Count entries that the store did not keep. Called from any thread."""
        self._losses.labels(reason).inc(number)

    def refused(self, status: int) -> None:
        """Count a response of the API that is an error."""
        self._errors.labels(str(status)).inc()

    def failed(self, error: Exception) -> str:
        """Count a question that ended in an error, and return the code of that error."""
        is_index_error = isinstance(error, IndexFault | EmbedderError)
        code = "index-unavailable" if is_index_error else "internal"
        self._failures.labels(code).inc()
        return code

    def text(self) -> bytes:
        """All counts in the text format of Prometheus."""
        return generate_latest(self._registry)
