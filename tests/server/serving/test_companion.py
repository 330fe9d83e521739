"""The companion on a real threading WSGI server, as `mkdocs serve` runs one."""

from __future__ import annotations

import http.client
import json
import socket
import socketserver
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import httpx
import pytest
from tests.server.connecting import PREFIX, events_of
from tests.server.handmade import publish_demo
from tests.waiting import wait_until

from trueref_core.errors import OptionError
from trueref_server.serving.companion import Companion

MORE = {"more/": {"": "A page about zebras and their stripes."}}


class ThreadingServer(socketserver.ThreadingMixIn, WSGIServer):
    daemon_threads = True


class QuietHandler(WSGIRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def docs(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    """Stands in for the live-reload server's own application."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"docs " + environ["PATH_INFO"].encode("latin-1")]


@contextmanager
def serving(index: Path) -> Iterator[tuple[str, int]]:
    companion = Companion(index, PREFIX)
    server = make_server("127.0.0.1", 0, companion.wrap(docs), ThreadingServer, QuietHandler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.server_address[0], server.server_address[1]  # type: ignore[misc]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        companion.close()


@pytest.fixture
def base(index: Path) -> Iterator[str]:
    with serving(index) as (host, port):
        yield f"http://{host}:{port}"


def test_the_companion_is_found_by_its_entry_point() -> None:
    (found,) = entry_points(group="trueref.companion")
    assert found.load() is Companion


def test_nothing_is_open_before_the_first_request(index: Path) -> None:
    before = threading.active_count()
    companion = Companion(index, PREFIX)
    companion.wrap(docs)
    assert threading.active_count() == before
    companion.close()


def test_requests_outside_of_the_prefix_pass_through_to_the_preview(base: str) -> None:
    assert httpx.get(f"{base}/setup/", timeout=None).text == "docs /setup/"
    assert httpx.get(f"{base}{PREFIX}other", timeout=None).text == f"docs {PREFIX}other"


def test_the_companion_searches_and_answers(base: str) -> None:
    results = httpx.get(f"{base}{PREFIX}/search", params={"q": "dark mode"}, timeout=None).json()["results"]
    assert results[0]["anchor"] == "dark-mode"
    answer = httpx.post(f"{base}{PREFIX}/ask", json={"question": "dark mode"}, timeout=None).json()
    assert answer["sources"][0]["page"] == "setup/colors/"


def test_the_companion_streams_to_the_end(base: str) -> None:
    response = httpx.post(f"{base}{PREFIX}/ask", json={"question": "dark mode", "stream": True}, timeout=None)
    assert [name for name, _ in events_of(response.text)][-1] == "done"


def test_a_head_request_has_no_body(base: str) -> None:
    assert httpx.head(f"{base}{PREFIX}/healthz", timeout=None).content == b""


def test_the_companion_refuses_what_the_server_refuses(base: str) -> None:
    assert httpx.get(f"{base}{PREFIX}/none", timeout=None).status_code == 404
    assert httpx.post(f"{base}{PREFIX}/ask", content=b"{}", timeout=None).status_code == 415
    too_long = httpx.post(
        f"{base}{PREFIX}/ask", content=b" " * 70_000, headers={"content-type": "application/json"}, timeout=None
    )
    assert too_long.status_code == 413


@pytest.mark.parametrize("target", ["/search?q=d\xe4rk", "/%ff", "/\xff", "/search?q=%ff"])
def test_raw_bytes_in_an_address_are_answered_without_a_traceback(base: str, target: str) -> None:
    """Browsers do not send them, but nothing may end in a traceback."""
    host, _, port = base.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(f"GET {PREFIX}{target} HTTP/1.0\r\n\r\n".encode("latin-1"))
        status = connection.makefile("rb").readline()
    assert status.split()[1] in (b"200", b"404")


def test_the_companion_answers_once_there_is_an_index(tmp_path: Path) -> None:
    with serving(tmp_path / "index") as (host, port):
        base = f"http://{host}:{port}"
        response = httpx.get(f"{base}{PREFIX}/search?q=zebras", timeout=None)
        assert response.status_code == 503
        assert "\n" not in response.json()["error"]["message"]
        publish_demo(tmp_path / "index")
        assert eventually(f"{base}{PREFIX}/search?q=dark") is not None


def test_a_newer_generation_is_picked_up(tmp_path: Path) -> None:
    publish_demo(tmp_path / "index")
    with serving(tmp_path / "index") as (host, port):
        url = f"http://{host}:{port}{PREFIX}/search?q=zebras"
        assert httpx.get(url, timeout=None).json() == {"results": []}
        publish_demo(tmp_path / "index", MORE)
        assert eventually(url) == "more/"


def eventually(url: str) -> str:
    """The page of the first result, once there is one."""
    return str(wait_until(lambda: httpx.get(url, timeout=None).json().get("results"))[0]["page"])


def test_readers_who_leave_give_their_slots_back(index: Path) -> None:
    """More readers leave than there are slots for answers, and the next is still answered."""
    body = json.dumps({"question": "dark mode", "stream": True}).encode()
    head = f"POST {PREFIX}/ask HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with serving(index) as (host, port):
        for _ in range(12):
            connection = socket.create_connection((host, port))
            connection.sendall(head.encode() + body)
            connection.close()

        def answered() -> str | None:
            connection = http.client.HTTPConnection(host, port)
            connection.request("POST", f"{PREFIX}/ask", body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            text = response.read().decode()
            connection.close()
            return text if response.status == 200 else None

        assert events_of(wait_until(answered))[-1][0] == "done"


def test_closed_companion_begins_anew(index: Path) -> None:
    companion = Companion(index, PREFIX)
    app = companion.wrap(docs)
    for _ in range(2):
        statuses: list[str] = []
        environ = {
            "REQUEST_METHOD": "GET",
            "PATH_INFO": f"{PREFIX}/readyz",
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "wsgi.input": None,
        }
        body = b"".join(app(environ, lambda status, *_, seen=statuses: seen.append(status)))
        assert statuses == ["200 OK"]
        assert b'"ready"' in body
        companion.close()


def test_settings_hold_under_a_preview_too(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trueref.toml").write_text('max_question = 5\n[synonyms]\ngloom = ["dark mode"]\n')
    with serving(index) as (host, port):
        base = f"http://{host}:{port}{PREFIX}"
        assert httpx.post(f"{base}/ask", json={"question": "too long"}, timeout=None).status_code == 422
        found = httpx.get(f"{base}/search", params={"q": "gloom"}, timeout=None).json()
    assert found["results"][0]["anchor"] == "dark-mode"


def test_a_setting_that_does_not_fit_is_told_at_once(
    index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trueref.toml").write_text('max_question = "many"\n')
    with pytest.raises(OptionError, match="max_question"):
        Companion(index)
