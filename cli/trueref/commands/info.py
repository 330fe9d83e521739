"""`trueref info`: describes an index and its sites."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
import msgspec

from trueref.options import index_option, json_option, settings_of

if TYPE_CHECKING:
    from trueref_core.records import Page


@click.command("info")
@index_option
@json_option
def command(index: Path | None, as_json: bool) -> None:
    """Say what the index holds."""
    from trueref.output import print_json, print_table
    from trueref_core.embedding.model_languages import untrained_language_warning
    from trueref_core.generations.served_generation import read_generation, read_manifest

    folder = settings_of(index=index).index
    generation = read_generation(folder)
    # From the manifest, which is JSON, so that no table is opened and the extra `serve` is not needed.
    manifest = read_manifest(folder, generation.id)
    pages = Counter(page.site for page in manifest.pages())
    if as_json:
        # The number of pages of each site is added here, since a generation counts only all of them together.
        fields = msgspec.to_builtins(generation)
        print_json(fields | {"sites": [site | {"pages": pages[site["name"]]} for site in fields["sites"]]})
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
        count = f"{pages[site.name]} page{'s' if pages[site.name] != 1 else ''}{_hidden(manifest.pages(site.name))}"
        version = f"version {site.version}" if site.version else ""
        about = (count, version, site.language, site.base_url or "no base URL", site.generator)
        rows.append((f"site {site.name}", ", ".join(part for part in about if part)))
    print_table(rows)
    if generation.vectors and (line := untrained_language_warning(generation.embedder, manifest.pages())):
        click.echo(line, err=True)


def _hidden(pages: Iterable[Page]) -> str:
    """How many pages are not searched, and why, in brackets; "" if all are searched.

    This explains to an author why a site has more pages than Markdown files: 404.html is one of them.
    """
    reasons = Counter(page.hidden_by for page in pages if page.hidden)
    listed = ", ".join(reason if count == 1 else f"{count} {reason}" for reason, count in reasons.most_common())
    return f" ({reasons.total()} of them not searched: {listed})" if reasons else ""
