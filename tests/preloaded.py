"""Programs of Python, each in a process of its own that is forked where what it imports is loaded already.

`python -m trueref` imports for one to three seconds before it works for a tenth of one, and the tests start it some four
hundred times, servers and previews among them. Here one process a worker imports once. For each program it forks a
child that takes over the arguments, the folder, the environment and the files of input and output, runs the module as
`python -m` does and ends as the interpreter ends. What depends on imports is tested with `python -m` itself: see `tests/packaging/test_imports.py`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parent.parent
IMPORTED = [
    *(
        "trueref.cli",
        "trueref_plugin.build.build",
        "trueref_plugin.checking.check",
        "trueref_plugin.hosts.mkdocs_plugin",
    ),
    *("trueref_server.service", "trueref_server.evaluation.cases", "trueref_core.embedding.embedder"),
    *("mkdocs.__main__", "mkdocs.commands.build", "mkdocs.contrib.search", "material.plugins.search.plugin"),
    *("tokenizers", "tiktoken"),
]
"""What the programs import, without what starts threads; `mkdocs.__main__` itself is run and so forgotten again."""

RUNNING = b"running"
"""The answer where a program has not ended."""


class Started:
    """A program that runs in the background: as much of `subprocess.Popen` as tests use.

    `stdout` and `stderr` are what it prints, or None where that goes into a log.
    """

    def __init__(self, owner: Programs, pid: int, stdout: IO[str] | None = None, stderr: IO[str] | None = None) -> None:
        self._owner = owner
        self.pid, self.stdout, self.stderr = pid, stdout, stderr
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """Its exit code, None while it runs."""
        if self.returncode is None:
            self.returncode = self._owner.code_of(self.pid)
        return self.returncode

    def wait(self) -> int:
        """Waits for its end; gives the exit code."""
        if self.returncode is None and hasattr(os, "pidfd_open"):
            with open(os.pidfd_open(self.pid), "rb", buffering=0) as ended:  # noqa: PTH123 - a descriptor
                select.select([ended], [], [])
        wait_until(lambda: self.poll() is not None)
        assert self.returncode is not None
        return self.returncode

    def send_signal(self, number: int) -> None:
        """Sends a signal, where it has not ended."""
        # Its number is its own until `poll` was told of its end.
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Asks it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """Ends it as a crash would."""
        self.send_signal(signal.SIGKILL)

    def communicate(self) -> tuple[str, str]:
        """Waits for its end; gives the rest of what it printed, once."""
        printed = ["", ""]
        for at, stream in enumerate((self.stdout, self.stderr)):
            if stream is not None and not stream.closed:
                with stream:
                    printed[at] = stream.read()
        self.wait()
        return printed[0], printed[1]


class Programs:
    """The process that has imported everything, and forks."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._start()

    def _start(self) -> None:
        self._socket, theirs = socket.socketpair()
        command = [sys.executable, "-m", "tests.preloaded", str(theirs.fileno())]
        streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        # A group of its own, so that it can be ended with what it forked.
        self._process = subprocess.Popen(command, cwd=ROOT, pass_fds=[theirs.fileno()], process_group=0, **streams)
        theirs.close()

    def run(
        self,
        module: str,
        args: list[str],
        *,
        env: Mapping[str, str],
        cwd: Path | None,
        stdin: str = "",
        is_one_output: bool = False,
    ) -> subprocess.CompletedProcess[str]:
        """Runs a module to its end. With `is_one_output` the output has the errors too, in their order."""
        with ExitStack() as opened:
            files: list[IO[bytes]] = [opened.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
            given, out, errors = files
            given.write(stdin.encode())
            given.seek(0)
            outputs = (out, out if is_one_output else errors)
            program = self._fork(module, args, env, cwd, [file.fileno() for file in (given, *outputs)])
            try:
                code = program.wait()
            except BaseException:
                # The test was broken off, by its time limit for example.
                program.kill()
                program.wait()
                raise
            for file in (out, errors):
                file.seek(0)
            written = [file.read().decode() for file in (out, errors)]
            return subprocess.CompletedProcess([module, *args], code, *written)

    def start(
        self,
        module: str,
        args: list[str],
        *,
        env: Mapping[str, str],
        cwd: Path | None = None,
        log: IO[bytes] | None = None,
    ) -> Started:
        """Starts a module that runs in the background. With a log all that it prints goes there."""
        with open(os.devnull, "rb") as nothing, ExitStack() as opened:  # noqa: PTH123 - no path
            if log is not None:
                return self._fork(module, args, env, cwd, [nothing.fileno(), log.fileno(), log.fileno()])
            pipes = [os.pipe() for _ in range(2)]
            for _, end in pipes:
                opened.callback(os.close, end)
            program = self._fork(module, args, env, cwd, [nothing.fileno(), *(end for _, end in pipes)])
            program.stdout, program.stderr = (open(end, encoding="utf-8") for end, _ in pipes)  # noqa: PTH123, SIM115
            return program

    def code_of(self, pid: int) -> int | None:
        """The exit code of a program, None while it runs; asked no more once it was given."""
        return self._ask({"pid": pid}, [])

    def _fork(
        self, module: str, args: list[str], env: Mapping[str, str], cwd: Path | None, files: list[int]
    ) -> Started:
        job = {"module": module, "args": args, "env": dict(env), "cwd": str(cwd or Path.cwd())}
        pid = self._ask(job, files)
        assert pid is not None
        return Started(self, pid)

    def _ask(self, request: dict[str, Any], files: list[int]) -> int | None:
        """Sends a request, with the files of a program that is to be started; gives the number in its answer."""
        data = json.dumps(request).encode()
        # Several threads may start programs, and ask about theirs.
        with self._turn:
            try:
                size = len(data).to_bytes(8, "big")
                if files:
                    socket.send_fds(self._socket, [size], files)
                else:
                    self._socket.sendall(size)
                self._socket.sendall(data)
                answer = self._socket.recv(8)
                assert answer, "the process that forks has ended"
            except BaseException:
                # Broken off in the middle: this answer must not be taken for that of the next request.
                self.close()
                self._start()
                raise
        return None if answer == RUNNING else int(answer)

    def close(self) -> None:
        """Ends the process, and the programs that still run."""
        self._socket.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@cache
def programs() -> Programs:
    """Those of this worker, which end with it."""
    made = Programs()
    atexit.register(made.close)
    return made


def serve(connection: socket.socket) -> str:
    """Forks for every job, and says of a child whether it has ended; gives the module to run in a child, "" at the end."""
    while True:
        size, files, _, _ = socket.recv_fds(connection, 8, 3, socket.MSG_WAITALL)
        if not size:
            return ""
        request = json.loads(connection.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL))
        if "pid" in request:
            connection.sendall(end_of(request["pid"]))
            continue
        with warnings.catch_warnings():
            # LanceDB warns of forks: nothing of it has been used here that a child could find half done.
            warnings.simplefilter("ignore")
            child = os.fork()
        if not child:
            connection.close()
            become(request, files)
            return str(request["module"])
        for file in files:
            os.close(file)
        connection.sendall(str(child).encode())


