"""The order in which a site without a server searches its versions and languages: the same as a server's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from trueref_server.question.scope import ReaderContext, Scopes

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Chunk

Number = TypeVar("Number", str, int)


class StaticEditions:
    """The numbered editions of a site: its versions in each of its languages. Readers of an unknown page have number 0.

    Args:
        manifest: The manifest of the index.
        site: Name of the site.
    """

    def __init__(self, manifest: Manifest, site: str) -> None:
        self._site = site
        self._scopes = Scopes(manifest)
        pages = [page for page in manifest.pages() if page.site == site]
        self._pages = sorted((_plain_address(page.page), (page.version, page.language)) for page in pages)
        language = self._scopes.site_language(ReaderContext(site, None, None))
        # The root of a site may be no page of it: a single-page application shows other pages there.
        editions = [("", language), *sorted({edition for _, edition in self._pages})]
        self._numbers = {edition: number for number, edition in enumerate(dict.fromkeys(editions))}

    def readers(self) -> list[tuple[str, int]]:
        """The first page of each run of pages of one edition, sorted by address, with the number of the edition.

        All pages of the site count, even those that are never cited, since a reader may ask from any of them.
        """
        return _run_starts([("", 0), *((page, self._numbers[edition]) for page, edition in self._pages)])

    def of_sections(self, sections: Sequence[Sequence[Chunk]]) -> list[tuple[int, int]]:
        """The first section of each run of sections of one edition, by its number, with the number of the edition."""
        firsts = [chunks[0] for chunks in sections]
        return _run_starts(enumerate(self._numbers[chunk.version, chunk.language] for chunk in firsts))

    def order(self) -> list[list[int]]:
        """A row for the readers of each edition: the turn in which each edition is searched, until one has a result."""
        return [self._row(version, language) for version, language in self._numbers]

    def _row(self, version: str, language: str) -> list[int]:
        """For each edition, the index of the first filters that allow it; the last filters allow every edition."""
        filters_in_order = self._scopes.filters(ReaderContext(self._site, version or None, language or None))
        return [
            next(
                position for position, filters in enumerate(filters_in_order) if filters.allow(self._site, *edition, "")
            )
            for edition in self._numbers
        ]


def _plain_address(page: str) -> str:
    """A page address without `index.html`, extension and final slash, as `plainPage` of the widget makes it."""
    return re.sub(r"\.html?$|/$", "", re.sub(r"(^|/)index\.html?$", "", page))


def _run_starts(numbered_items: Iterable[tuple[Number, int]]) -> list[tuple[Number, int]]:
    """The first item of each run of items with the same number."""
    return [next(run) for _, run in groupby(numbered_items, key=itemgetter(1))]
