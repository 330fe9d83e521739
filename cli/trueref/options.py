"""Options that several commands share, and what the commands do with their values."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

from trueref_core.errors import OptionError, unknown_site
from trueref_core.extras import require_extra

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_server.records import Question
    from trueref_server.service import Service
    from trueref_server.settings import Settings

T = TypeVar("T")

index_option = click.option(
    "--index",
    type=click.Path(path_type=Path),
    help="Folder of the index. Default: TRUEREF_INDEX, or .trueref here.",
)
site_option = click.option("--site", metavar="NAME", help="The site that links count from, if the index holds several.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def question_options(command: Callable[..., None]) -> Callable[..., None]:
    """A decorator that adds the options of a command that asks a question."""
    for option in (
        click.option("--explain", is_flag=True, help="Also say how the question was read and what was found."),
        json_option,
        click.option("--language", metavar="TAG", help="The language to be answered in, such as de."),
        click.option("--version", metavar="V", help="The version to be asked, if the index holds several."),
        click.option("--page", metavar="PAGE", help="The page to be asked from, such as guide/setup/."),
        index_option,
    ):
        command = option(command)
    return command


def known_site(manifest: Manifest, name: str | None) -> str | None:
    """The given name of a site, or None. Raises `OptionError` if the manifest has no site of this name."""
    if name is None or manifest.site(name) is not None:
        return name
    raise unknown_site(name, (site.name for site in manifest.sites))


def log_to_stderr(level: int) -> None:
    """Write Trueref's log from `level` on to stderr, and the warnings of other packages."""
    # Not to stdout, which is for data.
    logging.basicConfig(level=logging.WARNING, format="trueref: %(message)s")
    logging.getLogger("trueref").setLevel(level)


def settings_of(**options: object) -> Settings:
    """The settings from the environment, `trueref.toml` in the current folder, and options of the command line.

    Raises:
        OptionError: A setting has a wrong value. The message names all of them in one line.
    """
    from trueref_server.settings import FILE, load_settings

    return load_settings(os.environ, file=Path(FILE), options=options)


def question_of(text: str, page: str | None, version: str | None, language: str | None) -> Question:
    """A question from the command line, with the same limits as in a request to the server.

    Raises:
        OptionError: The question is empty, or longer than the server accepts.
    """
    from trueref_server.records import Question

    text = text.strip()
    longest = settings_of().max_question
    if not text:
        raise OptionError("The question is empty. Ask with at least one word.")
    if len(text) > longest:
        raise OptionError(f"The question has {len(text)} characters, more than {longest}. Ask in fewer words.")
    return Question(text, page=page, version=version, language=language)


def read_file(path: Path, prefix: str = "") -> bytes:
    """The bytes of a file. Raises `OptionError` if it cannot be read, with `prefix` before its path in the message."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise OptionError(f"{prefix}{path} cannot be read: {error.strerror or error}.") from error


def require_serve() -> None:
    """Make sure that the extra `serve` is installed, before the running command imports its packages.

    Raises:
        ExtraMissing: It is not installed.
    """
    context = click.get_current_context()
    require_extra("serve", f"`{context.command_path}`")


def with_service(index: Path | None, action: Callable[[Service], Awaitable[T]]) -> T:
    """Run an action with the service of an index, close the service, and return the action's result."""
    # Imported here, so that `--help` and `--version` do not load these modules.
    from trueref_core.garbage_collection import without_garbage_collection
    from trueref_core.tables.table_writer import import_lancedb_lightly

    # Before the service is imported, which would import all of LanceDB: 0.7 s of processor time instead of 1.5
    # (`docs/decisions/light-commands.md`).
    import_lancedb_lightly()
    from trueref_server.service import Service

    service = Service(settings_of(index=index))

    async def run() -> T:
        try:
            return await action(service)
        finally:
            await service.close()

    # The process ends after one question, so memory need not be freed before.
    with without_garbage_collection():
        return asyncio.run(run())