def end_of(pid: int) -> bytes:
    """The exit code of a child as an answer, or that it runs."""
    try:
        ended, status = os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        # It was a child of the process before this one, which was ended with all it had forked.
        return str(-signal.SIGKILL).encode()
    return str(os.waitstatus_to_exitcode(status)).encode() if ended else RUNNING


def become(job: dict[str, Any], files: list[int]) -> None:
    """Makes this process the one that a command line would have started."""
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["env"])
    sys.argv[1:] = job["args"]
    sys.path[0] = os.getcwd()  # noqa: PTH109 - as `python -m` has it
    # Ignored where the tests run in the background of a shell.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # These are remembered from before the fork.
    tempfile.tempdir = None
    random.seed()
    cast("Any", sys.stdout).reconfigure(
        line_buffering=sys.stdout.isatty(), write_through=bool(job["env"].get("PYTHONUNBUFFERED"))
    )


def preload() -> None:
    """Imports what takes time."""
    for name in IMPORTED:
        import_module(name)
    del sys.modules["mkdocs.__main__"]
    from trueref_core.tables.table_writer import lancedb_module

    lancedb_module()
    # What is loaded is never looked through again, neither by a child's collections of garbage nor at its end.
    gc.freeze()


if __name__ == "__main__":
    preload()
    to_run = serve(socket.socket(fileno=int(sys.argv[1])))
    if to_run:
        runpy.run_module(to_run, run_name="__main__", alter_sys=True)
