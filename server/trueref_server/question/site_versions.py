"""The versions of the docs in an index, and the version that is meant if a reader names none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from trueref_core.records import Page, Site
from trueref_core.text.version_names import RELEASED, UNRELEASED, current_version

Edition = tuple[str, str]
"""A site and a version; "" for pages that belong to no version, or to all."""


class Editions:
    """The versions of the documentations in an index.

    Sites that differ in nothing but their version are one documentation: `https://docs.example/1.0/` and
    `https://docs.example/2.0/`, or the names `guide-1.0` and `guide-2.0`. So is a site with a version whose address is
    theirs without the version: `https://docs.example/`.

    Args:
        sites: The sites of the index.
        pages: Their pages.
    """

    def __init__(self, sites: Iterable[Site], pages: Iterable[Page]) -> None:
        pages_of: dict[str, dict[str, list[Page]]] = defaultdict(lambda: defaultdict(list))
        for page in pages:
            pages_of[page.site][page.version].append(page)
        site_of = {site.name: site for site in sites}
        self._documentation = _documentations(site_of.values(), pages_of)
        self._editions: dict[str, set[Edition]] = defaultdict(set)
        self._shown_versions: dict[str, str] = {}
        """By documentation: the version that its own addresses present as the current one."""
        for site, name in self._documentation.items():
            self._editions[name] |= {(site, version) for version in pages_of[site]}
            pages_by_version = {version: of_version for version, of_version in pages_of[site].items() if version}
            # If the sites at `docs.example/1.0/` and `docs.example/2.0/` are two versions, the site at `docs.example/`
            # has the current one. Within one site, the pages without a version in their address are of the current
            # version in the same way.
            is_root_of_versions = name in (site_of[site].base_url, site) and len(pages_by_version) == 1
            shown_version = next(iter(pages_by_version)) if is_root_of_versions else _shown_version(pages_by_version)
            if shown_version is not None:
                self._shown_versions.setdefault(name, shown_version)

    @property
    def are_several(self) -> bool:
        """Whether any documentation has more than one version."""
        return any(len(_version_names(editions)) > 1 for editions in self._editions.values())

    def version_for(self, site: str | None, reader_version: str | None) -> str:
        """The version that a reader of a site means: the version of the reader if it exists, else the current one.

        Args:
            site: The site the reader is on; None if that is not known.
            reader_version: The version of the reader's page, or the version that the reader named.
        """
        name = self._documentation.get(site or "")
        editions = self._editions[name] if name is not None else set[Edition]().union(*self._editions.values())
        versions = _version_names(editions)
        if reader_version in versions:
            return reader_version or ""
        if name is None and len(self._editions) == 1:
            (name,) = self._editions
        return self._current(name, versions)

    def editions_for(self, site: str | None, reader_version: str | None) -> tuple[Edition, ...]:
        """The editions that are searched for a question.

        They are the reader's version of the reader's documentation, the current version of every other one, and the
        pages that belong to no version. If the reader's version does not exist, the current one takes its place.

        Args:
            site: The site the reader is on; None if that is not known: then the version of every documentation that has
                it is searched.
            reader_version: The version of the reader's page, or the version that the reader named.
        """
        reader_documentation = self._documentation.get(site or "")
        meant_editions: set[Edition] = set()
        for name, editions in self._editions.items():
            versions = _version_names(editions)
            has_reader_version = reader_version in versions and (
                reader_documentation is None or name == reader_documentation
            )
            version = reader_version if has_reader_version else self._current(name, versions)
            meant_editions |= {edition for edition in editions if edition[1] in ("", version)}
        return tuple(sorted(meant_editions))

    def _current(self, documentation: str | None, versions: Collection[str]) -> str:
        """The version that is meant when none is named, "" if there is none."""
        # The version that addresses show as current goes before the highest number: questions to a Docusaurus site,
        # whose newest docs are called `current`, were answered from version 1.0.
        shown_version = self._shown_versions.get(documentation or "")
        if shown_version is not None:
            return shown_version
        return current_version(versions) if versions else ""


def _version_names(editions: Iterable[Edition]) -> set[str]:
    """The versions of some editions, without the "" of pages that belong to no version."""
    return {version for _, version in editions if version}


def _shown_version(pages: Mapping[str, Sequence[Page]]) -> str | None:
    """The version that a site with several presents as the current one; None if its addresses do not tell.

    It is the version that an alias such as `latest/` leads to. Else it is the only version without its name in its
    addresses: Docusaurus has it at `docs/`, older ones at `docs/1.0/`, and what is not released yet at `docs/next/`.

    Args:
        pages: The pages of each version.
    """
    if len(pages) < 2:
        return None
    # Aliases are looked at first: readers of a site whose `latest` of mike leads to 1.9 were answered from 2.0.
    for name in RELEASED:
        aliased = {
            version
            for version, of_version in pages.items()
            if any(_is_alias(name, version, page) for page in of_version)
        }
        if len(aliased) == 1:
            return aliased.pop()
    unnamed_versions = [version for version, of_version in pages.items() if not _is_named(version, of_version)]
    return unnamed_versions[0] if len(unnamed_versions) == 1 else None


def _is_alias(name: str, version: str, page: Page) -> bool:
    """Whether a page has a second address with a name such as `latest` instead of its version."""
    segments = page.page.split("/")
    if version not in segments:
        return False
    index = segments.index(version)
    return "/".join((*segments[:index], name, *segments[index + 1 :])) in page.aliases


def _is_named(version: str, pages: Sequence[Page]) -> bool:
    """Whether most pages of a version have its name in their addresses."""
    names_of_version = {version, f"v{version}", version.removeprefix("v")}
    # Docusaurus calls the docs of no release `current`, and has them at `docs/next/`.
    if version in UNRELEASED:
        names_of_version |= UNRELEASED
    # More than half of the pages decide, since a page may be called like a version.
    return sum(not names_of_version.isdisjoint(page.page.split("/")) for page in pages) * 2 > len(pages)


def _documentations(sites: Iterable[Site], versions_of: Mapping[str, Collection[str]]) -> dict[str, str]:
    """By site, a name for its documentation, which all sites that are versions of the same documentation share.

    That name is the address or the name of the site, without the version.

    Args:
        sites: All sites.
        versions_of: By site, the versions of its pages.
    """
    unversioned_by_site = {site.name: (site, _without_version(site, versions_of[site.name])) for site in sites}
    shared_names = {unversioned for _, unversioned in unversioned_by_site.values() if unversioned is not None}
    documentations: dict[str, str] = {}
    for name, (site, unversioned) in unversioned_by_site.items():
        has_one_version = unversioned is None and len({version for version in versions_of[name] if version}) == 1
        shared_by_others = next(
            (own_name for own_name in (site.base_url, name) if has_one_version and own_name in shared_names), None
        )
        documentations[name] = unversioned or shared_by_others or name
    return documentations


def _without_version(site: Site, versions: Collection[str]) -> str | None:
    """The address of a site without its version; else the name of the site without its version.

    None if the site has several versions or none, and if neither the address nor the name has the version in it.
    """
    names = {version for version in versions if version}
    if len(names) != 1:
        return None
    (version,) = names
    forms = {version, f"v{version}", version.removeprefix("v")}
    if site.base_url is not None:
        segments = [segment for segment in site.base_url.split("/") if segment not in forms]
        if len(segments) < site.base_url.count("/") + 1:
            return "/".join(segments)
    versions_at_end = (form for form in sorted(forms, key=len, reverse=True) if site.name.endswith(form))
    unversioned_name = site.name.removesuffix(next(versions_at_end, "")).rstrip("-_ .@/")
    return unversioned_name if unversioned_name and unversioned_name != site.name else None
