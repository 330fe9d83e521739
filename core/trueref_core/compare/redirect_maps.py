"""Redirects for pages that moved, in the form that the plugin mkdocs-redirects reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import msgspec

from trueref_core.addresses import href_of
from trueref_core.compare.changes import Change, Difference

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

_PLAIN: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*(?:#[A-Za-z0-9_.-]+)?")
"""Names that YAML reads as text without quotes. They end with `.md`, so none is a number or a word like `no`."""


def redirect_maps(difference: Difference, old: Manifest, new: Manifest) -> str:
    """The option `redirect_maps` of mkdocs-redirects, as YAML, for all pages that moved and are not redirected yet.

    Names are source paths. If a manifest does not know one, it is derived from the address by MkDocs' own rule, so that
    the redirect is written to the right file. MkDocs itself reports a target that it does not find.
    """
    moved = [change for change in difference.changes if change.change == "moved" and not change.anchor]
    lines = [
        f"  {_quoted(_source(old, change.site, change.page))}: {_quoted(_target(new, change))}\n"
        for change in moved
        if change.successor and _is_page(change.page) and _is_page(change.successor.page)
    ]
    return "redirect_maps:" + ("\n" + "".join(sorted(lines)) if lines else " {}\n")


def _target(new: Manifest, change: Change) -> str:
    """The target of a redirect: a source path, with the anchor."""
    assert change.successor is not None
    source = _source(new, change.site, change.successor.page)
    return source + href_of("", change.successor.anchor)


def _source(manifest: Manifest, site: str, page: str) -> str:
    """The source path of a page."""
    known_page = manifest.page(page, site)
    if known_page is not None and known_page.source_path.endswith(".md"):
        return known_page.source_path
    bare = page.removesuffix(".html").strip("/")
    if not bare:
        return "index.md"
    # A folder with pages in it usually has an `index.md`. Both names give the same address.
    has_pages = page.endswith("/") and any(_is_inside(other.page, page) for other in manifest.pages(site))
    return f"{bare}/index.md" if has_pages else f"{bare}.md"


def _is_inside(page: str, folder: str) -> bool:
    """Whether a page is below a folder."""
    return page != folder and page.startswith(folder)


def _is_page(address: str) -> bool:
    """Whether an address may be that of a Markdown file. The plugin redirects no other files."""
    name = address.rpartition("/")[2]
    return "." not in name or name.endswith(".html")


def _quoted(text: str) -> str:
    """A text as YAML."""
    # Every string of JSON is one of YAML.
    return text if _PLAIN.fullmatch(text) else msgspec.json.encode(text).decode()
