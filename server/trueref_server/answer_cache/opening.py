"""The cache that the settings ask for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.extras import require_extra
from trueref_server.answer_cache.cache import AnswerCache
from trueref_server.answer_cache.sqlite import SqliteBackend

if TYPE_CHECKING:
    from trueref_server.answer_cache.backend import Backend
    from trueref_server.settings import Settings

MEMORY: Final = "memory"
SQLITE: Final = "sqlite:///"


def open_cache(settings: Settings) -> AnswerCache:
    """The cache of a server.

    Raises:
        ExtraMissing: Redis is asked for, and its client is not installed.
        OptionError: The file or the address cannot be used.
    """
    return AnswerCache(settings, _backend(settings))


def _backend(settings: Settings) -> Backend | None:
    """What the answers are kept in outside of the process; None for its memory."""
    size, days = settings.cache_answers, settings.cache_days
    if settings.cache == MEMORY or not size:
        return None
    if settings.cache.startswith(SQLITE):
        return SqliteBackend(Path(settings.cache.removeprefix(SQLITE)).expanduser(), size, days)
    require_extra("redis", f"`cache` with {settings.cache.partition(':')[0]}")
    # Imported here: who keeps answers elsewhere need not have it.
    from trueref_server.answer_cache.redis import RedisBackend

    return RedisBackend(settings.cache, size, days)
