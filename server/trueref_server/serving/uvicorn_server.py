"""`trueref serve`: runs the application under uvicorn, on a socket that is bound before the index is opened."""

from __future__ import annotations

import errno
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from trueref_core.errors import OptionError
from trueref_server.rare_log import RepeatedWarningFilter
from trueref_server.serving.app import create_app
from trueref_server.serving.protocol import HEADER_BYTES, protocol_class
from trueref_server.settings import Settings

LOG = "uvicorn.error"
WARNING_SECONDS = 1.0


def serve(settings: Settings, *, site: Path | None = None, base: str = "/", announce: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM, and then let the open answers finish.

    Args:
        settings: The server's options.
        site: A built site to serve on the same origin.
        base: The path at which the root of the site is served.
        announce: Called with the address once the server has started.

    Raises:
        OptionError: The address cannot be listened on.
        SiteError: `site` is not a folder.
    """
    app = create_app(settings, site=site, base=base)
    # Bound before uvicorn starts, which would open the index first: so a port that is taken is reported at once.
    listener = listen(settings.host, settings.port)
    config = uvicorn.Config(
        app,
        http=protocol_class(settings),
        # Nothing here speaks WebSocket.
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        # The API reads the client's address itself, from trusted proxies only.
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=5,
        timeout_graceful_shutdown=settings.shutdown_seconds,
        h11_max_incomplete_event_size=HEADER_BYTES,
    )
    # uvicorn warns of every invalid request without any detail, so that one warning a second is enough.
    logging.getLogger(LOG).addFilter(RepeatedWarningFilter(WARNING_SECONDS))
    # Ctrl-C is the usual end of a server. At this point the open answers have finished.
    with listener, suppress(KeyboardInterrupt):
        AnnouncingServer(config, lambda: announce(address_of(listener))).run(sockets=[listener])


class AnnouncingServer(uvicorn.Server):
    """Calls `announce` once it has started: the index is open then, or known to be missing."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then call `announce`."""
        await super().startup(sockets)
        if self.started:
            self._announce()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket.

    Raises:
        OptionError: The port is taken, or the host is no address of this machine.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        # With the protocol named, asyncio sets TCP_NODELAY. Otherwise an answer would wait 40 ms for the other side to
        # acknowledge its headers.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise OptionError(f"Cannot listen on {host}: {error.strerror}. Name another with --host.") from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            message = (
                f"Port {port} on {host} is taken by another program. Name another with --port; 0 takes a free one."
            )
        else:
            message = f"Cannot listen on {host}, port {port}: {error.strerror}. Name others with --host and --port."
        raise OptionError(message) from error
    return listener


def address_of(listener: socket.socket) -> str:
    """The address of a listening socket, to open in a browser."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
