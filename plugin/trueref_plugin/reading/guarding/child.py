"""A child process for work that may hang, crash or take all memory: one request at a time, each with a time limit.

Parent and child exchange frames over pipes: the length of a message, then the message. The child is not a worker of
`multiprocessing`, because such a worker imports the main module of the host again, which for `mkdocs` means all
plugins.
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import IO, ClassVar, Final, Self

START_SECONDS: Final = 20.0
PATIENCE: Final = 10.0
"""By the clock, a request may take this many times its limit, because the processor may be busy with other work."""
MEMORY_BYTES: Final = 2 * 1024**3
POLL_SECONDS: Final = 0.1
READY: Final = b"ready"
_LENGTH_BYTES: Final = 8


class PageRefused(Exception):
    """A page was not read; the message says why, without naming the page."""


class ChildProcess:
    """A child that is started for the first request and serves all others. Leaving the context manager ends it."""

    module: ClassVar[str]
    """The module that the child runs with `python -m`. It calls `serve`."""

    def __init__(self) -> None:
        self._child: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, request: bytes, seconds: float) -> bytes:
        """The answer to a request.

        Args:
            request: The message for the child.
            seconds: The limit, in processor time if the system tells how much the child has used, else by the clock.

        Raises:
            PageRefused: The answer took longer, or the child died. The next request starts a new child.
        """
        child = self._running_child()
        before, deadline = _processor_seconds(child.pid), time.monotonic() + PATIENCE * seconds
        request_thread = _Request(child, request)
        request_thread.start()
        request_thread.join(seconds)
        # If the clock alone counted, other work on the machine would decide which pages are left out of a build.
        while (
            request_thread.is_alive()
            and time.monotonic() < deadline
            and _processor_seconds(child.pid) - before < seconds
        ):
            request_thread.join(POLL_SECONDS)
        if request_thread.is_alive():
            self.close()
            request_thread.join()
            raise PageRefused(f"it took the parser more than {seconds:g} s")
        if request_thread.answer is None:
            self.close()
            raise PageRefused("the parser crashed on it")
        return request_thread.answer

    def close(self) -> None:
        """Ends the child."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()
            for pipe in (self._child.stdin, self._child.stdout):
                # Bytes that were written for a child that is dead cannot be flushed.
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            self._child = None

    def _running_child(self) -> subprocess.Popen[bytes]:
        """The running child. It is started if there is none."""
        if self._child is None:
            command = [sys.executable, "-m", self.module]
            self._child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            # The imports of the child are waited for here, so that they do not count as time of a page.
            start = _Request(self._child, None)
            start.start()
            start.join(START_SECONDS)
            if start.answer != READY:
                self.close()
                raise PageRefused("the guarded parser did not start")
        return self._child


class _Request(threading.Thread):
    """A request to the child, and what it answers.

    It is a thread, because on some systems neither writing to a full pipe nor reading from a pipe has a time limit.

    Attributes:
        answer: The child's next message; None until it has come, and if the child dies before.
    """

    def __init__(self, child: subprocess.Popen[bytes], message: bytes | None) -> None:
        """Prepares a request. If `message` is None, nothing is sent, and only a message is waited for."""
        super().__init__(daemon=True)
        self.answer: bytes | None = None
        self._child, self._message = child, message

    def run(self) -> None:
        """See `threading.Thread`."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        with suppress(OSError, EOFError, ValueError):
            if self._message is not None:
                _send(self._child.stdin, self._message)
            self.answer = _receive(self._child.stdout)


def serve(answer: Callable[[bytes], bytes]) -> None:
    """The loop of the child: answers requests until the pipe is closed."""
    requests, answers = sys.stdin.buffer, sys.stdout.buffer
    _send(answers, READY)
    while True:
        try:
            request = _receive(requests)
        except EOFError:
            return
        _send(answers, answer(request))


def limit_memory() -> None:
    """Makes an allocation beyond the limit fail in this process."""
    try:
        import resource
    except ImportError:
        # Windows has no such limit. The time limit still holds there.
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def _processor_seconds(pid: int) -> float:
    """The processor time that a process has used; infinite if the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return float("inf")


def _send(pipe: IO[bytes], frame: bytes) -> None:
    """Writes one message as a frame."""
    pipe.write(len(frame).to_bytes(_LENGTH_BYTES, "big"))
    pipe.write(frame)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> bytes:
    """Reads one frame, and returns its message."""
    length = int.from_bytes(_read_exactly(pipe, _LENGTH_BYTES), "big")
    if length > MEMORY_BYTES:
        # Our own side never writes such a length: something else printed to the pipe.
        raise ValueError(length)
    return _read_exactly(pipe, length)


def _read_exactly(pipe: IO[bytes], length: int) -> bytes:
    """Reads exactly `length` bytes. Raises `EOFError` if the pipe ends before."""
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data
