"""`trueref path`: how a reader gets from one section to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trueref.options import index_option, json_option, known_site, settings_of, site_option
from trueref_core.errors import OptionError

if TYPE_CHECKING:
    from trueref_core.links.section_graph import Graph, Node, Step
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Reference


@click.command("path")
@click.argument("start", metavar="A")
@click.argument("end", metavar="B")
@site_option
@index_option
@json_option
@click.pass_context
def command(ctx: click.Context, start: str, end: str, site: str | None, index: Path | None, as_json: bool) -> None:
    """Say how a reader gets from the section A to the section B with the fewest clicks.

    A and B are links of any form that `trueref resolve` takes. Only links in the texts count, and what stands under,
    above and next: not the navigation, which leads everywhere. Exits with 1 if there is no way.
    """
    from trueref.output import print_json, print_path
    from trueref_core.generations.served_generation import read_graph, read_manifest

    folder = settings_of(index=index).index
    manifest = read_manifest(folder)
    named = known_site(manifest, site)
    first, last = _place(manifest, start, named), _place(manifest, end, named)
    steps = None
    # Edges do not look beyond their site.
    if first.site == last.site:
        graph = read_graph(folder, first.site)
        around = {_key(target): _section(manifest, graph, target) for target in (first, last)}
        steps = graph.path(_key(first), _key(last), around)
    if steps is None:
        click.echo("No link in the texts leads there.", err=True)
        if as_json:
            print_json([])
        ctx.exit(1)
    if as_json:
        print_json([_as_json(manifest, first.site, step) for step in steps])
    else:
        print_path(manifest, first.site, steps)


def _place(manifest: Manifest, link: str, site: str | None) -> Reference:
    """The page and anchor that a link on the command line leads to."""
    from trueref_core.links.resolve import ResolveContext, resolve

    reference = resolve(manifest, link, ResolveContext(site))
    if reference.page is None:
        raise OptionError(f"{link} leads to no page of this index: {reference.reason}")
    return reference


def _key(target: Reference) -> Node:
    """A place in the graph."""
    return target.page or "", target.anchor or ""


def _section(manifest: Manifest, graph: Graph, target: Reference) -> Node:
    """The section that a place begins or stands in, or its page."""
    page, anchor = _key(target)
    while anchor and not graph.is_section((page, anchor)):
        record = manifest.anchor(page, anchor, target.site)
        anchor = record.parent if record is not None else ""
    return page, anchor


def _as_json(manifest: Manifest, site: str | None, step: Step) -> Mapping[str, object]:
    """A step as JSON, with its addresses."""
    href = manifest.href(step.page, step.anchor, site)
    return asdict(step) | {"href": href, "url": manifest.url_of(site, href)}
