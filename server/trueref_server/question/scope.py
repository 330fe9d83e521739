"""Which versions and languages a question is asked of: the reader's first, and others where these have nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from trueref_core.tables.filters import Filters
from trueref_server.question.site_versions import Editions
from trueref_server.wording import sentences

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest
    from trueref_core.records import Page
    from trueref_server.records import Hit, Question

NO_TOPIC: Final = ("landing", "redirect", "changelog")
"""Kinds of pages whose titles say nothing of what is asked from them."""


@dataclass(frozen=True, slots=True)
class Reader:
    """The site, version and language that a question is asked from, each None where that is not known.

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
        # No reader is answered from a redirect or a hidden page: a version or language that only these have is none to
        # ask for.
        pages = [page for page in manifest.pages() if page.kind != "redirect" and not page.hidden]
        self._manifest = manifest
        self._editions = Editions(manifest.sites, pages)
        self._languages = frozenset(page.language for page in pages)

    def reader(self, question: Question) -> Reader:
        """Where the reader is; a version or language that the question names goes before that of the reader's page."""
        pages = [] if question.page is None else self._pages_at(question.page, question.version)
        if not pages:
            return Reader(None, question.version, question.language)
        page = pages[0]
        version, language = question.version or page.version or None, question.language or page.language or None
        return Reader(page.site, version, language, page.page, self._topic(pages))

    def filters(self, reader: Reader) -> list[Filters]:
        """What to search, in this order, until something is found.

        Another language of the reader's version comes before another version: what it says is true there.
        """
        languages = self._languages_for(reader.language)
        editions = self._editions.meant(reader.site, reader.version) if self._editions.are_several else None
        tried = [Filters(editions, languages), Filters(editions), Filters(languages=languages), Filters()]
        return list(dict.fromkeys(tried))

    def site_language(self, reader: Reader) -> str:
        """The language of the reader's site, of the first one where that is not known."""
        sites = {site.name: site for site in reversed(self._manifest.sites)}
        site = sites.get(reader.site or "") or next(iter(self._manifest.sites), None)
        return site.language if site is not None else ""

    def note(self, reader: Reader, hits: list[Hit]) -> str:
        """A line for a reader who gets another version or language than asked for; "" for what was asked for."""
        if not hits:
            return ""
        wording = sentences(reader.language)
        best = hits[0].chunk
        meant = self._editions.version_for(reader.site, reader.version)
        if best.version and meant and best.version != meant and self._editions.are_several:
            return wording["other_version"].format(meant=meant, found=best.version)
        if reader.version and best.version and best.version != reader.version and self._editions.are_several:
            return wording["no_version"].format(meant=reader.version, found=best.version)
        languages = self._languages_for(reader.language)
        if languages is not None and best.language not in languages:
            return wording["other_language"].format(meant=reader.language, found=best.language)
        return ""

    def _languages_for(self, wanted: str | None) -> tuple[str, ...] | None:
        """The languages of the index that somebody reads who wants this one, and "" for pages that name none.

        None for any language: where it is not known what the reader wants, or nothing is in it.
        """
        related = {
            language for language in self._languages if language and wanted and _primary(language) == _primary(wanted)
        }
        if not related or len(self._languages) == 1:
            return None
        # `pt-BR` where the index has it; else any Portuguese is better than another language.
        exact = {language for language in related if language.lower() == (wanted or "").lower()}
        return tuple(sorted({"", *(exact or related)}))

    def _pages_at(self, address: str, version: str | None) -> list[Page]:
        """The pages at an address, of each site that has it; those of the version where there are any."""
        address = address.partition("#")[0].partition("?")[0]
        names = [site.name for site in self._manifest.sites]
        of_sites = [self._manifest.page(address, name) or self._manifest.page_by_alias(address, name) for name in names]
        pages = [page for page in of_sites if page is not None]
        return [page for page in pages if page.version == version] or pages

    def _topic(self, pages: list[Page]) -> Page | None:
        """The page whose title says what is talked about; None where several pages differ in it, or it says nothing.

        Nothing of a draft or a hidden page may be shown, and the title of a root page or of a site is no topic.
        """
        titles = {page.title for page in pages}
        page = pages[0]
        if len(titles) > 1 or page.hidden or page.draft or page.kind in NO_TOPIC:
            return None
        return None if page.title in {"", page.site} else page


def _primary(language: str) -> str:
    """The language of a tag without its region: `pt` of `pt-BR`."""
    return language.lower().replace("_", "-").partition("-")[0]
