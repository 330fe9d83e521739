"""The sources of a Docusaurus site: the targets of their links, and which page is made from which file.

No JavaScript of the site is run. The source file of a page is the one that a build named, in the index or in the list
that the plugin leaves in `.docusaurus`. If no build named one, file names, front matter and folders decide, by the
defaults of Docusaurus.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath
from posixpath import dirname, normpath
from typing import Final
from urllib.parse import unquote, urlsplit

from trueref_core.errors import OptionError
from trueref_core.links.link_target import SCHEME
from trueref_core.manifest.lookup import Manifest
from trueref_plugin.checking.markdown.project import DOCUSAURUS_SUFFIXES, Project, relative_link
from trueref_plugin.files.site_files import check_regular_file
from trueref_plugin.sidecar import read_sidecar

SIDECAR: Final = ".docusaurus/docusaurus-plugin-trueref/pages.json"
"""The file in which the plugin leaves the facts of the last build's pages."""

ROOTS: Final = frozenset(("docs", "versioned_docs", "blog", "src", "i18n"))
"""The default folders of sources. Other folders are known from the source files that a build named."""

_MARKDOWN: Final = re.compile(r"\.mdx?\Z", re.IGNORECASE)
"""Matches the suffix of a Markdown file."""

_QUERY_OR_FRAGMENT: Final = re.compile(r"[?#]")
# The rule of `plugin-content-docs` for numbers that order files. `7.0-news` and `2021-11-news` have no such number.
_NUMBERED: Final = re.compile(r"(?!\d++[-_.]\d)\d++\s*+[-_.]++\s*+(?=[^-_.\s])")
_DATED: Final = re.compile(r"(\d{4})[-/](\d{1,2})[-/](\d{1,2})[-/]")
"""Matches the date in the path of a blog post: `2024-05-01-`, or `2024/05/01/`."""

_VERSION_PREFIX: Final = "version-"
"""The beginning of the name of the folder that Docusaurus makes for a version: `versioned_docs/version-1.0`."""

_INDEX_NAMES: Final = ("index", "readme")
_FRONT_MATTER: Final = re.compile(r"---[ \t]*+\n(?:.*\n)*?---[ \t]*+(?:\n|\Z)")
_SLUG_OR_ID: Final = re.compile(r"(slug|id)[ \t]*+:[ \t]*+(?:\"([^\"\n]*+)\"|'([^'\n]*+)'|([^#\n]*+))")


