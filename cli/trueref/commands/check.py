"""`trueref check`: lists the links that do not land."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from trueref.options import index_option, settings_of
from trueref_core.text.printable import visible

# `trueref_plugin` is imported when the command runs, so that `--help` stays quick; a test compares the two lists.
FORMATS = ("text", "json", "sarif", "github")


@click.command("check")
@click.argument("paths", nargs=-1, required=True, metavar="SITE|FILE...", type=click.Path(path_type=Path))
@index_option
@click.option(
    "--manifest",
    "manifests",
    multiple=True,
    metavar="FILE|URL",
    help="Manifest that another site publishes: links into it are checked too. Repeatable.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    help="The mkdocs.yml or docusaurus.config.js of the sources. Default: the nearest one above.",
)
@click.option("--base-url", metavar="URL", help="Where SITE is published. Default: what its pages say.")
@click.option("--site", metavar="NAME", help="The site in the index, if that holds several.")
@click.option("--fix", is_flag=True, help="Correct links in Markdown files if one place is plainly meant.")
@click.option(
    "--format",
    "output_format",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="How findings are written.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    paths: tuple[Path, ...],
    index: Path | None,
    output_format: str,
    **passed_on: Any,  # noqa: ANN401 (the other options, which `check` takes by the same names)
) -> None:
    """Check the links of a built site in the folder SITE, of Markdown sources, or of any text.

    SITE is checked by itself, without an index or a network. If the index holds several sites, links into the others
    are checked too. A FILE is checked against the index of its site, and a folder of Markdown stands for all files in
    it. Exits with 1 if a link does not land, and with 2 if a file could not be read.
    """
    from trueref_plugin.checking.check import check
    from trueref_plugin.checking.report import corrected_line, summary, written

    report = check(paths, index=_configured_index(index), **passed_on)
    # To stderr, since the findings on stdout may be SARIF or JSON for another program.
    for note in (*report.taken, *report.notes, *report.unread):
        click.echo(f"trueref: {visible(note)}", err=True)
    if text := written(report, output_format):  # type: ignore[arg-type] # click has made sure of it
        click.echo(text)
    # To stderr too, since a corrected link is no longer a finding.
    for finding in report.fixed:
        click.echo(corrected_line(finding), err=True)
    click.echo(f"trueref: {summary(report)}", err=True)
    # An unread file outweighs findings: nobody knows whether its links are right.
    ctx.exit(2 if report.unread else 1 if report.findings else 0)


def _configured_index(option: Path | None) -> Path | None:
    """The index that the option, the environment or trueref.toml names; None if all of them leave the default."""
    from trueref_server.settings import Settings

    configured = settings_of(index=option).index
    # The default folder `.trueref` may not exist, and a site can be checked without an index.
    return configured if option is not None or configured != Settings().index else None
