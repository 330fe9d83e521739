"""Serves the built docs on the same origin as the API, with the widget on every page.

No request reaches a file outside the folder: the path is split into names, every name is checked, and the file that
they lead to, symbolic links resolved, must lie inside the folder.
"""

from __future__ import annotations

import hashlib
import logging
import os
import stat
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import anyio.to_thread
import msgspec
from starlette.requests import Request
from starlette.responses import Response

from trueref_core.addresses import ASSETS, HTML_SUFFIXES
from trueref_core.errors import SiteError, TruerefError
from trueref_core.text.printable import visible
from trueref_server.http.responses.error_responses import NO_INDEX, error_response
from trueref_server.http.responses.file_responses import FileGone, RangedFileResponse
from trueref_server.http.responses.widget_files import has_tag
from trueref_server.rare_log import rare_logger
from trueref_server.service import Service
from trueref_widget import WidgetOptions, ask_server, inject, snippet

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

logger = logging.getLogger("trueref.server")

BUILD_FILE = f"{ASSETS}build.json"
QUESTIONS_FILE = f"{ASSETS}questions.json"

# Names with these lead elsewhere on some system. They are refused on all of them.
FORBIDDEN_CHARACTERS = frozenset("\\:\0")


class BuildNote(msgspec.Struct):
    """A file that a build writes into the site: the generation made from it, "" if the index holds several sites."""

    generation: str = ""


@dataclass(frozen=True, slots=True)
class SiteEntry:
    """What the site has at a path: a file, a folder whose address lacks its final slash, or nothing."""

    file: Path | None
    is_folder: bool = False


def split_path(path: str) -> list[str] | None:
    """The names in the path of a request; None if one of them must not reach the file system.

    Hidden names are refused (`.git`, `.trueref`), except `.well-known`.
    """
    # Each name is checked by itself, so that `..`, an empty name or a backslash is refused wherever it stands.
    *folders, last = path.removeprefix("/").split("/")
    is_safe = all(map(_is_safe_name, folders)) and (not last or _is_safe_name(last))
    return [*folders, last] if is_safe else None


def _is_safe_name(name: str) -> bool:
    """Whether a name stays in its folder and is not hidden."""
    return bool(name) and not FORBIDDEN_CHARACTERS & set(name) and (name[0] != "." or name == ".well-known")


