"""The versions and languages that are searched: the reader's first, and others if these have nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_core.tables.filters import Filters
from trueref_core.text.word_forms import language_of
from trueref_server.question.site_versions import Editions
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Page
    from trueref_server.records import Hit, Question

NO_TOPIC: Final = ("landing", "redirect", "changelog")
"""Kinds of pages whose titles do not tell the topic of a question that is asked from them."""


@dataclass(frozen=True, slots=True)
class ReaderContext:
    """The site, version and language that a question is asked from, each None if it is not known.

    `page` is the address of the reader's page, and `topic` is that page if its title may be shown and tells its topic.
    """

    site: str | None
    version: str | None
    language: str | None
    page: str | None = None
    topic: Page | None = None


class Scopes:
    """The versions and languages of one generation, to which questions can be restricted.

    Args:
        manifest: The manifest of the generation.
    """

    def __init__(self, manifest: Manifest) -> None:
        # No reader is answered from a redirect or a hidden page. A version or language that only such pages have would
        # be a scope in which nothing can be found.
        pages = [page for page in manifest.pages() if page.kind != "redirect" and not page.hidden]
        self._manifest = manifest
        self._editions = Editions(manifest.sites, pages)
        self._languages = frozenset(page.language for page in pages)

    def reader(self, question: Question) -> ReaderContext:
        """Where the reader is. The version and language of the question take precedence over those of the page."""
        pages = [] if question.page is None else self._pages_at(question.page, question.version)
        if not pages:
            return ReaderContext(None, question.version, question.language)
        page = pages[0]
        version, language = question.version or page.version or None, question.language or page.language or None
        return ReaderContext(page.site, version, language, page.page, self._topic(pages))

    def filters(self, reader: ReaderContext) -> list[Filters]:
        """The filters to search with, in this order, until something is found.

        Another language of the reader's version comes before another version: what it says holds for the reader's
        version.
        """
        languages = self._searched_languages(reader.language)
        editions = self._editions.editions_for(reader.site, reader.version) if self._editions.are_several else None
        scopes = [Filters(editions, languages), Filters(editions), Filters(languages=languages), Filters()]
        return list(dict.fromkeys(scopes))

    def site_language(self, reader: ReaderContext) -> str:
        """The language of the reader's site; if that site is not known, the language of the first site."""
        sites = {site.name: site for site in reversed(self._manifest.sites)}
        site = sites.get(reader.site or "") or next(iter(self._manifest.sites), None)
        return site.language if site is not None else ""

    def note(self, reader: ReaderContext, hits: list[Hit]) -> str:
        """A line for a reader who gets another version or language than asked for; "" if they are those asked for."""
        if not hits:
            return ""
        wording = sentences(reader.language)
        best = hits[0].chunk
        meant_version = self._editions.version_for(reader.site, reader.version)
        if best.version and meant_version and best.version != meant_version and self._editions.are_several:
            return wording["other_version"].format(meant=meant_version, found=best.version)
        if reader.version and best.version and best.version != reader.version and self._editions.are_several:
            return wording["no_version"].format(meant=reader.version, found=best.version)
        languages = self._searched_languages(reader.language)
        if languages is not None and best.language not in languages:
            return wording["other_language"].format(meant=reader.language, found=best.language)
        return ""

    def _searched_languages(self, reader_language: str | None) -> tuple[str, ...] | None:
        """The languages to search for a reader, with "" for pages that name no language; None to search all.

        These are the reader's language if the index has it, else its other regional forms: `pt-PT` for `pt-BR`. All
        languages are searched if the reader's language is not known, if no page is in it, or if the index has one
        language only.
        """
        regional_forms = {
            language
            for language in self._languages
            if language and reader_language and language_of(language) == language_of(reader_language)
        }
        if not regional_forms or len(self._languages) == 1:
            return None
        # If the index has no `pt-BR`, any Portuguese serves the reader better than another language.
        exact = {language for language in regional_forms if language.lower() == (reader_language or "").lower()}
        return tuple(sorted({"", *(exact or regional_forms)}))

    def _pages_at(self, address: str, version: str | None) -> list[Page]:
        """The page at an address in each site that has one; only those of `version` if there are any."""
        address = address.partition("#")[0].partition("?")[0]
        names = [site.name for site in self._manifest.sites]
        page_by_site = [
            self._manifest.page(address, name) or self._manifest.page_by_alias(address, name) for name in names
        ]
        pages = [page for page in page_by_site if page is not None]
        return [page for page in pages if page.version == version] or pages

    def _topic(self, pages: list[Page]) -> Page | None:
        """The page whose title tells the topic of a question; None if pages have different titles or none tells it.

        The title of a draft or a hidden page may not be shown, and the title of a landing page or a site is no topic.
        """
        titles = {page.title for page in pages}
        page = pages[0]
        if len(titles) > 1 or page.hidden or page.draft or page.kind in NO_TOPIC:
            return None
        return None if page.title in {"", page.site} else page
