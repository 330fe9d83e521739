"""Parses odd pages in a child process that may be killed: it has a time limit by the size of a page and a memory limit.

The child is started for the first odd page and serves the rest of the build. Which pages are odd is decided in
`prescan`; why a child is needed stands in `docs/decisions/guarded-child.md`.
"""

from __future__ import annotations

import pickle
import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeVar, cast

from trueref_plugin.reading.guarding.child import Child, PageRefused, limit_memory, serve
from trueref_plugin.reading.parsed import ParsedPage

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from trueref_plugin.reading.page_links import PageAttributes, PageLinks

SECONDS_A_PAGE: Final = 2.0
SECONDS_A_MEGABYTE: Final = 5.0
"""Added for large pages: a megabyte of paragraphs of one letter takes 3 s."""
_STACK_BYTES: Final = 512 * 1024**2
_RECURSION: Final = 200_000

T = TypeVar("T")
ChildCall = tuple[str, tuple[object, ...]]
"""A function of the child by its name (see `_serve`), and its arguments, the text of a page first."""


class GuardedReader(Child):
    """A child that parses pages one by one. Use it as a context manager: leaving it ends the child."""

    def __init__(self, seconds_a_page: float = SECONDS_A_PAGE) -> None:
        super().__init__("trueref_plugin.reading.guarding.guard")
        self._seconds = seconds_a_page

    def parse(self, html: str, content_selector: str | None) -> ParsedPage:
        """Parses one page.

        Raises:
            PageRefused: The page took too long, too much memory, or brought the parser down.
        """
        return self._ask_child(ParsedPage, "page", html, content_selector)

    def read_links(self, html: str) -> PageLinks:
        """Reads the links of one page. Raises what `parse` raises."""
        from trueref_plugin.reading.page_links import PageLinks

        return self._ask_child(PageLinks, "links", html)

    def read_attributes(self, html: str, names: Sequence[str], textless: str) -> PageAttributes:
        """Reads attributes of one page, see `reading.page_links`. Raises what `parse` raises."""
        from trueref_plugin.reading.page_links import PageAttributes

        return self._ask_child(PageAttributes, "attributes", html, tuple(names), textless)

    def _ask_child(self, kind: type[T], function_name: str, html: str, *arguments: object) -> T:
        """Calls a function of the child, and checks the type of its result."""
        seconds = self._seconds + round(SECONDS_A_MEGABYTE * len(html) / 1e6, 1)
        frame = self.ask(pickle.dumps((function_name, (html, *arguments)), protocol=pickle.HIGHEST_PROTOCOL), seconds)
        result: object = pickle.loads(frame)  # noqa: S301 - from our own child, over a pipe no one else holds
        if isinstance(result, kind):
            return result
        raise PageRefused(str(result))


def _answered(frame: bytes, served: Mapping[str, Callable[..., object]]) -> bytes:
    """The answer to one request: a value, or the reason why there is none, as text."""
    function_name, arguments = cast("ChildCall", pickle.loads(frame))  # noqa: S301 - from our own parent
    try:
        result: object = served[function_name](*arguments)
        return pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)
    except RecursionError:
        result = "its elements are nested too deep"
    except MemoryError:
        result = "it needs too much memory"
    except Exception as error:
        # A bug in our code. Until it is mended this page is missing, and the others are not.
        result = f"reading it failed ({type(error).__name__}: {error})"
    return pickle.dumps(result, protocol=pickle.HIGHEST_PROTOCOL)


def _serve() -> None:
    """Answers the requests of the build."""
    # Imported before the child reports that it is ready: imports do not count as time of a page.
    from trueref_plugin.reading.page_links import read_attributes, read_links
    from trueref_plugin.reading.parse import parse_page

    served: dict[str, Callable[..., object]] = {
        "page": parse_page,
        "links": read_links,
        "attributes": read_attributes,
    }
    serve(lambda frame: _answered(frame, served))


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
