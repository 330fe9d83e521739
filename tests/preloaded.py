"""Programs of Python, each in a process of its own that is forked where what it imports is loaded already.

`python -m trueref` imports for one to three seconds before it works for a tenth of one, and the tests of the command line
start it some four hundred times. Here one process a worker imports once. For each program it forks a child that takes
over the arguments, the folder, the environment and the files of input and output, runs the module as `python -m` does
and ends as the interpreter ends. What depends on imports is tested with `python -m` itself: see `tests/packaging/test_imports.py`.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import random
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import IO, Any, cast

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


class Programs:
    """The process that has imported everything, and forks."""

    def __init__(self) -> None:
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
            job = json.dumps({"module": module, "args": args, "env": dict(env), "cwd": str(cwd or Path.cwd())}).encode()
            code = self._run(job, [file.fileno() for file in (given, *outputs)])
            for file in (out, errors):
                file.seek(0)
            told = [file.read().decode() for file in (out, errors)]
            return subprocess.CompletedProcess([module, *args], code, *told)

    def _run(self, job: bytes, files: list[int]) -> int:
        try:
            self._socket.sendall(len(job).to_bytes(8, "big"))
            socket.send_fds(self._socket, [b"f"], files)
            self._socket.sendall(job)
            code = self._socket.recv(8)
            assert code, "the process that forks has ended"
        except BaseException:
            # The test was broken off, by its time limit for example: the end of this program must not be taken for that
            # of the next one, which would also wait for it.
            self.close()
            self._start()
            raise
        return int(code)

    def close(self) -> None:
        """Ends the process, and the program that it may still run."""
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
    """Forks for every job; gives the module to run in a child, and "" in the parent at the end."""
    while size := connection.recv(8, socket.MSG_WAITALL):
        _, files, _, _ = socket.recv_fds(connection, 1, 3)
        job = json.loads(connection.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL))
        with warnings.catch_warnings():
            # LanceDB warns of forks: nothing of it has been used here that a child could find half done.
            warnings.simplefilter("ignore")
            child = os.fork()
        if not child:
            connection.close()
            become(job, files)
            return str(job["module"])
        for file in files:
            os.close(file)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        connection.sendall(str(code).encode())
    return ""


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
    # These are remembered from before the fork.
    tempfile.tempdir = None
    random.seed()
    if job["env"].get("PYTHONUNBUFFERED"):
        cast("Any", sys.stdout).reconfigure(write_through=True)


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
