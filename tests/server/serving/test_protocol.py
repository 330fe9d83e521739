"""Connections on which the next request does not come, or only a part of it."""

from __future__ import annotations

import http.client
import socket
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from tests import local_http
from tests.server.serving.test_uvicorn_server import serving
from tests.waiting import wait_until

pytestmark = pytest.mark.slow


def test_a_connection_whose_headers_never_end_is_closed(index: Path) -> None:
    """A connection that sent half a request is closed at its deadline."""
    with serving(index, program="tests.server.serving.impatient") as server, server.connect() as connection:
        connection.sendall(b"GET / HTTP/1.1\r\nHost")
        assert connection.recv(1) == b""


ANSWERED_EARLY = [b"GET /_trueref/healthz", b"POST /nothing"]


@pytest.mark.parametrize("request_line", ANSWERED_EARLY)
def test_a_connection_whose_body_never_ends_after_the_response_is_closed(index: Path, request_line: bytes) -> None:
    with serving(index, program="tests.server.serving.impatient") as server, server.connect() as connection:
        connection.sendall(request_line + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
        read_response(connection)
        connection.sendall(b"a")
        assert connection.recv(1) == b""


@pytest.mark.parametrize("request_line", ANSWERED_EARLY)
def test_a_connection_whose_request_is_answered_before_its_body_ends_makes_room(
    index: Path, request_line: bytes
) -> None:
    with serving(index, MAX_CONNECTIONS="1") as server, server.connect() as connection:
        connection.sendall(request_line + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
        read_response(connection)
        connection.sendall(b"a")
        assert httpx.get(f"{server.api}/healthz", timeout=None).status_code == 200


@pytest.mark.parametrize("request_line", ANSWERED_EARLY)
def test_a_connection_goes_on_after_a_body_that_comes_after_the_response(index: Path, request_line: bytes) -> None:
    with serving(index) as server, server.connect() as connection:
        for _ in range(2):
            connection.sendall(request_line + b" HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n")
            read_response(connection)
            connection.sendall(b"a" * 4)
            connection.sendall(b"a" * 5)


def test_a_broken_body_after_the_response_ends_the_connection_in_one_line(index: Path) -> None:
    with serving(index) as server:
        with server.connect() as connection:
            connection.sendall(b"GET /_trueref/healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            read_response(connection)
            connection.sendall(b"no length\r\n")
            assert connection.recv(1) == b""
        server.process.kill()
        _, errors = server.process.communicate()
    assert errors == "trueref: Invalid HTTP request received.\n"


def test_one_connection_too_many_is_told_in_json(index: Path) -> None:
    with serving(index, MAX_CONNECTIONS="1") as server, server.connect() as busy, httpx.Client(timeout=None) as second:
        begin_question(busy)
        assert second.get(f"{server.api}/healthz").status_code == 503
        refused = httpx.get(f"{server.api}/healthz", timeout=None)
        assert refused.status_code == 503
        assert refused.json()["error"]["code"] == "busy"
        assert refused.headers["retry-after"] == str(refused.json()["error"]["retry_after"])


def test_a_connection_without_a_request_makes_room(index: Path) -> None:
    """The one that has waited longest, whether it was answered before or has sent nothing yet."""
    with serving(index, MAX_CONNECTIONS="3") as server:
        silent = server.connect()
        kept = [httpx.Client(timeout=None) for _ in range(2)]
        for client in kept:
            assert client.get(f"{server.api}/healthz").status_code == 200
        for _ in range(5):
            assert httpx.get(f"{server.api}/healthz", timeout=None).status_code == 200
        with suppress(ConnectionResetError):
            assert silent.recv(1) == b"", "it is closed, in one way or the other"
        silent.close()
        for client in kept:
            client.close()


def test_a_page_of_another_origin_can_read_that_there_is_one_connection_too_many(index: Path) -> None:
    origin = "https://docs.example.org"
    with serving(index, MAX_CONNECTIONS="1", ALLOWED_ORIGINS=origin) as server, server.connect() as busy:
        begin_question(busy)
        with httpx.Client(timeout=None, verify=False, headers={"origin": origin}) as second:
            refused = second.get(f"{server.api}/healthz")
            preflight = second.options(f"{server.api}/ask", headers={"access-control-request-method": "POST"})
    assert refused.status_code == 503
    for response in (refused, preflight):
        assert response.headers["access-control-allow-origin"] == origin
    assert "Retry-After" in refused.headers["access-control-expose-headers"]
    assert refused.headers["x-content-type-options"] == "nosniff"


def test_a_client_that_does_not_read_its_response_is_closed(index: Path, tmp_path: Path) -> None:
    """Otherwise clients that read nothing could take all connections for ever."""
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(100_000_000)
    with (
        serving(index, "--site", tmp_path, program="tests.server.serving.impatient", MAX_CONNECTIONS="1") as server,
        server.connect() as busy,
    ):
        busy.sendall(b"GET /large.bin HTTP/1.1\r\nHost: x\r\n\r\n")
        assert busy.recv(15) == b"HTTP/1.1 200 OK"
        wait_until(lambda: local_http.get(f"{server.api}/healthz").status_code == 200)
        # Little waited in the system: what waits there hides from the server that a slow client reads on.
        assert sum(map(len, iter(lambda: busy.recv(100_000), b""))) < 1_000_000


def test_a_client_that_reads_on_gets_a_response_that_takes_longer(index: Path, tmp_path: Path) -> None:
    """The time for a client to read on begins anew each time that it has read."""
    size = 300_000_000
    with (tmp_path / "large.bin").open("wb") as file:
        file.truncate(size)
    with (
        serving(index, "--site", tmp_path, program="tests.server.serving.impatient") as server,
        httpx.stream("GET", f"{server.origin}/large.bin", timeout=None, verify=False) as response,
    ):
        assert sum(map(len, response.iter_raw())) == size


def begin_question(connection: socket.socket) -> None:
    """Send the beginning of a request, and wait until the server reads on: before that the connection has no request."""
    head = b"POST /_trueref/ask HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n"
    connection.sendall(head)
    assert connection.recv(64).startswith(b"HTTP/1.1 100 ")


def read_response(connection: socket.socket) -> None:
    """Read one whole response, and leave what comes after it."""
    response = http.client.HTTPResponse(connection)
    response.begin()
    assert response.read()
