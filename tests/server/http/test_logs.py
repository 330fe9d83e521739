"""What a stranger sends fills no log."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.server.serving.test_uvicorn_server import Server, serving

from trueref_server.http.logs import Rarely

INVALID = "Invalid HTTP request received."


@pytest.fixture
def server(index: Path) -> Iterator[Server]:
    with serving(index) as server:
        yield server


def record(message: str, level: int = logging.WARNING) -> logging.LogRecord:
    return logging.LogRecord("uvicorn.error", level, "", 0, message, (), None)


def test_each_warning_is_written_once_a_second_with_how_many_there_were() -> None:
    now = [0.0]
    rarely = Rarely(1.0, lambda: now[0])
    written: list[str] = []
    for at, message in [(0, INVALID), (0.2, INVALID), (0.3, "Other."), (0.9, INVALID), (1.1, INVALID), (1.2, INVALID)]:
        now[0] = at
        one = record(message)
        if rarely.filter(one):
            written.append(one.getMessage())
    assert written == [INVALID, "Other.", f"{INVALID} (2 more like this since it was last written.)"]


def test_errors_are_never_held_back() -> None:
    rarely = Rarely(1.0, lambda: 0.0)
    assert all(rarely.filter(record("It failed.", logging.ERROR)) for _ in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
def test_the_offer_of_another_protocol_is_answered_without_a_word(server: Server, protocol: str) -> None:
    """curl and Java offer HTTP/2 by themselves, and the log told the operator to install a library for WebSocket."""
    offer = {"Upgrade": protocol, "Connection": "Upgrade, HTTP2-Settings", "HTTP2-Settings": "AAMAAABk"}
    assert httpx.get(f"{server.api}/healthz", headers=offer).status_code == 200
    server.process.terminate()
    _, log = server.process.communicate(timeout=60)
    assert log == ""


@pytest.mark.slow
def test_of_a_hundred_bad_requests_one_a_second_is_logged(server: Server) -> None:
    began = time.monotonic()
    for _ in range(100):
        with server.connect() as connection:
            connection.sendall(b"\x00\r\n\r\n")
            while connection.recv(4096):
                pass
    server.process.terminate()
    _, log = server.process.communicate(timeout=60)
    lines = [line for line in log.splitlines() if "request" in line]
    # Before there were a hundred lines.
    assert 1 <= len(lines) <= min(99, 2 + time.monotonic() - began), log
