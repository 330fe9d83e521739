"""`trueref diff`: what a build took away, and where it is now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trueref.options import json_option, known_site
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
    # With the earlier one: a folder of HTML does not say which pages are hidden or which files they were made of.
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
    """The manifest that a path stands for, of one site if that is named."""
    from trueref_core.generations.served_generation import read_manifest
    from trueref_core.manifest.lookup import Manifest

    # A path has one slash behind the scheme, since `//` is one separator.
    if path.parts[:1] in (("http:",), ("https:",)):
        raise OptionError("Addresses are not read. Download the manifest and name its file.")
    if path.is_file():
        return _of_site(Manifest.load(path), site)
    if (path / "current.json").exists():
        return _of_site(read_manifest(path), site)
    # A wrong folder would read as a site from which everything vanished.
    if next(path.rglob("*.html"), None) is None:
        raise OptionError(f"{path} is no index, no manifest file and no built site. Give one of these.")
    from trueref_plugin.site.site_reader import manifest_of_site

    # One folder is one site: which of several it replaces cannot be guessed.
    if earlier is not None and len(earlier.sites) > 1:
        names = ", ".join(repr(record.name) for record in earlier.sites)
        raise OptionError(
            f"{path} is one site, and the index holds several. Name the one to compare: --site of {names}."
        )
    return manifest_of_site(path, earlier)


def _of_site(manifest: Manifest, site: str | None) -> Manifest:
    """A manifest of one site, if that is named."""
    named = known_site(manifest, site)
    return manifest if named is None else manifest.of_sites({named})
