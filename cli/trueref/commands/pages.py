"""`trueref pages`: the pages that a piece of marked text comes from."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from trueref.options import json_option, read_file, settings_of
from trueref_core.errors import OptionError


@click.command("pages")
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--file-id", metavar="ID", help="Id of the file that the text comes from, with --sidecar.")
@click.option("--sidecar", type=click.Path(path_type=Path), metavar="FILE", help="pages.json of a marked-text export.")
@json_option
@click.pass_context
def command(ctx: click.Context, file: Path | None, file_id: str | None, sidecar: Path | None, as_json: bool) -> None:
    """Print the pages that a piece of marked text comes from, one a line. Without FILE, or with `-`, stdin is read.

    With --file-id and --sidecar the document and the link that opens it are printed too. Marks that were cut or changed
    are read as well, and so are LlamaParse's, such as <<5>>. Exits with 1 if no mark says which pages the text is from.
    """
    from trueref.output import print_json, print_pages
    from trueref_core.export.marked_files import locate, read_file_list

    if (file_id is None) != (sidecar is None):
        raise OptionError("Give --file-id and --sidecar together: pages.json lists the file that has the id.")
    file_list = read_file_list(read_file(sidecar), str(sidecar)) if sidecar is not None else None
    origin = locate(_read_text(file), file_list, file_id, settings_of().prefix)
    if as_json:
        print_json(origin)
    else:
        print_pages(origin)
    ctx.exit(0 if origin.pages else 1)


def _read_text(path: Path | None) -> str:
    """The text of a file or of stdin. Bytes that are not UTF-8 are replaced."""
    data = sys.stdin.buffer.read() if path is None or str(path) == "-" else read_file(path)
    # A piece that another tool cut may begin in the middle of a character.
    return data.decode("utf-8", "replace")