@dataclass(frozen=True)
class DocusaurusProject(Project):
    """The folder of a docusaurus.config.js. Source paths are relative to it.

    `base_path` is the path under which the site is published, with a slash at both ends. `locales` are the folders of
    `i18n` whose pages are in a folder of the same name. `named_sources` are the source files that a build named.
    """

    suffixes: tuple[str, ...] = DOCUSAURUS_SUFFIXES
    keeps_missing: bool = True
    base_path: str = "/"
    locales: frozenset[str] = frozenset()
    named_sources: frozenset[str] = frozenset()

    def with_site(self, manifest: Manifest, site: str | None) -> DocusaurusProject:
        """The project with the base path, the locales and the source files that a manifest has for the site."""
        indexed_site = manifest.site(site) if site is not None else None
        if indexed_site is None:
            return self
        path = urlsplit(indexed_site.base_url).path if indexed_site.base_url else ""
        pages = manifest.pages(indexed_site.name)
        first_folders = {page.page.partition("/")[0] for page in pages if "/" in page.page}
        return replace(
            self,
            base_path=f"/{path.strip('/')}/" if path.strip("/") else "/",
            locales=frozenset(name for name in self._translations if name in first_folders),
            named_sources=frozenset(page.source_path for page in pages if page.source_path),
        )

    def source_of(self, path: Path) -> str | None:
        """The source path of a file; None if the file is in no folder of sources."""
        source = super().source_of(path)
        if source is None or source in self.named_sources:
            return source
        roots = ROOTS | {source_path.partition("/")[0] for source_path in self.named_sources if "/" in source_path}
        return source if source.partition("/")[0] in roots else None

    def page_of(self, source: str) -> str | None:
        """The page that Docusaurus makes from a source file by its defaults; None for a file that others include."""
        return next(self._addresses(source), None)

    def source_of_page_file(self, file: str) -> str:
        """The source file that an HTML file was made from; "" if it is not known."""
        path = PurePosixPath(file)
        bare = path.parent if path.name == "index.html" else path.with_suffix("")
        address = "" if str(bare) == "." else str(bare)
        return self._source_by_file.get(file) or self._source_by_address.get(address, "")

    @property
    def file_folders(self) -> tuple[Path, ...]:
        """The folders that links to files count from: the sources, `static`, and the built site."""
        return (self.docs, self.docs / "static", *([self.site] if self.site else []))

    def resolvable_link(self, source: str, link: str, *, is_raw: bool = False, is_html: bool = False) -> str:
        """A link in a form that a manifest can resolve: files relative to the source, addresses from the root.

        Args:
            source: The source file that has the link.
            link: The link as it is written there.
            is_raw: Whether the link is the value of an attribute. There Docusaurus does not replace the name of a
                Markdown file by the address of its page.
            is_html: Whether the link is in an element of plain HTML. Docusaurus does not put the base path before such
                a link, as its own component `Link` does.
        """
        if link.startswith("pathname:///"):
            return self.base_path + link.removeprefix("pathname:///")
        if SCHEME.match(link) or link.startswith("//"):
            return link
        path, tail = _split(link)
        if _MARKDOWN.search(path) and not is_raw:
            return relative_link(self._markdown_source(source, unquote(path, errors="replace")), source) + tail
        if path.startswith("@site/"):
            return relative_link(unquote(path.removeprefix("@site/"), errors="replace"), source) + tail
        if path.startswith("/") and not is_html and not path.startswith(self._root_of(source)):
            return self._root_of(source) + link.lstrip("/")
        return link

    def target_page(self, page: str, source: str, path: str) -> str:
        """The page that a link of a source file leads to, on one of the pages that are made from this file.

        From a source file without a translation, one page is made for each locale. The links of such a page lead to
        pages of its own locale.
        """
        locale = page.partition("/")[0]
        is_in_locale = locale in self.locales and not source.startswith("i18n/") and not path.startswith(f"{locale}/")
        return f"{locale}/{path}" if is_in_locale else path

    def written_correction(self, source: str, resolvable: str, original: str, correction: str) -> str:
        """A correction in the form in which the author wrote the link: relative, from `@site/` or from the root.

        Args:
            source: The source file that has the link.
            resolvable: The link in the form of `resolvable_link`, for which the correction was made.
            original: The link as it is written in the source file.
            correction: The correction of `resolvable`, in the same form.
        """
        (path, tail), (original_path, _) = _split(correction), _split(original)
        if path == _split(resolvable)[0]:
            return original_path + tail
        if (
            path.startswith("/")
            and original_path.startswith("/")
            and not original_path.startswith(self._root_of(source))
        ):
            return f"/{path.removeprefix(self._root_of(source))}{tail}"
        if not _MARKDOWN.search(path):
            return correction
        target = normpath(f"{dirname(source)}/{path}")
        if original_path.startswith("@site/"):
            return f"@site/{target}{tail}"
        root = _content_root(source)
        if original_path.startswith("/"):
            return f"/{target.removeprefix(f'{root}/')}{tail}"
        return f"./{correction}" if original_path.startswith("./") and not path.startswith(".") else correction

    def _root_of(self, source: str) -> str:
        """The path that addresses with a leading slash count from: the base path, with the locale of the source."""
        return self.base_path + self._locale_of(source)

    def _locale_of(self, source: str) -> str:
        """The folder that the pages of a translated source are in, "" if it is not translated."""
        parts = source.split("/")
        return f"{parts[1]}/" if parts[0] == "i18n" and len(parts) > 1 and parts[1] in self.locales else ""

    def _markdown_source(self, source: str, path: str) -> str:
        """The file that a link to a Markdown file names: the first that exists of those that Docusaurus tries."""
        root = _content_root(source)
        if path.startswith("@site/"):
            folders, path = [""], path.removeprefix("@site/")
        elif path.startswith("/"):
            folders, path = [root, ""], path.lstrip("/")
        elif path.startswith(("./", "../")):
            folders = [dirname(source)]
        else:
            folders = [dirname(source), root, ""]
        candidates = [normpath(f"{folder}/{path}" if folder else path) for folder in folders]
        return next(
            (name for name in candidates if name in self.named_sources or (self.docs / name).is_file()), candidates[0]
        )

    @cached_property
    def _translations(self) -> tuple[str, ...]:
        """The languages of the translations: the names of the folders in `i18n`, sorted."""
        folder = self.docs / "i18n"
        return tuple(sorted(entry.name for entry in folder.iterdir() if entry.is_dir())) if folder.is_dir() else ()

    @cached_property
    def _source_by_file(self) -> dict[str, str]:
        """By HTML file: the source file that the last build with the plugin named for it."""
        path = self.docs / SIDECAR
        try:
            by_file = read_sidecar(path) if path.is_file() else {}
        except OptionError:
            # Another version of the plugin wrote the list. Without it, names and front matter give most source files.
            return {}
        return {file: facts.source for file, facts in by_file.items() if facts.source}

    @cached_property
    def _source_by_address(self) -> dict[str, str]:
        """By address without a slash at its end: the source file from which Docusaurus would make that page."""
        sources: dict[str, str] = {}
        for source in self._source_files():
            for address in self._addresses(source):
                sources.setdefault(address.rstrip("/"), source)
        return sources

    def _source_files(self) -> Iterator[str]:
        """Every file that may become a page."""
        for root in sorted(ROOTS):
            for folder, folders, files in os.walk(self.docs / root):
                folders[:] = sorted(name for name in folders if name != "node_modules")
                for name in sorted(files):
                    if name.lower().endswith(DOCUSAURUS_SUFFIXES):
                        yield (Path(folder) / name).relative_to(self.docs).as_posix()

    def _addresses(self, source: str) -> Iterator[str]:
        """The addresses that the page of a source file may have, the most likely first.

        There are several, because the configuration is not read. It may publish docs at the root of the site, and the
        newest version without its number.
        """
        parts = source.split("/")
        if any(part.startswith("_") for part in parts):
            return
        root = _content_root(source)
        path_in_root = source.removeprefix(f"{root}/")
        front_matter = self._slug_and_id(source)
        locale = self._locale_of(source)
        content_plugin = root.split("/")[2] if parts[0] == "i18n" and root.count("/") > 1 else parts[0]
        if "pages" in content_plugin or parts[0] == "src":
            yield locale + _address_of_path(path_in_root)
        elif "blog" in content_plugin:
            yield f"{locale}blog/{_blog_address(path_in_root, front_matter)}"
        else:
            slug = _docs_address(path_in_root, front_matter)
            version = root.rpartition("/")[2]
            version_number = version.removeprefix(_VERSION_PREFIX) if version.startswith(_VERSION_PREFIX) else ""
            for folder in ("docs", ""):
                for prefix in dict.fromkeys((version_number, "")):
                    yield locale + "/".join(part for part in (folder, prefix, slug) if part)

    def _slug_and_id(self, source: str) -> dict[str, str]:
        """The values of `slug` and `id` in the front matter of a source file."""
        path = self.docs / source
        try:
            check_regular_file(path)
            text = path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")
        except OSError:
            return {}
        head = text[: front_matter_length(text)].split("\n")
        matches = (match for line in head if (match := _SLUG_OR_ID.match(line)))
        return {match[1]: (match[2] or match[3] or match[4] or "").strip() for match in matches}


