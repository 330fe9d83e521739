"""Redis and PostgreSQL as the tests start them: on 127.0.0.1, a free port and a folder that is removed afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from scripts.ensure_services import find
from tests.waiting import wait_until

START_SECONDS = 60.0


@contextmanager
def redis_server(port: int | None = None) -> Iterator[str]:
    """A Redis server with nothing in it: gives its address, and stops it."""
    port = port or free_port()
    options = ("--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no")
    with folder_of(None) as folder, running([program("redis-server"), *options, "--dir", str(folder)], port, None):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def postgresql_server() -> Iterator[str]:
    """A PostgreSQL server with an empty database: gives its address, and stops it."""
    port = free_port()
    # It refuses to run as root; the package brings a user for it.
    user = "postgres" if os.geteuid() == 0 else None
    with folder_of(user) as folder:
        data = folder / "data"
        make = [program("initdb"), "-D", str(data), "-U", "trueref", "--auth=trust", "-E", "UTF8", "--locale=C"]
        subprocess.run(make, user=user, cwd=folder, check=True, capture_output=True)
        serve = [program("postgres"), "-D", str(data), "-h", "127.0.0.1", "-p", str(port), "-k", str(folder), "-F"]
        asking = [program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(port)]
        with running(serve, port, user):
            # It accepts connections some time before it accepts a query.
            wait_until(lambda: subprocess.run(asking, check=False).returncode == 0)
            yield f"postgresql://trueref@127.0.0.1:{port}/postgres"


def empty_database(url: str) -> None:
    """Take every table out of a PostgreSQL database."""
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")


def end_connections(url: str) -> None:
    """End all other connections of the user `trueref` to a PostgreSQL server, as its administrator does."""
    import psycopg

    others = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'trueref'"
    )
    with psycopg.connect(url) as connection:
        connection.execute(others)


@contextmanager
def running(command: Sequence[str], port: int, user: str | None) -> Iterator[None]:
    """A process that accepts connections at a port, ended by its id."""
    process = subprocess.Popen(
        command, user=user, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
    )
    try:
        wait_until(lambda: accepts(port))
        yield
    finally:
        process.terminate()
        process.wait()


@contextmanager
def folder_of(user: str | None) -> Iterator[Path]:
    """A temporary folder that a user may write to; those of pytest are closed to all others."""
    folder = Path(tempfile.mkdtemp(prefix="trueref-"))
    if user is not None:
        entry = pwd.getpwnam(user)
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def program(name: str) -> str:
    path = find(name)
    if path is None:
        pytest.fail(f"{name} was not found. Run `make test-long`, or `python -m scripts.ensure_services`.")
    return path


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        port: int = bound.getsockname()[1]
        return port


def accepts(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
