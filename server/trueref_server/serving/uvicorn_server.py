"""`trueref serve`: the application under uvicorn, on a socket that is bound before anything else happens."""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from trueref_core.errors import OptionError
from trueref_server.rare_log import Rarely
from trueref_server.serving.app import create_app
from trueref_server.serving.protocol import TimedProtocol
from trueref_server.settings import Settings

HEADER_BYTES = 16_384
LOG = "uvicorn.error"
WARNING_SECONDS = 1.0


def serve(settings: Settings, *, site: Path | None = None, base: str = "/", announce: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM; answers under way may then finish.

    Args:
        settings: The server's options.
        site: A built site to serve on the same origin.
        base: Path that its root is shown at.
        announce: Is given the address when questions are answered there.

    Raises:
        OptionError: The address cannot be listened on.
        SiteError: `site` is not a folder.
    """
    app = create_app(settings, site=site, base=base)
    # Before uvicorn starts, which would open the index first and bind afterwards: a port that is taken is said at once.
    listening = listen(settings.host, settings.port)
    config = uvicorn.Config(
        app,
        # A class with the limit of this server: uvicorn makes one of it for each connection, and passes no limit.
        http=type("Protocol", (TimedProtocol,), {"max_connections": settings.max_connections}),
        # Nothing here speaks WebSocket.
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        # The client's address is read by the rate limit itself, from trusted proxies only.
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=settings.shutdown_seconds,
        h11_max_incomplete_event_size=HEADER_BYTES,
    )
    # uvicorn warns of every message that is no valid request, without saying more about it.
    logging.getLogger(LOG).addFilter(Rarely(WARNING_SECONDS))
    # Ctrl-C is how a server is ended; by then it has let its answers finish.
    with listening, suppress(KeyboardInterrupt):
        AnnouncingServer(config, lambda: announce(address_of(listening))).run(sockets=[listening])


class AnnouncingServer(uvicorn.Server):
    """Says so when it has started: the index is open by then, or known to be missing."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then say so."""
        await super().startup(sockets)
        if self.started:
            self._announce()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        OptionError: The port is taken, or the host is not one of this machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # With its protocol named: only then asyncio sends small pieces at once, and no answer waits 40 ms for the other
        # side to confirm its headers.
        bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise OptionError(f"Cannot listen on {host}: {error.strerror}. Name another with --host.") from error
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((host, port))
        bound.listen(2048)
    except OSError as error:
        bound.close()
        if error.errno == errno.EADDRINUSE:
            message = (
                f"Port {port} on {host} is taken by another program. Name another with --port; 0 takes a free one."
            )
        else:
            message = f"Cannot listen on {host}, port {port}: {error.strerror}. Name others with --host and --port."
        raise OptionError(message) from error
    return bound


def address_of(listening: socket.socket) -> str:
    """The address to open in a browser."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
