"""Writes redirects for pages that moved, in the form that the generator of the site reads."""

from __future__ import annotations

import re
from posixpath import dirname, relpath
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import msgspec

from trueref_core.addresses import href_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trueref_core.compare.changes import Change, Difference, Location
    from trueref_core.manifest.lookup import Manifest

    MovedPage = tuple[Change, Location]

_MKDOCS: Final = ("mkdocs", "properdocs")

_PLAIN_SCALAR: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./-]*(?:#[A-Za-z0-9_.-]+)?")
"""Texts that YAML needs no quotes for. All end with `.md` or an anchor, so none is a number or a word like `no`."""


def redirects(difference: Difference, old: Manifest, new: Manifest) -> str:
    """The redirects for all pages that moved and are not redirected yet, as the text of a file.

    For Sphinx, this is the option `redirects` of sphinx-reredirects. For MkDocs, and for sites that do not name their
    generator, it is the option `redirect_maps` of mkdocs-redirects. For all others it is a file `_redirects`, which
    several hosts read.
    """
    moves = [
        (change, change.successor)
        for change in difference.changes
        if change.change == "moved" and not change.anchor and change.successor
    ]
    generators = [site.generator.lower() for site in new.sites]
    if generators and all("sphinx" in generator for generator in generators):
        return _sphinx(moves)
    if all(not generator or any(name in generator for name in _MKDOCS) for generator in generators):
        return _mkdocs(moves, old, new)
    return "".join(sorted(f"{_address_pair(new, change, successor)} 301\n" for change, successor in moves))


def _sphinx(moves: Sequence[MovedPage]) -> str:
    """The option `redirects` of sphinx-reredirects, as Python.

    A target is relative to the old page. It has no anchor, since the redirect appends the anchor of the old link.
    """
    lines = sorted(
        f"    {_quoted(_document_name(change.page))}: {_quoted(_relative(change.page, successor.page))},\n"
        for change, successor in moves
        if change.page
    )
    return "redirects = {" + ("\n" + "".join(lines) if lines else "") + "}\n"


def _document_name(page: str) -> str:
    """The name of a page's document in Sphinx: its address without suffix, or without the slash of `dirhtml`."""
    return page.removesuffix(".html").rstrip("/")


def _relative(page: str, target: str) -> str:
    """The address of a page, relative to another one."""
    path = relpath(target or ".", dirname(page) or ".")
    return href_of(f"{path}/" if target.endswith("/") or not target else path)


def _mkdocs(moves: Sequence[MovedPage], old: Manifest, new: Manifest) -> str:
    """The option `redirect_maps` of mkdocs-redirects, as YAML.

    Both names of a redirect are source paths. A source path that the manifest lacks is derived from the address by
    MkDocs' rule, so that the redirect is written to the right file. MkDocs itself reports a target that does not exist.
    """
    names = [
        (_source_path(old, change.site, change.page), _source_path(new, change.site, to.page) + href_of("", to.anchor))
        for change, to in moves
        if _is_page(change.page) and _is_page(to.page)
    ]
    lines = sorted(f"  {_as_yaml(name)}: {_as_yaml(target)}\n" for name, target in names)
    return "redirect_maps:" + ("\n" + "".join(lines) if lines else " {}\n")


def _source_path(manifest: Manifest, site: str, page: str) -> str:
    """The source path of a page: that of the manifest, or one that MkDocs would build to this address."""
    known_page = manifest.page(page, site)
    if known_page is not None and known_page.source_path.endswith(".md"):
        return known_page.source_path
    bare = page.removesuffix(".html").strip("/")
    if not bare:
        return "index.md"
    # A folder with pages in it usually has an `index.md`. Both names give the same address.
    is_folder = page.endswith("/") and any(
        other.page.startswith(page) and other.page != page for other in manifest.pages(site)
    )
    return f"{bare}/index.md" if is_folder else f"{bare}.md"


def _is_page(address: str) -> bool:
    """Whether an address can belong to a Markdown file: mkdocs-redirects redirects no other files."""
    name = address.rpartition("/")[2]
    return "." not in name or name.endswith(".html")


def _as_yaml(text: str) -> str:
    """A text as YAML, in quotes where YAML needs them."""
    return text if _PLAIN_SCALAR.fullmatch(text) else _quoted(text)


def _address_pair(new: Manifest, change: Change, successor: Location) -> str:
    """The old and the new path of a page from the root of its host, separated by a space."""
    site = new.site(change.site)
    root = urlsplit((site.base_url if site is not None else None) or "/").path
    return f"{root}{href_of(change.page)} {root}{href_of(successor.page, successor.anchor)}"


def _quoted(text: str) -> str:
    """A text as a string of JSON, which Python and YAML read in the same way."""
    return msgspec.json.encode(text).decode()
