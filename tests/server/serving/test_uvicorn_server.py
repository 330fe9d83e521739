"""The server as its users run it: a process, a socket, signals."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.preloaded import Started, programs
from tests.server.connecting import PREFIX, events_of
from tests.server.handmade import publish_demo
from tests.server.scripted_model import scripted_model
from tests.waiting import wait_until

from trueref_server.serving.uvicorn_server import listen

pytestmark = pytest.mark.slow

ASK = {"question": "How do I switch on dark mode?", "stream": True}


class Server:
    """A `trueref serve` that accepts connections. `before` is what it said before the line that says where."""

    def __init__(self, process: Started | subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        self.process = process
        self.before: list[str] = []
        for line in process.stderr:
            if "http://" in line:
                break
            self.before.append(line)
        self.line = line
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, line
        self.port = int(found[1])
        self.api = f"{found[0]}{PREFIX}"
        self.origin = found[0]

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port))


def as_user() -> list[str]:
    """What runs a command as someone to whom the permissions of files apply. Root is that without two of its powers."""
    powers = "-dac_override,-dac_read_search"
    return ["setpriv", f"--bounding-set={powers}", f"--inh-caps={powers}"] if os.geteuid() == 0 else []


@contextmanager
def serving(
    index: Path,
    *args: str | Path,
    program: str = "trueref",
    is_afresh: bool = False,
    launcher: Sequence[str] = (),
    **variables: str,
) -> Iterator[Server]:
    """A server in a process that is forked where all is imported, or starts afresh as on a command line.

    `program` is the module that it runs, and `launcher` the command that starts a fresh one.
    """
    clean = {name: value for name, value in os.environ.items() if not name.startswith("TRUEREF_")}
    env = clean | {f"TRUEREF_{name}": value for name, value in variables.items()}
    command = ["serve", "--index", str(index), "--port", "0", *map(str, args)]
    process: Started | subprocess.Popen[str]
    if is_afresh:
        streams: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        whole = [*launcher, sys.executable, "-m", program, *command]
        process = subprocess.Popen(whole, env=env, text=True, **streams)
    else:
        process = programs().start(program, command, env=env)
    try:
        yield Server(process)
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def server(index: Path) -> Iterator[Server]:
    with serving(index, is_afresh=True, RATE_PER_MINUTE="0", BODY_TIMEOUT="1", MAX_QUESTION="100") as server:
        assert server.before == []
        yield server


@pytest.fixture(scope="module")
def server_with_site(index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    site = tmp_path_factory.mktemp("site")
    (site / "index.html").write_text("<html><body>Hello</body></html>")
    with serving(index, "--site", site) as server:
        yield server


def test_one_line_says_where_the_server_answers(server: Server) -> None:
    assert server.line.startswith(f"Serving the API at {server.api}/ from ")
    assert httpx.get(f"{server.api}/readyz", timeout=None).status_code == 200


def test_an_answer_streams_over_a_socket_in_chunks(server: Server) -> None:
    with httpx.stream("POST", f"{server.api}/ask", json=ASK, timeout=None) as response:
        assert response.headers["transfer-encoding"] == "chunked"
        events = events_of("".join(response.iter_text()))
    assert [events[0][0], events[-1][0]] == ["sources", "done"]


def test_responses_name_no_server_software(server: Server) -> None:
    assert "server" not in httpx.get(f"{server.api}/healthz", timeout=None).headers


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_of_fifty_megabytes_is_refused(server: Server, chunked: bool) -> None:
    block = b" " * 1_000_000
    content = (block for _ in range(50)) if chunked else block * 50
    response = httpx.post(
        f"{server.api}/ask", content=content, headers={"content-type": "application/json"}, timeout=None
    )
    assert response.status_code == 413


def test_a_body_that_comes_too_slowly_is_refused(server: Server) -> None:
    with server.connect() as connection:
        connection.sendall(
            f"POST {PREFIX}/ask HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{{".encode()
        )
        reply = connection.makefile("rb").read()
    assert reply.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"body-too-slow"' in reply


@pytest.mark.parametrize("sent", [f"GET {PREFIX}/search?q={'a' * 40_000}", "GET / HTTP/9\r\n\r\n"])
def test_a_request_that_cannot_be_read_is_refused_in_json(server: Server, sent: str) -> None:
    """The address and the headers are too long, or it is another protocol."""
    with server.connect() as connection:
        connection.sendall(sent.encode())
        refused = connection.makefile("rb").read()
    head, _, body = refused.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert json.loads(body)["error"]["code"] == "malformed"


def test_readers_who_leave_give_their_slots_back(server: Server) -> None:
    """More readers leave in the middle than there are slots; the next is answered all the same."""
    body = b'{"question": "dark mode", "stream": true}'
    head = f"POST {PREFIX}/ask HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    for _ in range(20):
        with server.connect() as connection:
            connection.sendall(head.encode() + body)
    asked = {"question": "dark mode"}
    wait_until(lambda: httpx.post(f"{server.api}/ask", json=asked, timeout=None).status_code == 200)


def test_a_reader_who_leaves_while_the_model_thinks_gives_the_slot_back(index: Path) -> None:
    """The answer is to come whole, so that nothing is written that would tell of the broken connection."""
    body = b'{"question": "dark mode"}'
    head = f"POST {PREFIX}/ask HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with (
        scripted_model(lambda _: ["Never said."], pause=3600) as model,
        serving(
            index,
            MAX_ANSWERS="1",
            MODEL_URL=model.url,
            MODEL_NAME="tiny",
            MODEL_SESSION_SECONDS="0",
            MODEL_SECONDS="600",
        ) as server,
    ):
        for count in (1, 2):
            with server.connect() as connection:
                connection.sendall(head.encode() + body)
                # Not `asked`: a stream that is left before it begins does not notice.
                wait_until(lambda count=count: model.begun == count)  # type: ignore[misc]
            wait_until(lambda count=count: model.left == count)  # type: ignore[misc]


def test_options_come_from_the_environment(server: Server) -> None:
    assert httpx.get(f"{server.api}/search", params={"q": "a" * 101}, timeout=None).status_code == 422


def test_a_port_that_is_taken_is_told_in_one_line(index: Path, server: Server) -> None:
    command = [sys.executable, "-m", "trueref", "serve", "--index", str(index), "--port", str(server.port)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        f"trueref: Port {server.port} on 127.0.0.1 is taken by another program. "
        "Name another with --port; 0 takes a free one.\n"
    )


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_without_a_message(index: Path, number: signal.Signals) -> None:
    with serving(index) as server:
        assert httpx.get(f"{server.api}/healthz", timeout=None).status_code == 200
        server.process.send_signal(number)
        out, errors = server.process.communicate()
    assert (out, errors) == ("", "")
    assert server.process.returncode in (0, -number, 130)


def test_sigterm_lets_an_answer_finish(index: Path) -> None:
    """A question is under way when the signal comes; its answer still arrives whole."""
    body = b'{"question": "dark mode", "stream": true}'
    # The server says "100 Continue" when the application asks for the body: by then the request counts.
    head = (
        f"POST {PREFIX}/ask HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nExpect: 100-continue\r\n\r\n"
    )
    with serving(index) as server:
        assert httpx.get(f"{server.api}/readyz", timeout=None).status_code == 200
        with server.connect() as connection:
            connection.sendall(head.encode())
            assert connection.recv(100).startswith(b"HTTP/1.1 100 ")
            server.process.send_signal(signal.SIGTERM)
            wait_until_closed(server)
            connection.sendall(body)
            reply = connection.makefile("rb").read()
        server.process.wait()
    assert b"event: done" in reply


def wait_until_closed(server: Server) -> None:
    """Wait until the server takes no new connections."""

    def is_closed() -> bool:
        try:
            server.connect().close()
        except ConnectionRefusedError:
            return True
        return False

    wait_until(is_closed)


def test_a_server_without_an_index_starts_and_says_so(tmp_path: Path) -> None:
    with serving(tmp_path / "none") as server:
        assert [f"No index at {tmp_path / 'none'}." in line for line in server.before] == [True]
        assert httpx.get(f"{server.api}/healthz", timeout=None).status_code == 200
        assert httpx.get(f"{server.api}/readyz", timeout=None).status_code == 503


@pytest.mark.skipif(sys.platform != "linux", reason="permissions and powers are other ones there")
def test_a_server_with_an_index_that_its_user_may_not_read_starts_and_says_so(tmp_path: Path) -> None:
    index = tmp_path / "index"
    generation = publish_demo(index)
    (index / "builds").chmod(0)
    with serving(index, is_afresh=True, launcher=as_user()) as server:
        said = f"trueref: {index / 'builds' / generation.id} cannot be read (Permission denied). Let this user read"
        assert [line.startswith(said) for line in server.before] == [True]
        assert httpx.get(f"{server.api}/healthz", timeout=None).status_code == 200
        refused = httpx.get(f"{server.api}/readyz", timeout=None)
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "index-unavailable")


@pytest.mark.skipif(sys.platform != "linux", reason="permissions and powers are other ones there")
def test_files_of_the_site_that_its_user_may_not_read_are_missing(index: Path, tmp_path: Path) -> None:
    (tmp_path / "404.html").write_text("<html><body>Not here</body></html>")
    for name in ("page.html", "style.css", "index.html"):
        (tmp_path / name).write_text("secret")
        (tmp_path / name).chmod(0)
    with serving(index, "--site", tmp_path, is_afresh=True, launcher=as_user()) as server:
        with httpx.Client(timeout=None, base_url=server.origin) as client:
            for path in ("/page.html", "/page", "/style.css", "/"):
                response = client.get(path)
                assert (response.status_code, "Not here" in response.text) == (404, True), path
                assert client.head(path).status_code == 404
        server.process.kill()
        _, errors = server.process.communicate()
    said = f"trueref: {tmp_path / 'page.html'} of the site cannot be read (Permission denied)\n"
    assert errors == said, "one line for all of them"


def test_a_site_is_served_beside_the_api(server_with_site: Server) -> None:
    origin = server_with_site.origin
    assert "Serving " in server_with_site.line
    assert "<trueref-chat" in httpx.get(f"{origin}/", timeout=None).text
    assert httpx.get(f"{origin}/none", timeout=None).status_code == 404
    assert httpx.get(f"{origin}{PREFIX}/widget/trueref.js", timeout=None).status_code == 200


def test_two_lengths_are_refused(server: Server) -> None:
    """A proxy may go by the other one, and take the end of a request for the beginning of the next."""
    head = b"Host: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
    for path in (b"/_trueref/ask", b"/"):
        with server.connect() as connection:
            connection.sendall(
                b"POST " + path + b" HTTP/1.1\r\n" + head + b"0\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n"
            )
            answered = read_all(connection)
        assert answered.startswith(b"HTTP/1.1 400 ")
        assert answered.count(b"HTTP/1.1 ") == 1
        assert b"x-content-type-options: nosniff" in answered


LINE_BREAKS = (
    b"/%0A",
    b"/%0A/",
    b"/a%0Ab",
    b"/a%0A/",
    b"/_trueref/ask%0A/",
    b"/_trueref%0a/",
    b"/%0D%0A//evil.example/",
)


@pytest.mark.parametrize("running", ["server", "server_with_site"])
def test_a_path_with_a_line_break_leads_nowhere(running: str, request: pytest.FixtureRequest) -> None:
    server: Server = request.getfixturevalue(running)
    for path in LINE_BREAKS:
        with server.connect() as connection:
            connection.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")
            answered = read_all(connection)
        assert answered.startswith(b"HTTP/1.1 404 "), path
        assert b"evil.example" not in answered.partition(b"\r\n\r\n")[0]


def read_all(connection: socket.socket) -> bytes:
    """What comes until the server closes the connection."""
    return b"".join(iter(lambda: connection.recv(65_536), b""))


def test_small_pieces_leave_at_once() -> None:
    """Where a socket does not name its protocol, asyncio leaves Nagle's algorithm on, and answers come 40 ms late."""
    with listen("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP
