"""`trueref diff`: the pages and anchors that a build lost, and where they are now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trueref.options import json_option, known_site
from trueref_core.addresses import HTML_SUFFIXES
from trueref_core.errors import OptionError

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest


@click.command("diff")
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@click.option(
    "--redirects", is_flag=True, help="Print redirects for pages that moved, in the form that the generator reads."
)
@click.option("--site", metavar="NAME", help="The site to compare, if an index holds several.")
@json_option
@click.pass_context
def command(ctx: click.Context, old: Path, new: Path, redirects: bool, site: str | None, as_json: bool) -> None:
    """Say which pages and anchors of OLD vanished, moved or have another name in NEW.

    Each of them is the folder of an index, a manifest file, or the folder of a built site.

    Exits with 1 if something vanished and nothing proves where it is now.
    """
    from trueref.output import print_difference, print_difference_json
    from trueref_core.compare.diff import diff
    from trueref_core.compare.redirects import redirects as redirects_of

    if redirects and as_json:
        raise click.UsageError("--json and --redirects are two forms of output: give one of them.")
    before = _manifest_at(old, site)
    # With the earlier manifest: a folder of HTML does not tell which pages are hidden, or from which sources they were
    # made.
    after = _manifest_at(new, site, before)
    difference = diff(before, after)
    if redirects:
        click.echo(redirects_of(difference, before, after), nl=False)
    elif as_json:
        print_difference_json(difference)
    else:
        print_difference(difference)
    ctx.exit(1 if difference.lost else 0)


def _manifest_at(path: Path, site: str | None, earlier: Manifest | None = None) -> Manifest:
    """The manifest of the index, manifest file or built site at a path, restricted to one site if `site` names one.

    `earlier` is the other manifest of the comparison. For a built site it supplies facts that the HTML lacks.
    """
    from trueref_core.generations.served_generation import read_manifest
    from trueref_core.manifest.lookup import Manifest

    # `Path` has made a single slash of the two behind the scheme.
    if path.parts[:1] in (("http:",), ("https:",)):
        raise OptionError("Addresses are not read. Download the manifest and name its file.")
    if path.is_file():
        return _of_site(Manifest.load(path), site)
    if (path / "current.json").exists():
        return _of_site(read_manifest(path), site)
    # Without this check, a wrong folder would count as a site from which everything vanished.
    if not any(file.suffix.lower() in HTML_SUFFIXES for file in path.rglob("*")):
        raise OptionError(f"{path} is no index, no manifest file and no built site. Give one of these.")
    from trueref_plugin.site.site_reader import manifest_of_site

    # A folder is one site. Which of several earlier sites it replaces cannot be guessed.
    if earlier is not None and len(earlier.sites) > 1:
        names = ", ".join(repr(record.name) for record in earlier.sites)
        raise OptionError(
            f"{path} is one site, and the index holds several. Name the one to compare: --site of {names}."
        )
    return manifest_of_site(path, earlier)


def _of_site(manifest: Manifest, site: str | None) -> Manifest:
    """A manifest, restricted to one site if `site` names one."""
    site_name = known_site(manifest, site)
    return manifest if site_name is None else manifest.of_sites({site_name})
