"""`trueref info`: what an index holds."""

from __future__ import annotations

from pathlib import Path

import click

from trueref.options import index_option, json_option, settings_of


@click.command("info")
@index_option
@json_option
def command(index: Path | None, as_json: bool) -> None:
    """Say what the index holds."""
    from trueref.output import print_json, print_table
    from trueref_core.embedder_fit import unfit_line
    from trueref_core.generations import read_generation, read_manifest

    folder = settings_of(index=index).index
    generation = read_generation(folder)
    if as_json:
        print_json(generation)
        return
    rows = [
        ("index", str(folder)),
        ("generation", generation.id),
        ("created", generation.created_at),
        ("embedder", generation.embedder),
        ("vectors", f"{generation.dimensions} dimensions" if generation.vectors else "none: full text only"),
    ]
    rows += [(name, str(count)) for name, count in generation.counts.items()]
    for site in generation.sites:
        about = (site.version, site.base_url or "no base URL", site.generator)
        rows.append((f"site {site.name}", ", ".join(part for part in about if part)))
    print_table(rows)
    if generation.vectors and (line := unfit_line(generation.embedder, read_manifest(folder).pages())):
        click.echo(line, err=True)
