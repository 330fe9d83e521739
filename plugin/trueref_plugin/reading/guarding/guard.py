"""Reads pages, odd ones in a child process that may be killed: it has a time limit by their size and a memory limit.

`prescan` decides which pages are odd. Nearly all are not: sending all of them to children was measured at 2.6 times the
processor time. The child is started for the first odd page and serves the rest of the build. Why a child is needed
stands in `docs/decisions/guarded-child.md`.
"""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Final, TypeVar, TypeVarTuple, cast

from trueref_plugin.reading.guarding.child import Child, PageRefused, limit_memory, serve
from trueref_plugin.reading.guarding.prescan import why_odd

SECONDS_A_PAGE: Final = 2.0
SECONDS_A_MEGABYTE: Final = 5.0
"""Added for large pages: a megabyte of paragraphs of one letter takes 3 s."""
_STACK_BYTES: Final = 512 * 1024**2
_RECURSION: Final = 200_000

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class GuardedReader(Child):
    """Reads pages one by one. Use it as a context manager: leaving it ends the child."""

    module = "trueref_plugin.reading.guarding.guard"

    def read(self, function: Callable[[str, *Ts], T], html: str, *arguments: *Ts) -> T:
        """Reads a page in this process if that is safe, else in the child.

        Args:
            function: What reads it: `parse_page`, or a function of `page_links`.
            html: The text of the page.
            arguments: What else the function is given.

        Raises:
            PageRefused: The page took too long, too much memory, or brought the parser down.
        """
        if why_odd(html) is None:
            # Errors are suppressed, because the child then fails too and reports it by name, or succeeds: its stack is
            # deeper.
            with suppress(Exception):
                return function(html, *arguments)
        return self.read_in_child(function, html, *arguments)

    def read_in_child(self, function: Callable[[str, *Ts], T], html: str, *arguments: *Ts) -> T:
        """Reads a page in the child. Raises what `read` raises."""
        seconds = SECONDS_A_PAGE + round(SECONDS_A_MEGABYTE * len(html) / 1e6, 1)
        frame = self.ask(pickle.dumps((function, (html, *arguments)), protocol=pickle.HIGHEST_PROTOCOL), seconds)
        reason, result = pickle.loads(frame)  # noqa: S301 - from our own child, over a pipe no one else holds
        if reason:
            raise PageRefused(reason)
        return cast("T", result)


def _answered(frame: bytes) -> bytes:
    """The answer to one request: the reason why there is no value, or "", and the value."""
    function, arguments = pickle.loads(frame)  # noqa: S301 - from our own parent
    try:
        return pickle.dumps(("", function(*arguments)), protocol=pickle.HIGHEST_PROTOCOL)
    except RecursionError:
        reason = "its elements are nested too deep"
    except MemoryError:
        reason = "it needs too much memory"
    except Exception as error:
        # A bug in our code. Until it is mended this page is missing, and the others are not.
        reason = f"reading it failed ({type(error).__name__}: {error})"
    return pickle.dumps((reason, None), protocol=pickle.HIGHEST_PROTOCOL)


def _serve() -> None:
    """Answers the requests of the build."""
    # Imported before the child reports that it is ready: imports do not count as time of a page.
    import_module("trueref_plugin.reading.page_links")
    import_module("trueref_plugin.reading.parse")
    serve(_answered)


def main() -> None:
    """The child: deep trees need a deep stack, and only a thread can be given one."""
    limit_memory()
    sys.setrecursionlimit(_RECURSION)
    threading.stack_size(_STACK_BYTES)
    worker = threading.Thread(target=_serve)
    worker.start()
    worker.join()


if __name__ == "__main__":
    main()
