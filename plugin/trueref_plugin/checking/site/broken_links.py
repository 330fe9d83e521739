"""Decides which links of a built site do not land."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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
from trueref_plugin.checking.path_kinds import names_page
from trueref_plugin.checking.site.built_site import WalkedSite

# Most links go up some folders, down others, and name an id. They have no encoded characters, no host, and no dot
# segments in the middle, so that joining strings gives their address.
_SIMPLE: Final = re.compile(
    r"((?:\.\./)*+)((?:[A-Za-z0-9_~-][\w.~-]*+/)*+(?:[A-Za-z0-9_~-][\w.~-]*+)?+)(?:#([\w.:~+=-]*+))?+", re.ASCII
)

_HOST: Final = re.compile(r"\s*(?:[A-Za-z][A-Za-z0-9+.\-]*:|//)")
"""Matches a link with a scheme or a host, to which `<base href>` does not apply."""

LinkVerdict = FindingKind | SkipKind | Literal["lands"]


@dataclass(frozen=True, slots=True)
class BrokenLink:
    """A link of a page that does not land, as written there.

    `base` is the page that its relative links count from, which `<base href>` may change. `is_file` is true if the link
    is in an element that loads a file.
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
        self._unlisted = tuple(file for file, _ in walked.refused if file.endswith("/"))
        self._existing_files = 0
        self.leaving: list[BrokenLink] = []
        """Links that lead out of the folder of the site; filled by `broken`. Another site may be there, so that only
        the Markdown can show that the author meant a file beside the source."""
        self.checked = 0
        self.skipped: Counter[SkipKind] = Counter()

    @property
    def manifest(self) -> Manifest:
        """The manifest. It is made when a link needs more than a look-up of its address, which is rare."""
        return self._manifest_of_all or self._walked.manifest

    def lack_all_files(self, broken: Iterable[BrokenLink]) -> bool:
        """Whether the folder is a copy without files: the pages load some from it, and none that they link to exists.

        `broken` has the links that `broken` found.
        """
        if self._existing_files > 0 or any(page.kind == "pdf" for page in self._walked.pages):
            return False
        # Pages that load nothing look the same in a copy and in the whole site.
        return any(item.is_file and item.kind == "missing-file" for item in broken)

    def broken(self) -> Iterator[BrokenLink]:
        """Every link that does not land, once for each page that has it."""
        for page in self._walked.pages:
            page_links = self._walked.links[page.page]
            base = self._base_page(page, page_links.base)
            for links, is_file in ((page_links.links, False), (page_links.files, True)):
                counted_from_here = links if base is not None else list(filter(_HOST.match, links))
                self.skipped["other-site"] += len(links) - len(counted_from_here)
                start = page.page if base is None else base
                yield from self._broken_on_page(page.page, start, counted_from_here, is_file=is_file)

    def _broken_on_page(self, page: str, base: str, links: Sequence[str], *, is_file: bool) -> Iterator[BrokenLink]:
        """The links of one page that do not land.

        Most links are simple. For these a look-up in a set of ids is enough, so that no manifest has to be made.
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
            verdict = self._verdict_on(base, link, is_file=is_file)
            if link.startswith("../") and verdict in ("lands", "outside") and _leaves_site(base, link):
                self.leaving.append(
                    BrokenLink("missing-file" if is_file else "missing-page", page, base, link, is_file)
                )
            if _is_skip(verdict):
                self.skipped[verdict] += 1
                continue
            self.checked += 1
            if _is_finding(verdict):
                yield BrokenLink(verdict, page, base, link, is_file)

    def _verdict_on(self, base: str, link: str, *, is_file: bool) -> LinkVerdict:
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
        is_page = names_page(target.path) and not is_file
        if target.site.name != self._walked.site.name:
            # The manifest of another site lists no files, so only its pages can be known to be missing.
            return "missing-page" if is_page else "other-site"
        if self._has_file(target.path):
            self._existing_files += is_file or not is_page
            return "lands"
        return "missing-page" if is_page else "missing-file"

    def _is_error_page(self, path: str) -> bool:
        """Whether a path leads to the error page of the site."""
        # Docusaurus with trailing slashes links its 404.html to `404/` and `fr/404/`. There is no such page, but hosts
        # show the error page for any missing address, so that these links still lead to it.
        bare_path = path.rstrip("/").removesuffix(".html")
        return bare_path.rpartition("/")[2] == "404" and f"{bare_path}.html" in self._walked.files

    def _has_file(self, path: str) -> bool:
        """Whether the site has a file that hosts show for a path."""
        # Nobody knows what is in a folder that could not be listed. The report names the folder itself.
        if path.startswith(self._unlisted):
            return True
        # Files are compared and not pages, because a page that could not be read exists too.
        forms = (path, f"{path}index.html", f"{path}/index.html", f"{path}.html")
        if not self._walked.files.isdisjoint(forms):
            return True
        # Folders behind symbolic links are deployed. But they were not walked, because such links may form a circle.
        on_disk = self._walked.folder / path
        is_behind_link = any(
            (self._walked.folder / parent).is_symlink() for parent in (path, *map(str, PurePosixPath(path).parents))
        )
        return is_behind_link and (on_disk.is_file() or (on_disk / "index.html").is_file())

    def _base_page(self, page: Page, base: str) -> str | None:
        """The page that relative links count from: this one or that of `<base href>`; None if it is in another site."""
        if not base:
            return page.page
        target = read_target(self.manifest, base, ResolveContext(self._walked.site.name, page.page))
        if isinstance(target, Reference) or target.site is None or target.site.name != self._walked.site.name:
            return None
        return target.path


def _is_skip(verdict: LinkVerdict) -> TypeGuard[SkipKind]:
    """Whether the verdict is a reason why a link was not checked."""
    return verdict in SKIPPED


def _is_finding(verdict: LinkVerdict) -> TypeGuard[FindingKind]:
    """Whether the verdict is that a link does not land."""
    return verdict in KINDS


def _folders(page: str) -> list[str]:
    """The folder of a page and the folders above: `a/b/`, `a/` and the root, both for `a/b/` and for `a/b/c.html`."""
    parts = page.split("/")[:-1]
    return ["".join(f"{part}/" for part in parts[:count]) for count in range(len(parts), -1, -1)]


def _leaves_site(page: str, link: str) -> bool:
    """Whether a link leads to a file outside of the site. Links to folders do not count: these may be other sites."""
    path = link.partition("#")[0].partition("?")[0]
    return join_page(page, path) is None and not path.endswith("/")