def front_matter_length(text: str) -> int:
    """How many characters the front matter of a text has. The lines of the text end with a line feed."""
    front_matter = _FRONT_MATTER.match(text)
    return front_matter.end() if front_matter else 0


def _split(link: str) -> tuple[str, str]:
    """The path of a link, and its query and fragment."""
    mark = _QUERY_OR_FRAGMENT.search(link)
    return (link[: mark.start()], link[mark.start() :]) if mark else (link, "")


def _content_root(source: str) -> str:
    """The folder that a content plugin reads a source from, by the defaults of Docusaurus.

    It is `docs` of `docs/a/b.md`, `versioned_docs/version-1.0` of a source below that, and of a translation
    `i18n/fr/docusaurus-plugin-content-docs/current`, or `i18n/fr/docusaurus-plugin-content-blog`, which has no
    versions.
    """
    parts = source.split("/")[:-1]
    if parts[:1] == ["i18n"]:
        return "/".join(parts[: 4 if len(parts) > 2 and "content-docs" in parts[2] else 3])
    if parts and (parts[0].endswith("versioned_docs") or parts[0] == "src"):
        return "/".join(parts[:2])
    return "/".join(parts[:1])


def _docs_address(path_in_root: str, front_matter: dict[str, str]) -> str:
    """The address that Docusaurus makes from a source file of docs, relative to that of the docs."""
    *folders, name = _without_suffix(path_in_root).split("/")
    plain_folders = [_without_number(folder) for folder in folders]
    slug = front_matter.get("slug", "")
    if slug.startswith("/"):
        return slug.strip("/")
    is_index = name.lower() in _INDEX_NAMES or (bool(folders) and name.lower() == folders[-1].lower())
    if not slug and is_index:
        return "/".join(plain_folders)
    name_in_address = slug or front_matter.get("id", "") or _without_number(name)
    return normpath("/".join((*plain_folders, name_in_address))).strip("/")


def _without_number(name: str) -> str:
    """A name without the number that orders files: `01-intro` is `intro`."""
    number = _NUMBERED.match(name)
    return name[number.end() :] if number else name


def _blog_address(path_in_root: str, front_matter: dict[str, str]) -> str:
    """The address of a blog post, relative to that of the blog: its slug, or its date and name."""
    if slug := front_matter.get("slug", ""):
        return slug.strip("/")
    stem = _address_of_path(path_in_root)
    dated = _DATED.search(f"{stem}/")
    if dated is None:
        return stem
    return f"{stem[: dated.start()]}{dated[1]}/{dated[2]}/{dated[3]}/{stem[dated.end() :]}".strip("/")


def _address_of_path(path_in_root: str) -> str:
    """The address of a file without front matter: its path without suffix, and without `index` at its end."""
    stem = _without_suffix(path_in_root)
    name = stem.rpartition("/")[2]
    return stem[: -len(name)].rstrip("/") if name.lower() == "index" else stem


def _without_suffix(path: str) -> str:
    """A path without the suffix of Markdown."""
    return _MARKDOWN.sub("", path)
