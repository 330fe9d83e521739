"""Reads pages. Odd pages are read in a child process with a memory limit, which is killed if a page takes too long.

`prescan` decides which pages are odd, which very few are: reading all pages in children took 2.6 times the processor
time. The child is started for the first odd page and reads all others of the build. `docs/decisions/guarded-child.md`
has the reasons and the measurement.
"""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Final, TypeVar, TypeVarTuple, cast

from trueref_plugin.reading.guarding.child import ChildProcess, PageRefused, limit_memory, serve
from trueref_plugin.reading.guarding.prescan import why_odd

SECONDS_A_PAGE: Final = 2.0
SECONDS_A_MEGABYTE: Final = 5.0
"""Added for each megabyte of a page: a megabyte of paragraphs of one letter takes 3 s."""
_STACK_BYTES: Final = 512 * 1024**2
_RECURSION_LIMIT: Final = 200_000

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class GuardedReader(ChildProcess):
    """Reads pages one after the other. Use it as a context manager: leaving it ends the child."""

    module = "trueref_plugin.reading.guarding.guard"

    def read(self, function: Callable[[str, *Ts], T], html: str, *arguments: *Ts) -> T:
        """Reads a page in this process if that is safe, else in the child.

        Args:
            function: The function that reads the page: `parse_page`, or a function of `page_links`.
            html: The text of the page.
            arguments: The further arguments of the function.

        Raises:
            PageRefused: The page took too long or too much memory, or the parser crashed on it.
        """
        if why_odd(html) is None:
            # After an error the child tries again. Its stack is larger, so it may succeed. If it fails too, it reports
            # the error.
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


def _answer(frame: bytes) -> bytes:
    """The pickled answer to one request: (reason why there is no value, or ""; value)."""
    function, arguments = pickle.loads(frame)  # noqa: S301 - from our own parent
    try:
        return pickle.dumps(("", function(*arguments)), protocol=pickle.HIGHEST_PROTOCOL)
    except RecursionError:
        reason = "its elements are nested too deep"
    except MemoryError:
        reason = "it needs too much memory"
    except Exception as error:
        # This is a bug in our code. It should cost this page alone, and not the build.
        reason = f"reading it failed ({type(error).__name__}: {error})"
    return pickle.dumps((reason, None), protocol=pickle.HIGHEST_PROTOCOL)


def _serve() -> None:
    """Answers the requests of the build."""
    # Imported before the child reports that it is ready, so that imports do not count as time of the first page.
    import_module("trueref_plugin.reading.page_links")
    import_module("trueref_plugin.reading.parse")
    serve(_answer)


def main() -> None:
    """Runs the child. Deeply nested pages need a large stack, and only the stack of a thread can be made larger."""
    limit_memory()
    sys.setrecursionlimit(_RECURSION_LIMIT)
    threading.stack_size(_STACK_BYTES)
    worker = threading.Thread(target=_serve)
    worker.start()
    worker.join()


if __name__ == "__main__":
    main()
