"""`trueref pages`: the pages that a piece of marked text comes from."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trueref.options import json_option, read_file, settings_of
from trueref_core.errors import OptionError


@click.command("pages")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--file-id", metavar="ID", help="Id of the file that the text is of, with --sidecar.")
@click.option("--sidecar", type=click.Path(path_type=Path), metavar="FILE", help="pages.json of a marked-text export.")
@json_option
@click.pass_context
def command(ctx: click.Context, file: Path | None, file_id: str | None, sidecar: Path | None, as_json: bool) -> None:
    """Print the pages that a piece of marked text is of, one a line: of FILE, or of what is read from stdin (`-`).

    With --file-id and --sidecar the document is known too, and where it is opened. Marks that were cut or changed are
    read, and LlamaParse's <<5>>. Exits with 1 if the text does not tell its pages.
    """
    from trueref.output import print_json, print_pages
    from trueref_core.export.marked_files import locate, read_sidecar_file

    if (file_id is None) != (sidecar is None):
        raise OptionError("--file-id and --sidecar belong together: the second lists what the first is an id of.")
    listed = read_sidecar_file(read_file(sidecar), str(sidecar)) if sidecar is not None else None
    located = locate(_text(file), listed, file_id, settings_of().prefix)
    if as_json:
        print_json(located)
    else:
        print_pages(located)
    ctx.exit(0 if located.pages else 1)


def _text(path: Path | None) -> str:
    """The text to look at, of a file or of stdin; what is not UTF-8 is replaced."""
    data = sys.stdin.buffer.read() if path is None or str(path) == "-" else read_file(path)
    # A piece that another tool cut may begin in the middle of a character.
    return data.decode("utf-8", "replace")
