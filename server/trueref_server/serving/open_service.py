"""Opens the service of a server with its cache and its store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trueref_server.answer_cache.cache import open_cache
from trueref_server.metrics import Metrics
from trueref_server.service import Service
from trueref_server.store.opening import open_store

if TYPE_CHECKING:
    from trueref_server.settings import Settings


def open_service(settings: Settings) -> Service:
    """A service that keeps what the settings say.

    `trueref ask`, the evaluation and `mkdocs serve` make a service without: what their users ask is no reader's
    question, and an answer from before would hide what they have changed.

    Raises:
        ExtraMissing: What the settings ask for needs an extra that is not installed.
        OptionError: The model, the cache or the store cannot be used as the settings say.
    """
    metrics = Metrics()
    cache, store = open_cache(settings), open_store(settings, metrics.lost)
    return Service(settings, cache=cache, store=store, metrics=metrics)
