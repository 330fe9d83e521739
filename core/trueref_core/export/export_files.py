"""The list of exports, the path of each in a site, and the function that makes them. Add a new export here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from trueref_core.addresses import ASSETS
from trueref_core.errors import OptionError
from trueref_core.export.inventory import encode_inventory
from trueref_core.export.llms import llms_full, llms_index
from trueref_core.export.published_site import published, published_site
from trueref_core.export.urls import url_list
from trueref_core.manifest.codec import ManifestFile, encode_file
from trueref_core.records import PageKey

Export = Literal["manifest", "urls", "inventory", "llms", "markdown", "search"]

EXPORTS: Final[tuple[Export, ...]] = get_args(Export)
DEFAULTS: Final[tuple[Export, ...]] = ("manifest", "urls", "inventory")
"""The exports that are written by default. Texts for language models and the search are written only on request."""

MANIFEST: Final = f"{ASSETS}manifest.json"
URLS: Final = f"{ASSETS}urls.txt"
SEARCH: Final = f"{ASSETS}search/"
"""The folder of the files that the widget searches without a server. They are made from the tables of the index by the
server's `static_answers`, not here."""
# These files are at the root of the site: readers of an inventory resolve its addresses against the inventory's folder,
# and programs look for llms.txt at the root.
INVENTORY: Final = "trueref.inv"
LLMS: Final = "llms.txt"
LLMS_FULL: Final = "llms-full.txt"

MarkdownByPage = Mapping[PageKey, str]
"""The Markdown of pages, by site and address."""


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """One file of a site: its path relative to the root, and its bytes."""

    path: str
    data: bytes


def known_exports(names: Sequence[str]) -> tuple[Export, ...]:
    """The exports with these names, in the order of `EXPORTS`.

    Raises:
        OptionError: There is no export of that name.
    """
    for name in names:
        if name not in EXPORTS:
            raise OptionError(f"There is no export {name!r}. There are: {', '.join(EXPORTS)}.")
    return tuple(export for export in EXPORTS if export in names)


def needs_texts(exports: Sequence[Export]) -> bool:
    """Whether any of the exports is made from the texts of the pages."""
    return "llms" in exports or "markdown" in exports


def export_files(
    exports: Sequence[Export], file: ManifestFile, texts: MarkdownByPage, foreign: Sequence[str], site: str | None
) -> Iterator[ExportedFile]:
    """The files of the given exports, except those of `search`. `urls` is left out if the site has no base URL.

    Args:
        exports: The exports to make.
        file: The rows of the manifest.
        texts: The texts of the pages; empty if `needs_texts` is False.
        foreign: Lines of another inventory of the site.
        site: Name of the site; None for the only one.

    Raises:
        OptionError: There is no such site.
    """
    exported_site = published_site(file, site)
    if "manifest" in exports:
        yield ExportedFile(MANIFEST, encode_file(published(file, exported_site.site.name)))
    if "urls" in exports and exported_site.site.base_url is not None:
        yield ExportedFile(URLS, url_list(exported_site))
    if "inventory" in exports:
        yield ExportedFile(INVENTORY, encode_inventory(exported_site, foreign))
    if "llms" in exports:
        yield ExportedFile(LLMS, llms_index(exported_site))
        yield ExportedFile(LLMS_FULL, llms_full(exported_site, texts))
    if "markdown" in exports:
        for shown_page in exported_site.pages:
            # The Markdown file of a page is named after its HTML file, as llmstxt.org proposes: named `colors.md`, the
            # files for `colors.html` and `colors/index.html` would be the same.
            if text := texts.get((shown_page.page.site, shown_page.page.page)):
                yield ExportedFile(f"{shown_page.page.file}.md", text.encode())