class BuiltSite:
    """An ASGI application for a folder of built HTML. Addresses work as on a static host, with `404.html`.

    Args:
        folder: The built site.
        prefix: The path of the API.
        service: The service of the API.
        base: The path at which the root of the site is served; Docusaurus and VitePress write it into every link.
    """

    def __init__(self, folder: Path, prefix: str, service: Service, base: str = "/") -> None:
        if not folder.is_dir():
            raise SiteError(f"There is no folder {folder} to serve. Build the site first, or name another with --site.")
        self.root = folder.resolve()
        self.prefix = prefix
        self.base = f"/{base.strip('/')}/" if base.strip("/") else "/"
        self._service = service
        self._compared_generations: tuple[str, str] | None = None
        self._log = rare_logger(logger)

    async def compare(self) -> None:
        """Log a warning, once for each generation, if the index was made from another build than the site.

        `mkdocs serve` of the same project writes to the same index by default.
        """
        try:
            note = msgspec.json.decode((self.root / BUILD_FILE).read_bytes(), type=BuildNote)
            served = await self._service.ready()
        except (OSError, msgspec.MsgspecError, TruerefError):
            return
        generations = note.generation, served.id
        if not note.generation or note.generation == served.id or generations == self._compared_generations:
            return
        self._compared_generations = generations
        logger.warning(
            "The index is of another build than the site in %s: answers may have links that its pages lack. Build the "
            "site again. `mkdocs serve` writes to the same index unless it has one of its own.",
            self.root,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        request = Request(scope)
        if request.method not in ("GET", "HEAD"):
            response = error_response(405, f"{request.method} is not possible here.", headers={"Allow": "GET, HEAD"})
        else:
            response = await self._respond(request)
        try:
            await _without_sniffing(response)(scope, receive, send)
        except FileGone:
            # The site was built again since the file was looked up.
            await _without_sniffing(await self._missing_response(request))(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        """The file at an address, a redirect to its folder, or the 404 page of the site."""
        full_path = request.scope["path"]
        # If the site is not at the root, the root redirects to it, since nothing else is there.
        if full_path in ("/", self.base[:-1]) and full_path != self.base:
            return Response(status_code=307, headers={"Location": quote(self.base)})
        names = split_path("/" + full_path.removeprefix(self.base)) if full_path.startswith(self.base) else None
        if names is not None:
            path = "/".join(names)
            entry = await anyio.to_thread.run_sync(self.look_up, names)
            if entry.is_folder:
                # Relative, so that no address is built from the Host header; with "./", since a name may look like a
                # scheme.
                return Response(status_code=307, headers={"Location": f"./{quote(names[-1])}/"})
            if entry.file is not None:
                # The widget reads this file when a reader opens it, so that a question to the index follows.
                if path == BUILD_FILE:
                    await self.compare()
                response = await self._file_response(request, entry.file, base="../" * path.count("/") or "./")
                if response is not None:
                    return response
            if path in (BUILD_FILE, QUESTIONS_FILE):
                return await self._build_response(path)
        return await self._missing_response(request)

    async def _missing_response(self, request: Request) -> Response:
        """The 404 page of the site, or an error if the site has none that can be read."""
        page = await anyio.to_thread.run_sync(self.look_up, ["404.html"])
        # Its base is absolute, since it is shown at addresses of any depth.
        response = await self._file_response(request, page.file, base=self.base, status=404) if page.file else None
        return response or error_response(404, "There is no such page.", hint=f"Start at {self.base}.")

    def look_up(self, names: list[str]) -> SiteEntry:
        """Find the file for checked names, the way static hosts do: the file, `index.html`, then with `.html`."""
        target = self.root.joinpath(*names)
        if not names[-1]:
            return SiteEntry(self._file_inside(target / "index.html"))
        file = self._file_inside(target)
        if file is not None:
            return SiteEntry(file)
        if self._file_inside(target / "index.html") is not None:
            return SiteEntry(None, is_folder=True)
        return SiteEntry(self._file_inside(target.with_name(target.name + ".html")))

    def _file_inside(self, path: Path) -> Path | None:
        """The regular file at `path`, links resolved; None if there is none or a link leads out of the site."""
        try:
            # Resolved first, since a harmless name may be a link to a file outside.
            real = path.resolve(strict=True)
            is_file = stat.S_ISREG(real.stat().st_mode)
        except (OSError, ValueError, RuntimeError):
            return None
        return real if is_file and real.is_relative_to(self.root) else None

    async def _file_response(self, request: Request, file: Path, *, base: str, status: int = 200) -> Response | None:
        """A file of the site, None if it cannot be read; pages get the widget."""
        is_page = file.name.lower().endswith(HTML_SUFFIXES)
        respond = partial(self._page_response, base=base, status=status) if is_page else _plain_response
        try:
            return await anyio.to_thread.run_sync(respond, request, file)
        except OSError as error:
            # The user of the server may not read it, or it was deleted since it was looked up.
            self._log.warning("%s of the site cannot be read (%s)", visible(str(file)), error.strerror)
            return None

    def _page_response(self, request: Request, file: Path, base: str, status: int) -> Response:
        """A page with the widget, or 304 if the browser has it."""
        assets = f"{self.prefix}/widget/"
        widget = snippet(WidgetOptions(server=self.prefix, base=base, assets=assets))
        # The encoding of the page is not known: bytes that are no UTF-8 pass through unchanged.
        html = file.read_bytes().decode("utf-8", "surrogateescape")
        body = ask_server(inject(html, widget), self.prefix).encode("utf-8", "surrogateescape")
        tag = f'"{hashlib.sha256(body).hexdigest()[:20]}"'
        headers = {"ETag": tag, "Cache-Control": "no-cache"}
        # Not for the 404 page: with 304 the browser would show the address as a page that exists.
        if status == 200 and has_tag(request, tag):
            return Response(status_code=304, headers=headers)
        # Without a charset, which the page declares itself.
        return Response(body, status, headers | {"Content-Type": "text/html"})

    async def _build_response(self, name: str) -> Response:
        """The file that the plugin would have written into the site, for a site that was built without the plugin."""
        try:
            content = await (self._service.questions() if name == QUESTIONS_FILE else self._service.build())
        except TruerefError:
            return error_response(404, NO_INDEX)
        return Response(msgspec.json.encode(content), media_type="application/json")


def _without_sniffing(response: Response) -> Response:
    """A response whose type browsers take as it is."""
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def _plain_response(request: Request, file: Path) -> Response:
    """A file as it is, whole or in ranges, or 304 if the browser has it."""
    # Opened here as well, so that a file which the user of the server may not read is found out, and logged.
    with file.open("rb") as stream:
        status = os.fstat(stream.fileno())
    response = RangedFileResponse(file, stat_result=status)
    response.headers["Cache-Control"] = "no-cache"
    if "range" not in request.headers and has_tag(request, response.headers["etag"]):
        validators = {name: response.headers[name] for name in ("etag", "cache-control")}
        return Response(status_code=304, headers=validators)
    return response
