"""`trueref export`: writes a file for another tool."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trueref.options import index_option, read_file, settings_of
from trueref_core.errors import OptionError

if TYPE_CHECKING:
    from trueref_core.manifest.codec import ManifestFile

FORMATS = ("json", "inventory", "urls", "llms", "llms-full", "marked-text")


@click.command("export")
@click.option("--format", "output_format", type=click.Choice(FORMATS), required=True, help="What to write.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write, or for marked-text a folder. Default: standard output.",
)
@click.option("--site", metavar="NAME", help="The site, if the index holds several.")
@click.option(
    "--merge", type=click.Path(path_type=Path), metavar="FILE", help="objects.inv to merge an inventory with."
)
@index_option
def command(output_format: str, output: Path | None, site: str | None, merge: Path | None, index: Path | None) -> None:
    """Write what other tools read of the index: its manifest, a Sphinx inventory, URLs, or texts for language models.

    marked-text writes a file for each document into a folder, also for PDFs that the site does not publish. Marks in
    the text say where each page begins. The file pages.json in that folder lists the documents for `trueref pages`.

    Drafts and hidden pages are left out. Equal content gives equal bytes.
    """
    from trueref.output import write_output
    from trueref_core.generations.served_generation import read_manifest_file, served_build

    # An error, because a user who gives --merge expects the other file in the result.
    if merge is not None and output_format != "inventory":
        raise OptionError(
            f"--merge is for an inventory, and not for {output_format}. Leave it out, or use --format inventory."
        )
    build = served_build(settings_of(index=index).index)
    if output_format == "marked-text":
        _write_marked(build, site, output)
        return
    # `build` was looked up once, so that manifest and texts are of the same generation even if a build publishes
    # another one meanwhile.
    data = _export_bytes(output_format, read_manifest_file(build), build, site, merge)
    write_output(data, output, is_text=output_format != "inventory")


def _export_bytes(output_format: str, file: ManifestFile, build: Path, site: str | None, merge: Path | None) -> bytes:
    """The bytes of the file in a format."""
    from trueref_core.export.inventory import encode_inventory, read_lines
    from trueref_core.export.llms import llms_full, llms_index
    from trueref_core.export.published_site import published, published_site
    from trueref_core.export.urls import url_list
    from trueref_core.generations.served_generation import read_build_texts
    from trueref_core.manifest.codec import encode_file

    published_part = published_site(file, site)
    if output_format == "inventory":
        foreign = read_lines(read_file(merge, "The inventory "), str(merge)) if merge is not None else ()
        return encode_inventory(published_part, foreign)
    if output_format == "urls":
        return url_list(published_part)
    if output_format == "llms":
        return llms_index(published_part)
    if output_format == "llms-full":
        return llms_full(published_part, read_build_texts(build))
    return encode_file(published(file, published_part.site.name))


def _write_marked(build: Path, site: str | None, folder: Path | None) -> None:
    """Write the files of marked text into a folder, their list last."""
    from trueref.output import write_output
    from trueref_core.export.marked_files import marked_files
    from trueref_core.export.published_site import find_site
    from trueref_core.generations.served_generation import read_build_texts, read_manifest_file

    if folder is None:
        raise OptionError("marked-text is a file for each document. Name a folder for them with -o.")
    file = read_manifest_file(build)
    marked_text_files = marked_files(file, read_build_texts(build), find_site(file, site).name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"The folder {folder} cannot be made: {error.strerror or error}.") from error
    written_paths: list[str] = []
    for file_to_write in marked_text_files:
        write_output(file_to_write.data, folder / file_to_write.path, is_text=True)
        written_paths.append(file_to_write.path)
    click.echo(f"Wrote {len(written_paths) - 1} documents and {written_paths[-1]} into {folder}.", err=True)
