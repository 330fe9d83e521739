"""Which versions and languages a question is asked of: the reader's first, and others where these have nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_core.tables.filters import Filters
from trueref_server.question.site_versions import Editions

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Page
    from trueref_server.records import Hit, Question
from trueref_server.wording import sentences

NO_TOPIC: Final = ("landing", "redirect", "changelog")
"""Kinds of pages whose titles say nothing of what is asked from them."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Where a reader is: the site, and the version and language of the page, each None where that is not known.

    `page` is its address, and `topic` the page itself where its title may be told and says what it is about.
    """

    site: str | None
    version: str | None
    language: str | None
    page: str | None = None
    topic: Page | None = None


class Scopes:
    """What the questions to one generation can be restricted to.

    Args:
        manifest: Of the generation.
    """

    def __init__(self, manifest: Manifest) -> None:
        pages = [page for page in manifest.pages() if page.kind != "redirect" and not page.hidden]
        self._manifest = manifest
        self._editions = Editions(manifest.sites, pages)
        self._languages = frozenset(page.language for page in pages)

    def reader(self, question: Question) -> Reader:
        """Where the reader is; what the question names itself goes before what its page says."""
        pages = [] if question.page is None else self._pages_at(question.page, question.version)
        if not pages:
            return Reader(None, question.version, question.language)
        page = pages[0]
        version, language = question.version or page.version or None, question.language or page.language or None
        return Reader(page.site, version, language, page.page, self._topic(pages))

    def filters(self, reader: Reader) -> list[Filters]:
        """What to search, in this order, until something is found: other languages come before other versions."""
        languages = self._languages_for(reader.language)
        editions = self._editions.meant(reader.site, reader.version) if self._editions.are_several else None
        tried = [Filters(editions, languages), Filters(editions), Filters(languages=languages), Filters()]
        return list(dict.fromkeys(tried))

    def site_language(self, reader: Reader) -> str:
        """The language of the reader's site, of the first one where that is not known."""
        sites = {site.name: site for site in reversed(self._manifest.sites)}
        known = sites.get(reader.site or "") or next(iter(self._manifest.sites), None)
        return known.language if known is not None else ""

    def note(self, reader: Reader, hits: list[Hit]) -> str:
        """A line for a reader who gets another version or language than asked for; "" for what was asked for."""
        if not hits:
            return ""
        said = sentences(reader.language)
        best = hits[0].chunk
        meant = self._editions.version_for(reader.site, reader.version)
        if best.version and meant and best.version != meant and self._editions.are_several:
            return said["other_version"].format(meant=meant, found=best.version)
        if reader.version and best.version and best.version != reader.version and self._editions.are_several:
            return said["no_version"].format(meant=reader.version, found=best.version)
        languages = self._languages_for(reader.language)
        if languages is not None and best.language not in languages:
            return said["other_language"].format(meant=reader.language, found=best.language)
        return ""

    def _languages_for(self, asked: str | None) -> tuple[str, ...] | None:
        """The languages of the index that a reader of one reads, and pages that name none; None for any."""
        own = {known for known in self._languages if known and asked and _primary(known) == _primary(asked)}
        if not own or len(self._languages) == 1:
            return None
        exact = {known for known in own if known.lower() == (asked or "").lower()}
        return tuple(sorted({"", *(exact or own)}))

    def _pages_at(self, address: str, version: str | None) -> list[Page]:
        """The pages at an address, of each site that has one; those of the version where there are any."""
        address = address.partition("#")[0].partition("?")[0]
        names = [site.name for site in self._manifest.sites]
        found = [self._manifest.page(address, name) or self._manifest.page_by_alias(address, name) for name in names]
        pages = [page for page in found if page is not None]
        return [page for page in pages if page.version == version] or pages

    def _topic(self, pages: list[Page]) -> Page | None:
        """The first of some pages, None where they do not tell one topic.

        Of a draft or a hidden page nothing may be told, and the title of a root page or of a site is no topic.
        """
        titles = {page.title for page in pages}
        page = pages[0]
        if len(titles) > 1 or page.hidden or page.draft or page.kind in NO_TOPIC:
            return None
        return None if page.title in {"", page.site} else page


def _primary(language: str) -> str:
    return language.lower().replace("_", "-").partition("-")[0]
