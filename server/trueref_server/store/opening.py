"""Opens the store that the settings name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from trueref_core.extras import require_extra

if TYPE_CHECKING:
    from trueref_server.settings import Settings
    from trueref_server.store.database import Database
    from trueref_server.store.store import InsightStore, LossReason


def open_store(settings: Settings, on_loss: Callable[[LossReason, int], None]) -> InsightStore | None:
    """The store of a server; None if the settings name none.

    Raises:
        ExtraMissing: A package that the database needs is not installed.
        OptionError: The address of the store cannot be used.
    """
    if not settings.store:
        return None
    database = open_database(settings.store, "`store`")
    from trueref_server.store.store import InsightStore

    return InsightStore(database, settings.store_days, settings.question_days, on_loss)


def open_database(url: str, needed_by: str) -> Database:
    """A database by its address.

    Args:
        url: The value of the setting `store`.
        needed_by: What needs the database, as the subject of an error message.

    Raises:
        ExtraMissing: A package that the database needs is not installed.
        OptionError: The address cannot be used.
    """
    require_extra("postgres" if url.startswith("postgresql") else "store", needed_by)
    # Imported here, since a server without a store may not have SQLAlchemy.
    from trueref_server.store.database import Database

    return Database(url)
