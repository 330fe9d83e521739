"""Decides which links of a built site do not land."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final, Literal, TypeGuard
from urllib.parse import urlsplit

from trueref_core.addresses import host_of, join_page
from trueref_core.links.link_target import SCHEME, WEB_SCHEMES, read_target
from trueref_core.links.resolve import ResolveContext
from trueref_core.links.target_lookup import landing_at
from trueref_core.manifest.lookup import Manifest
from trueref_core.records import Page, Reference
from trueref_plugin.checking.findings import KINDS, SKIPPED, FindingKind, SkipKind
from trueref_plugin.checking.site.built_site import WalkedSite

# Most links climb some folders, go down others, and name an id. Nothing in them is encoded, and they have no host and
# no dot segments in the middle, so that joining strings gives their address.
_SIMPLE: Final = re.compile(
    r"((?:\.\./)*+)((?:[A-Za-z0-9_~-][\w.~-]*+/)*+(?:[A-Za-z0-9_~-][\w.~-]*+)?+)(?:#([\w.:~+=-]*+))?+", re.ASCII
)

LinkVerdict = FindingKind | SkipKind | Literal["lands"]

_PAGE_SUFFIXES: Final = frozenset(("", ".html", ".htm", ".md", ".mdx"))


@dataclass(frozen=True, slots=True)
class Broken:
    """A link of a page that does not land, as written there.

    `base` is the page that its relative links count from, which `<base href>` may change. `is_file`: the link is of an
    element that loads a file.
    """

    kind: FindingKind
    page: str
    base: str
    link: str
    is_file: bool


class SiteLinks:
    """Decides about the links of a walked site.

    Args:
        walked: The site.
        manifest: The manifest of the site, merged with those of other sites that links may lead to; None for the site
            alone.
    """

    def __init__(self, walked: WalkedSite, manifest: Manifest | None = None) -> None:
        self._walked = walked
        self._manifest_of_all = manifest
        sites = manifest.sites if manifest else (walked.site,)
        self._hosts = {urlsplit(site.base_url).hostname for site in sites if site.base_url}
        self._loaded = 0
        self.leaving: list[Broken] = []
        """Links that climb out of the folder; filled by `broken`. There may be another site, so only the Markdown can
        show that a file beside the source was meant."""
        self.checked = 0
        self.skipped: Counter[SkipKind] = Counter()

    @property
    def manifest(self) -> Manifest:
        """The manifest, made when the first link needs more than a look-up of its address: on most sites none does."""
        return self._manifest_of_all or self._walked.manifest

    @property
    def has_files(self) -> bool:
        """Whether any file that the pages load exists. If none does, this is a copy of the pages without the files."""
        return self._loaded > 0 or any(page.kind == "pdf" for page in self._walked.pages)

    def broken(self) -> Iterator[Broken]:
        """Every link that does not land, once for each page."""
        for page in self._walked.pages:
            page_links = self._walked.links[page.page]
            base = self._base(page, page_links.base)
            if base is not None:
                yield from self._of_page(page.page, base, page_links.links, is_file=False)
                yield from self._of_page(page.page, base, page_links.files, is_file=True)

    def _of_page(self, page: str, base: str, links: Sequence[str], *, is_file: bool) -> Iterator[Broken]:
        """The links of one page that do not land.

        Most links are simple: for these a look-up in a set of ids is enough, and no manifest has to be made.
        """
        folders = _folders(base)
        ids = self._walked.ids
        for link in links:
            simple = None if is_file else _SIMPLE.fullmatch(link)
            if simple is not None:
                climb, path, fragment = simple.groups()
                level = len(climb) // 3
                address = folders[level] + path if level < len(folders) else None
                target_ids = ids.get(base if not climb and not path else address or "\0")
                if target_ids is not None and (not fragment or fragment in target_ids):
                    self.checked += 1
                    continue
            verdict = self._decide(base, link, is_file=is_file)
            if link.startswith("../") and verdict in ("lands", "outside") and _leaves(base, link):
                self.leaving.append(Broken("missing-file" if is_file else "missing-page", page, base, link, is_file))
            if _is_skip(verdict):
                self.skipped[verdict] += 1
                continue
            self.checked += 1
            if _is_finding(verdict):
                yield Broken(verdict, page, base, link, is_file)

    def _decide(self, base: str, link: str, *, is_file: bool) -> LinkVerdict:
        """The verdict of the manifest on a link, or of the files on disk if it knows no such page."""
        scheme = SCHEME.match(link.lstrip())
        if scheme and scheme[1].lower() not in WEB_SCHEMES:
            return "other-scheme"
        if (scheme or link.startswith("//")) and host_of(link) not in self._hosts:
            return "other-site"
        target = read_target(self.manifest, link, ResolveContext(self._walked.site.name, base))
        landing = landing_at(self.manifest, target)
        if landing == "page-top":
            return "lands" if is_file else "missing-anchor"
        if landing != "nothing":
            return "outside" if landing == "outside" else "lands"
        assert not isinstance(target, Reference)
        assert target.site is not None
        assert target.path is not None
        if self._is_error_page(base) and self._is_error_page(target.path):
            return "lands"
        is_page = PurePosixPath(target.path).suffix.lower() in _PAGE_SUFFIXES and not is_file
        if target.site.name != self._walked.site.name:
            # The manifest of another site lists no files, so only its pages can be known to be missing.
            return "missing-page" if is_page else "other-site"
        if self._has_file(target.path):
            self._loaded += is_file or not is_page
            return "lands"
        return "missing-page" if is_page else "missing-file"

    def _is_error_page(self, path: str) -> bool:
        """Whether a path leads to the error page of the site."""
        # Docusaurus with trailing slashes links its 404.html to `404/` and `fr/404/`. There is no such page, but for a
        # missing address hosts show the error page, which is the one that is linked.
        plain = path.rstrip("/").removesuffix(".html")
        return plain.rpartition("/")[2] == "404" and f"{plain}.html" in self._walked.files

    def _has_file(self, path: str) -> bool:
        """Whether the site has a file for a path, in one of the forms in which hosts show it."""
        # Files are compared and not pages: a page that could not be read exists all the same.
        forms = (path, f"{path}index.html", f"{path}/index.html", f"{path}.html")
        if not self._walked.files.isdisjoint(forms):
            return True
        # Folders behind symbolic links are deployed, but not walked, since they may lead in circles.
        on_disk = self._walked.folder / path
        has_link = any(
            (self._walked.folder / parent).is_symlink() for parent in (path, *map(str, PurePosixPath(path).parents))
        )
        return has_link and (on_disk.is_file() or (on_disk / "index.html").is_file())

    def _base(self, page: Page, base: str) -> str | None:
        """The page that relative links count from: this one or that of `<base href>`; None if it is in another site."""
        if not base:
            return page.page
        target = read_target(self.manifest, base, ResolveContext(self._walked.site.name, page.page))
        if isinstance(target, Reference) or target.site is None or target.site.name != self._walked.site.name:
            return None
        return target.path


def _is_skip(verdict: LinkVerdict) -> TypeGuard[SkipKind]:
    return verdict in SKIPPED


def _is_finding(verdict: LinkVerdict) -> TypeGuard[FindingKind]:
    return verdict in KINDS


def _folders(page: str) -> list[str]:
    """The folder of a page and those above it: `a/b/`, `a/` and the root for `a/b/` and for `a/b/c.html`."""
    parts = page.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:count]) for count in range(len(parts), -1, -1)]


def _leaves(page: str, link: str) -> bool:
    """Whether a link climbs out of the site to a file. A folder there may be another site."""
    path = link.partition("#")[0].partition("?")[0]
    return join_page(page, path) is None and not path.endswith("/")
