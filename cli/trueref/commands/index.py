"""`trueref index`: makes an index of a built site."""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from trueref.options import index_option, log_to_stderr, require_serve, settings_of
from trueref_core.errors import OptionError
from trueref_core.text.printable import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trueref_core.records import PageKind

OptionValue = TypeVar("OptionValue")

MAX_NAMED = 6
"""How many of the files written into a site are named in the message."""


# This function is long because each option of the command is one of its parameters.
@click.command("index")
@click.argument("site", type=click.Path(path_type=Path), required=False)
@click.option("--base-url", metavar="URL", help="Where the site is published. Without it links are site-relative.")
@index_option
@click.option("--name", help="Name of the site in the index. Default: what the site calls itself.")
@click.option("--version", default="", help="Version of the documentation.")
@click.option(
    "--language", default="", metavar="TAG", help="Language of the pages, such as de. Default: what they say."
)
@click.option(
    "--pages", type=click.Path(path_type=Path), help="Sidecar file with what only the generator knows about pages."
)
@click.option("--full", is_flag=True, help="Read, cut and embed everything again.")
@click.option("--embedder", default="bundled", show_default=True, help="bundled, lexical, or a fastembed model.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Pages to leave out, such as 'blog/*'. Repeatable.")
@click.option(
    "--kind",
    "kinds",
    multiple=True,
    type=(str, str),
    metavar="PATTERN KIND",
    help="Kind of some pages, such as 'handbook/*' reference. Repeatable.",
)
@click.option(
    "--weight",
    "weights",
    multiple=True,
    type=(str, float),
    metavar="PATTERN N",
    help="What is added to scores of some pages, -1 to 1, such as 'internals/*' -0.2. Repeatable.",
)
@click.option(
    "--pdf",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of PDFs that the site does not publish. Repeatable.",
)
@click.option("--reuse", metavar="URL|DIR", help="Published index whose vectors are used for texts that are new here.")
@click.option("--content-selector", metavar="CSS", help="Where the content of a page is, if it is not found.")
@click.option(
    "--exports", metavar="LIST", default="", help="Files to write into SITE, such as manifest,urls,inventory."
)
@click.option(
    "--widget", metavar="URL|none", help="Put the widget on every page of SITE: the server that it asks, or none."
)
@click.option("--drop", metavar="NAME", help="Take the site of this name out of the index. SITE is left out then.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    site: Path | None,
    index: Path | None,
    embedder: str,
    kinds: tuple[tuple[str, PageKind], ...],
    weights: tuple[tuple[str, float], ...],
    exports: str,
    widget: str | None,
    drop: str | None,
    **passed_on: Any,  # noqa: ANN401 (the other options, which `index_site` takes by the same names)
) -> None:
    """Read the built site in the folder SITE, of any generator, and publish its index.

    An index may hold several sites. SITE replaces the site of the same name; the others stay as they are.

    Exits with 1 if a page could not be read; the others are in the index all the same.
    """
    require_serve()
    from trueref_core.export.export_files import known_exports
    from trueref_plugin.build.build import index_site
    from trueref_plugin.build.widget_pages import NO_SERVER
    from trueref_plugin.progress import reporter_for

    # The progress of a build goes to stderr, since stdout is for data.
    log_to_stderr(logging.INFO)
    folder = settings_of(index=index).index
    if site is None or drop is not None:
        _drop_site(site, folder, drop)
        return
    # Without a server nothing uses vectors, which would take most of the build. An embedder that was given is used.
    if widget == NO_SERVER and ctx.get_parameter_source("embedder") is ParameterSource.DEFAULT:
        embedder = "lexical"
        click.echo(
            "Nothing is embedded: pages without a server are searched by words. "
            "If a server is to answer from this index as well, give --embedder bundled.",
            err=True,
        )
    # Before the build, so that a mistyped export is reported at once.
    export_names = known_exports([export.strip() for export in exports.split(",") if export.strip()])
    result = index_site(
        site,
        index=folder,
        embedder=embedder,
        kinds=_by_pattern("--kind", kinds),
        weights=_by_pattern("--weight", weights),
        exports=export_names,
        widget=widget,
        report=reporter_for(logging.getLogger("trueref.index"), sys.stderr),
        **passed_on,
    )
    for line in result.lines(folder):
        click.echo(line, err=True)
    if result.exported:
        file_names = visible(", ".join(_shortened_list(result.exported)))
        click.echo(f"Wrote {len(result.exported)} files into {site}: {file_names}.", err=True)
    # 1 and not 2: the index was published, so pages that could not be read are findings and no failure.
    ctx.exit(1 if result.refused else 0)


def _by_pattern(option: str, pairs: Sequence[tuple[str, OptionValue]]) -> dict[str, OptionValue]:
    """The values of a repeatable option by pattern. Raises `OptionError` if a pattern was given twice."""
    by_pattern = dict(pairs)
    repeated = next((pattern for pattern in by_pattern if sum(pattern == other for other, _ in pairs) > 1), None)
    # The dictionary has silently kept the last value.
    if repeated is not None:
        raise OptionError(f"{option} is given twice for {repeated!r}. Give it once for each pattern.")
    return by_pattern


def _drop_site(site: Path | None, index: Path, name: str | None) -> None:
    """Take the site that `--drop` names out of the index. Raises `UsageError` if SITE is given too, or neither is."""
    from trueref_plugin.build.site_removal import drop_site

    if name is None:
        raise click.UsageError("Missing argument 'SITE': the folder of a built site.")
    if site is not None:
        raise click.UsageError("SITE is built and --drop takes a site away: give one of them.")
    generation = drop_site(index, name)
    names = ", ".join(site.name for site in generation.sites)
    line = f"Dropped {name} from the index at {index}. It holds {names} now, generation {generation.id}."
    # Escaped, since the name of a site may come from its pages.
    click.echo(visible(line), err=True)


def _shortened_list(paths: Sequence[str]) -> Sequence[str]:
    """A list of paths that fits on a line: the files of the search as one folder, and `...` in place of many others."""
    from trueref_core.export.export_files import SEARCH

    names = list(dict.fromkeys(SEARCH if path.startswith(SEARCH) else path for path in paths))
    return names if len(names) <= MAX_NAMED else [*names[:MAX_NAMED], "..."]
