"""What a stranger sends fills no log."""

from __future__ import annotations

import logging
from pathlib import Path

import httpx
import pytest
from tests.server.serving.test_uvicorn_server import serving

from trueref_server.rare_log import RepeatedWarningFilter

INVALID = "Invalid HTTP request received."


def record(message: str, level: int = logging.WARNING) -> logging.LogRecord:
    return logging.LogRecord("uvicorn.error", level, "", 0, message, (), None)


def test_each_warning_is_written_once_a_second_with_how_many_there_were() -> None:
    now = [0.0]
    rarely = RepeatedWarningFilter(1.0, lambda: now[0])
    written: list[str] = []
    for at, message in [(0, INVALID), (0.2, INVALID), (0.3, "Other."), (0.9, INVALID), (1.1, INVALID), (1.2, INVALID)]:
        now[0] = at
        one = record(message)
        if rarely.filter(one):
            written.append(one.getMessage())
    assert written == [INVALID, "Other.", f"{INVALID} (Repeats left out since the last line like this: 2.)"]


def test_errors_are_never_held_back() -> None:
    rarely = RepeatedWarningFilter(1.0, lambda: 0.0)
    assert all(rarely.filter(record("It failed.", logging.ERROR)) for _ in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
def test_the_offer_of_another_protocol_is_answered_without_a_word(index: Path, protocol: str) -> None:
    """curl and Java offer HTTP/2 by themselves, and the log told the operator to install a library for WebSocket."""
    offer = {"Upgrade": protocol, "Connection": "Upgrade, HTTP2-Settings", "HTTP2-Settings": "AAMAAABk"}
    with serving(index) as server:
        assert httpx.get(f"{server.api}/healthz", headers=offer, timeout=None).status_code == 200
        server.process.terminate()
        _, log = server.process.communicate()
    assert log == ""


@pytest.mark.slow
def test_of_a_hundred_bad_requests_in_the_same_second_one_is_logged(index: Path) -> None:
    """A second that does not end: how many go by on a busy machine is not asked."""
    with serving(index, program="tests.server.reticent") as server:
        for _ in range(100):
            with server.connect() as connection:
                connection.sendall(b"\x00\r\n\r\n")
                while connection.recv(4096):
                    pass
        server.process.terminate()
        _, log = server.process.communicate()
    assert len([line for line in log.splitlines() if "request" in line]) == 1, log
