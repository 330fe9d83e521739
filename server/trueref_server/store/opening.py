"""Opens the store that the settings ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trueref_core.extras import require_extra

if TYPE_CHECKING:
    from trueref_server.settings import Settings
    from trueref_server.store.database import Database
    from trueref_server.store.store import InsightStore, Loss


def open_store(settings: Settings, on_loss: Callable[[Loss, int], None]) -> InsightStore | None:
    """The store of a server, None if it is to keep nothing.

    Raises:
        ExtraMissing: What it needs is not installed.
        OptionError: Its address cannot be used.
    """
    if not settings.store:
        return None
    database = open_database(settings.store, "`store`")
    from trueref_server.store.store import InsightStore

    return InsightStore(database, settings.store_days, settings.question_days, on_loss)


def open_database(url: str, what: str) -> Database:
    """A database by its address.

    Args:
        url: What the setting `store` holds.
        what: What needs it, as the beginning of a sentence.

    Raises:
        ExtraMissing: What it needs is not installed.
        OptionError: The address cannot be used.
    """
    require_extra("postgres" if url.startswith("postgresql") else "store", what)
    # Imported here: a server without a store has no SQLAlchemy.
    from trueref_server.store.database import Database

    return Database(url)
