"""Runs `trueref serve` for a measurement, on 127.0.0.1 and a free port."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def running_server(index: Path, *arguments: str, **settings: str) -> Iterator[str]:
    """Starts a server and yields the address of its API. Stops it afterwards, so that it writes what it stores.

    Args:
        index: The folder of the index.
        arguments: Further arguments of `trueref serve`.
        settings: Options of the server by the name of their variable without `TRUEREF_`. Variables of the environment
            are not passed on.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRUEREF_")}
    process = subprocess.Popen(
        [sys.executable, "-m", "trueref", "serve", "--index", str(index), "--port", "0", *arguments],
        env=clean | {f"TRUEREF_{name}": value for name, value in settings.items()},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        match = re.search(r"http://127\.0\.0\.1:\d+", line)
        if match is None:
            raise SystemExit(line + process.stderr.read())
        yield f"{match[0]}/_trueref"
    finally:
        process.terminate()
        process.communicate(timeout=60)
