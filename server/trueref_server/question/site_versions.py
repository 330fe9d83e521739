"""Which versions of a documentation an index holds, and which of them a reader means who names none."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from trueref_core.records import Page, Site

Edition = tuple[str, str]
"""A site and a version; "" for pages that belong to no version, or to all."""

UNRELEASED: Final = frozenset(
    (
        *("canary", "current", "dev", "devel", "develop", "development", "edge", "head", "main", "master"),
        *("next", "nightly", "snapshot", "trunk", "unreleased"),
    )
)
"""Names that generators and projects give to what is still being written. Docusaurus calls it `current`."""

RELEASED: Final = ("stable", "latest", "release")
"""Names of the version that is meant when none is named, as mike and Read the Docs give them; the first counts most."""

_NUMBERS: Final = re.compile(r"v?(\d{1,9}(?:\.\d{1,9}){0,7})(?:\.x)?(.{0,40})", re.DOTALL)
_FINAL: Final = re.compile(r"(?:[.+-]?(?:final|post|lts|x)[.\d]*)?", re.IGNORECASE)


def current_version(versions: Collection[str]) -> str:
    """The version that is meant when none is named: a stable one before an unreleased one, then the highest number.

    Args:
        versions: At least one name, such as `2.1`, `v2`, `next` or `stable`.
    """
    return max(sorted(versions), key=_rank)


def _rank(version: str) -> tuple[int, tuple[int, ...], int]:
    name = version.lower()
    if name in RELEASED:
        return 4, (), -RELEASED.index(name)
    if name in UNRELEASED:
        return 1, (), 0
    numbers = _NUMBERS.fullmatch(name)
    if numbers is None:
        return 2, (), 0
    parts = tuple(map(int, numbers[1].split(".")))
    # A release candidate of 3.0 is not what a reader of 2.9 has.
    return 3 if _FINAL.fullmatch(numbers[2]) else 2, parts, 0


class Editions:
    """The versions of the documentations in an index.

    Sites that differ in nothing but their version are one documentation: `https://docs.example/1.0/` and
    `https://docs.example/2.0/`, or the names `guide-1.0` and `guide-2.0`. So is one with a version that stands where
    theirs is left out: `https://docs.example/`.

    Args:
        sites: The sites of the index.
        pages: Their pages.
    """

    def __init__(self, sites: Iterable[Site], pages: Iterable[Page]) -> None:
        known: dict[str, dict[str, list[Page]]] = defaultdict(lambda: defaultdict(list))
        for page in pages:
            known[page.site][page.version].append(page)
        given = {site.name: site for site in sites}
        self._documentation = _documentations(given.values(), known)
        self._editions: dict[str, set[Edition]] = defaultdict(set)
        self._shown: dict[str, str] = {}
        """By documentation: the version that its own addresses present as the current one."""
        for site, name in self._documentation.items():
            self._editions[name] |= {(site, version) for version in known[site]}
            named = {version: held for version, held in known[site].items() if version}
            # A site where the address of the others leaves their version out is the current one, as in one site.
            is_around = name in (given[site].base_url, site) and len(named) == 1
            shown = next(iter(named)) if is_around else _shown_version(named)
            if shown is not None:
                self._shown.setdefault(name, shown)

    @property
    def are_several(self) -> bool:
        """Whether any documentation has more than one version."""
        return any(len(_named(editions)) > 1 for editions in self._editions.values())

    def version_for(self, site: str | None, asked: str | None) -> str:
        """The version that a reader of a site means: the one asked for where there is it, else the current one.

        Args:
            site: The site the reader is on; None where that is not known.
            asked: The version of the reader's page, or the one the reader named.
        """
        name = self._documentation.get(site or "")
        editions = self._editions[name] if name is not None else {e for es in self._editions.values() for e in es}
        versions = _named(editions)
        if asked in versions:
            return asked or ""
        if name is None and len(self._editions) == 1:
            (name,) = self._editions
        return self._current(name, versions)

    def meant(self, site: str | None, asked: str | None) -> tuple[Edition, ...]:
        """The editions that a question is asked of.

        They are the version asked for of the reader's documentation, the current one of every other, and what belongs
        to no version. Where the version is not there, the current one takes its place.

        Args:
            site: The site the reader is on; None where that is not known: then every documentation that has the version
                is asked for it.
            asked: The version of the reader's page, or the one the reader named.
        """
        mine = self._documentation.get(site or "")
        found: set[Edition] = set()
        for name, editions in self._editions.items():
            versions = _named(editions)
            is_asked = asked in versions and (mine is None or name == mine)
            version = asked if is_asked else self._current(name, versions)
            found |= {edition for edition in editions if edition[1] in ("", version)}
        return tuple(sorted(found))

    def _current(self, documentation: str | None, versions: Collection[str]) -> str:
        """The version that is meant when none is named, "" where there is none."""
        shown = self._shown.get(documentation or "")
        if shown is not None:
            return shown
        return current_version(versions) if versions else ""


def _named(editions: Iterable[Edition]) -> set[str]:
    return {version for _, version in editions if version}


def _shown_version(pages: Mapping[str, Sequence[Page]]) -> str | None:
    """The version that a site with several presents as the current one; None where its addresses do not tell.

    It is the one that an alias such as `latest/` leads to. Else it is the only one without its name in its addresses:
    Docusaurus has it at `docs/`, older ones at `docs/1.0/`, and what is not released yet at `docs/next/`.

    Args:
        pages: The pages of each version.
    """
    if len(pages) < 2:
        return None
    for name in RELEASED:
        aliased = {version for version, held in pages.items() if any(_is_alias(name, version, page) for page in held)}
        if len(aliased) == 1:
            return aliased.pop()
    plain = [version for version, held in pages.items() if not _is_named(version, held)]
    return plain[0] if len(plain) == 1 else None


def _is_alias(name: str, version: str, page: Page) -> bool:
    """Whether a page has the address with `latest` in the place of its version too."""
    segments = page.page.split("/")
    if version not in segments:
        return False
    at = segments.index(version)
    return "/".join((*segments[:at], name, *segments[at + 1 :])) in page.aliases


def _is_named(version: str, pages: Sequence[Page]) -> bool:
    """Whether most pages of a version have its name in their addresses."""
    names = {version, f"v{version}", version.removeprefix("v")}
    if version in UNRELEASED:
        names |= UNRELEASED
    return sum(not names.isdisjoint(page.page.split("/")) for page in pages) * 2 > len(pages)


def _documentations(sites: Iterable[Site], known: Mapping[str, Collection[str]]) -> dict[str, str]:
    """By site: what it has in common with those that are other versions of one documentation.

    Args:
        sites: All sites.
        known: The versions of each.
    """
    parts = {site.name: (site, _without_version(site, known[site.name])) for site in sites}
    shared = {part for _, part in parts.values() if part is not None}
    found: dict[str, str] = {}
    for name, (site, part) in parts.items():
        is_one = part is None and len({version for version in known[name] if version}) == 1
        around = next((own for own in (site.base_url, name) if is_one and own in shared), None)
        found[name] = part or around or name
    return found


def _without_version(site: Site, versions: Collection[str]) -> str | None:
    """The address of a site of one version without it, else its name without it; None where neither names it."""
    named = {version for version in versions if version}
    if len(named) != 1:
        return None
    (version,) = named
    forms = {version, f"v{version}", version.removeprefix("v")}
    if site.base_url is not None:
        segments = [segment for segment in site.base_url.split("/") if segment not in forms]
        if len(segments) < site.base_url.count("/") + 1:
            return "/".join(segments)
    ends = (form for form in sorted(forms, key=len, reverse=True) if site.name.endswith(form))
    short = site.name.removesuffix(next(ends, "")).rstrip("-_ .@/")
    return short if short and short != site.name else None
