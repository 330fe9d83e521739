"""`trueref resolve`: tells whether links land, and where."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import cast

import click

from trueref.options import index_option, json_option, known_site, settings_of, site_option

LANDING_STATUSES = frozenset({"exact", "redirected", "external"})


@click.command("resolve")
@click.argument("links", nargs=-1, metavar="[LINK]...")
@click.option("--page", metavar="PAGE", help="The page the links stand on, such as setup/colors/.")
@site_option
@index_option
@json_option
@click.pass_context
def command(
    ctx: click.Context, links: tuple[str, ...], page: str | None, site: str | None, index: Path | None, as_json: bool
) -> None:
    """Give one verdict for each LINK, in order; without a LINK they are read from stdin, one a line.

    An absolute link goes to the site whose base URL it has. With --json every verdict is a line of JSON. Exits with 1
    if a link does not land as it is written.
    """
    from trueref.output import print_json, print_reference
    from trueref_core.generations.served_generation import read_manifest
    from trueref_core.links.resolve import ResolveContext, resolve

    manifest = read_manifest(settings_of(index=index).index)
    context = ResolveContext(known_site(manifest, site), page)
    has_findings = False
    for link in links or _links_of_stdin():
        reference = resolve(manifest, link, context)
        has_findings = has_findings or reference.status not in LANDING_STATUSES
        # Each verdict is printed at once, since the links may come from a pipe that never ends.
        if as_json:
            print_json(reference)
        else:
            print_reference(reference)
    ctx.exit(1 if has_findings else 0)


def _links_of_stdin() -> Iterator[str]:
    """The lines of stdin that are not empty. A byte that is not text stays in its link, as it does in an argument."""
    stdin = cast("TextIOWrapper", sys.stdin)
    stdin.reconfigure(errors="surrogateescape")
    return filter(None, map(str.strip, stdin))
