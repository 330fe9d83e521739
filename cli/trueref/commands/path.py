"""`trueref path`: finds the path with the fewest clicks from one section to another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trueref.options import index_option, json_option, known_site, settings_of, site_option
from trueref_core.errors import OptionError
from trueref_core.text.printable import visible

if TYPE_CHECKING:
    from trueref_core.links.section_graph import Graph, GraphNode, Step
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

    A and B are links of any form that `trueref resolve` takes; "" is the root page. A path consists of links in the
    texts, and of steps to the section under, above or after another one. It uses no link of the navigation, which leads
    to every page. Exits with 1 if there is no path.
    """
    from trueref.output import print_json, print_path
    from trueref_core.generations.served_generation import read_graph, read_manifest

    folder = settings_of(index=index).index
    manifest = read_manifest(folder)
    site_name = known_site(manifest, site)
    start_target, end_target = _resolve_to_page(manifest, start, site_name), _resolve_to_page(manifest, end, site_name)
    steps = None
    # A graph has the edges of one site only.
    if start_target.site == end_target.site:
        graph = read_graph(folder, start_target.site)
        enclosing = {
            _node_of(target): _enclosing_section(manifest, graph, target) for target in (start_target, end_target)
        }
        steps = graph.path(_node_of(start_target), _node_of(end_target), enclosing)
    if steps is None:
        click.echo("No link in the texts leads there.", err=True)
        if as_json:
            print_json([])
        ctx.exit(1)
    if as_json:
        print_json([_step_fields(manifest, start_target.site, step) for step in steps])
    else:
        print_path(manifest, start_target.site, steps)


def _resolve_to_page(manifest: Manifest, link: str, site: str | None) -> Reference:
    """The verdict on a link of the command line. Raises `OptionError` if it leads to no page."""
    from trueref_core.links.resolve import ResolveContext, resolve

    # The root page has the address "". A link that stands on no page needs `./` for it.
    reference = resolve(manifest, link or "./", ResolveContext(site))
    if reference.page is None:
        raise OptionError(f"{link or 'The root page'} leads to no page of this index: {reference.reason}")
    # The path is another one than was asked for, so that it is not given without a word.
    if reference.status not in ("exact", "redirected"):
        href = manifest.href(reference.page, reference.anchor or "", reference.site)
        click.echo(f"trueref: {visible(link)} is read as {href or './'}: {reference.reason}", err=True)
    return reference


def _node_of(target: Reference) -> GraphNode:
    """The node of the graph for a resolved link."""
    return target.page or "", target.anchor or ""


def _enclosing_section(manifest: Manifest, graph: Graph, target: Reference) -> GraphNode:
    """The section that begins at a resolved link or encloses its anchor; the page if there is none."""
    page, anchor = _node_of(target)
    while anchor and not graph.is_section((page, anchor)):
        record = manifest.anchor(page, anchor, target.site)
        anchor = record.parent if record is not None else ""
    return page, anchor


def _step_fields(manifest: Manifest, site: str | None, step: Step) -> Mapping[str, object]:
    """The fields of a step for JSON, with its addresses."""
    href = manifest.href(step.page, step.anchor, site)
    return asdict(step) | {"href": href, "url": manifest.url_of(site, href)}
