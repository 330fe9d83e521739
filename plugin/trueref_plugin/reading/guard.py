"""Parses odd pages in a child process that may be killed: it has a time limit a page and a memory limit.

The child is started for the first odd page and serves the rest of the build. It speaks pickled frames over its own
pipes and is no `multiprocessing` worker, since those import the host's main module again.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from types import TracebackType
from typing import IO, TYPE_CHECKING, Final, TypeVar, cast

from trueref_plugin.reading.parsed import ParsedPage

SECONDS_A_PAGE: Final = 2.0
START_SECONDS: Final = 20.0
MEMORY_BYTES: Final = 2 * 1024**3
_STACK_BYTES: Final = 512 * 1024**2
_RECURSION: Final = 200_000

T = TypeVar("T")
Request = tuple[str] | tuple[str, str | None]
"""The text of a page to read the links of; with a selector of its content, or None, to parse the whole of."""


if TYPE_CHECKING:
    from trueref_plugin.reading.links import PageLinks


class PageRefused(Exception):
    """A page was not read; the message says why, without naming the page."""


class GuardedReader:
    """A child that parses pages one by one. Use it as a context manager: leaving it ends the child."""

    def __init__(self, seconds_a_page: float = SECONDS_A_PAGE) -> None:
        self._seconds = seconds_a_page
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> GuardedReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def parse(self, html: str, content_selector: str | None) -> ParsedPage:
        """Parses one page.

        Raises:
            PageRefused: The page took too long, too much memory, or brought the parser down.
        """
        return self._asked((html, content_selector), ParsedPage)

    def read_links(self, html: str) -> PageLinks:
        """Reads the links of one page. Raises what `parse` raises."""
        from trueref_plugin.reading.links import PageLinks

        return self._asked((html,), PageLinks)

    def _asked(self, request: Request, kind: type[T]) -> T:
        child = self._started()
        answer: list[object] = []
        asker = threading.Thread(target=_ask, args=(child, request, answer), daemon=True)
        asker.start()
        asker.join(self._seconds)
        if asker.is_alive():
            self._kill()
            asker.join()
            raise PageRefused(f"it took the parser more than {self._seconds:g} s")
        result = answer[0] if answer else None
        if isinstance(result, kind):
            return result
        if not isinstance(result, str):
            self._kill()
            result = "it brought the parser down"
        raise PageRefused(result)

    def close(self) -> None:
        """Ends the child."""
        self._kill()

    def _started(self) -> subprocess.Popen[bytes]:
        if self._child is None:
            command = [sys.executable, "-m", "trueref_plugin.reading.guard"]
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            ready: list[object] = []
            # Imports are not part of a page's time.
            starter = threading.Thread(target=_receive_into, args=(self._child, ready), daemon=True)
            starter.start()
            starter.join(START_SECONDS)
            if ready != ["ready"]:
                self._kill()
                raise PageRefused("the guarded parser did not start")
        return self._child

    def _kill(self) -> None:
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            for pipe in (self._child.stdin, self._child.stdout):
                if pipe is not None:
                    _close_quietly(pipe)
            self._child = None


def _ask(child: subprocess.Popen[bytes], request: object, answer: list[object]) -> None:
    try:
        assert child.stdin is not None
        _send(child.stdin, request)
    except OSError:
        return
    _receive_into(child, answer)


def _receive_into(child: subprocess.Popen[bytes], answer: list[object]) -> None:
    try:
        assert child.stdout is not None
        answer.append(_receive(child.stdout))
    except (OSError, EOFError, ValueError, pickle.UnpicklingError):
        return


def _send(pipe: IO[bytes], value: object) -> None:
    pickle.dump(value, pipe, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> object:
    return pickle.load(pipe)  # noqa: S301 - from our own child, over a pipe no one else holds


def _close_quietly(pipe: IO[bytes]) -> None:
    try:
        pipe.close()
    except OSError:
        # A dead child leaves bytes that cannot be flushed.
        return


def _limit_memory() -> None:
    try:
        import resource
    except ImportError:  # Not on Windows: the time limit still holds there.
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def _serve() -> None:
    from trueref_plugin.reading.links import read_links
    from trueref_plugin.reading.parse import parse_page

    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    _send(answers, "ready")
    while True:
        try:
            html, *selector = cast("Request", _receive(requests))
        except EOFError:
            return
        try:
            result: object = parse_page(html, *selector) if selector else read_links(html)
        except RecursionError:
            result = "its elements are nested too deep"
        except MemoryError:
            result = "it needs too much memory"
        except Exception as error:
            # Ours to mend; until then one page is missing, and the others are not.
            result = f"reading it failed ({type(error).__name__}: {error})"
        _send(answers, result)


def main() -> None:
    """The child: deep trees need a deep stack, and only a thread can be given one."""
    _limit_memory()
    sys.setrecursionlimit(_RECURSION)
    threading.stack_size(_STACK_BYTES)
    worker = threading.Thread(target=_serve)
    worker.start()
    worker.join()


if __name__ == "__main__":
    main()
