"""The order in which versions and languages answer a reader without a server: as a server would search them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, TypeVar

from trueref_server.question.scope import Reader, Scopes

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Chunk

Number = TypeVar("Number", str, int)


class StaticEditions:
    """The editions of a site: its versions in each of its languages, each with a number. 0 is for readers of no page.

    Args:
        manifest: Of the index.
        site: Name of the site.
    """

    def __init__(self, manifest: Manifest, site: str) -> None:
        self._site = site
        self._scopes = Scopes(manifest)
        pages = [page for page in manifest.pages() if page.site == site]
        self._pages = sorted((_plain(page.page), (page.version, page.language)) for page in pages)
        language = self._scopes.site_language(Reader(site, None, None))
        # The root of a site need not be a page of it: a single-page application shows other pages there.
        editions = [("", language), *sorted({edition for _, edition in self._pages})]
        self._numbers = {edition: number for number, edition in enumerate(dict.fromkeys(editions))}

    def readers(self) -> list[tuple[str, int]]:
        """Where each run of pages begins, in the order of their addresses, and the number of their edition.

        All pages of the site count, also those that are never cited: a reader asks from them.
        """
        return _runs([("", 0), *((page, self._numbers[edition]) for page, edition in self._pages)])

    def of_sections(self, sections: Sequence[Sequence[Chunk]]) -> list[tuple[int, int]]:
        """The same for sections by their numbers."""
        firsts = [chunks[0] for chunks in sections]
        return _runs(enumerate(self._numbers[chunk.version, chunk.language] for chunk in firsts))

    def order(self) -> list[list[int]]:
        """For readers of each edition, how late each edition is searched: the first one with a result is shown."""
        return [self._row(version, language) for version, language in self._numbers]

    def _row(self, version: str, language: str) -> list[int]:
        """For each edition, the position of the first filters that allow it; the last filters allow every edition."""
        tried = self._scopes.filters(Reader(self._site, version or None, language or None))
        return [
            next(position for position, filters in enumerate(tried) if filters.allow(self._site, *edition, ""))
            for edition in self._numbers
        ]


def _plain(page: str) -> str:
    """The address without what its spellings differ in, by the same rule as `plainPage` of the widget."""
    return re.sub(r"\.html?$|/$", "", re.sub(r"(^|/)index\.html?$", "", page))


def _runs(numbered: Iterable[tuple[Number, int]]) -> list[tuple[Number, int]]:
    """The first item of each run of items with the same number."""
    return [next(run) for _, run in groupby(numbered, key=itemgetter(1))]
