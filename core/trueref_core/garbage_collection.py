"""Turns Python's garbage collector off while records are made."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def without_collecting() -> Generator[None]:
    """Turn the collector off, as a decorator or in a `with`.

    It goes through all objects again whenever a quarter more exist: with the records of ten thousand pages that takes a
    fifth of the time of a build. No record is part of a cycle, so it would find nothing.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
