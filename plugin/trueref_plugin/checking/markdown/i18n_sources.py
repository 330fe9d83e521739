"""The sources of a MkDocs site in several languages, which the plugin mkdocs-static-i18n makes.

The languages stand in the names of files (`setup.fr.md`) or in folders (`fr/setup.md`). A file without a translation
becomes a page in each language, and a link names the file in the language of the page on which it stands.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from posixpath import dirname, normpath
from typing import Any, Literal, cast
from urllib.parse import unquote

from trueref_core.links.link_target import SCHEME
from trueref_core.manifest.lookup import Manifest
from trueref_plugin.checking.markdown.project import Project, relative_link

Structure = Literal["suffix", "folder"]


@dataclass(frozen=True)
class I18nProject(Project):
    """The sources of a site in several languages.

    Attributes:
        default: The language whose pages are at the root of the site.
        locales: All languages, each of the others with a folder of the same name in the site.
        structure: Whether names of files or folders tell the language of a source file.
        falls_back: Whether a file without a translation becomes a page in the other languages.
        named_sources: The source files that a build named: plugins may have made some that are not on disk.
    """

    default: str = ""
    locales: tuple[str, ...] = ()
    structure: Structure = "suffix"
    falls_back: bool = True
    named_sources: frozenset[str] = frozenset()

    def with_site(self, manifest: Manifest, site: str | None) -> I18nProject:
        """The project with the source files that a manifest has for the site."""
        pages = manifest.pages(site) if site is not None else ()
        return replace(self, named_sources=frozenset(page.source_path for page in pages if page.source_path))

    def target_page(self, page: str, source: str, path: str) -> str:  # noqa: ARG002 # of other generators
        """The page that a link leads to on another page of the same source file: the one in the language of `page`."""
        return self._address(self._locale_of_page(page), self._without_locale(path))

    @property
    def links_differ_by_page(self) -> bool:
        """See `Project`. A link of a file without a translation names the file in the language of each of its pages."""
        return True

    def link_to_source(self, page: str, source: str, link: str) -> str | None:
        """A link to the source file that the plugin takes for it on a page; None for a file of a third language.

        The plugin finds no file of a third language, and leaves such a link as it is written.
        """
        path, hash_sign, fragment = link.partition("#")
        if not path or SCHEME.match(path) or path.startswith("/") or "?" in path:
            return super().link_to_source(page, source, link)
        target = normpath(f"{dirname(source)}/{unquote(path, errors='replace')}").lstrip("/")
        locale = self._locale_of_page(page)
        if self._split(target)[0] not in (locale, self.default) and self._exists(target):
            return None
        found = self._file_in(locale, target)
        return link if found in ("", target) else f"{relative_link(found, source)}{hash_sign}{fragment}"

    def written_correction(self, source: str, resolvable: str, original: str, correction: str) -> str:
        """A correction as the author wrote the link: without a language, if the plugin finds the same file."""
        path, hash_sign, fragment = correction.partition("#")
        if path == resolvable.partition("#")[0]:
            return f"{original.partition('#')[0]}{hash_sign}{fragment}"
        target = normpath(f"{dirname(source)}/{unquote(path, errors='replace')}").lstrip("/")
        locale, bare = self._split(source)[0], self._split(target)[1]
        plain = bare if self.structure == "suffix" else f"{locale}/{bare}"
        if self._file_in(locale, plain) != target:
            return correction
        return f"{relative_link(plain, source)}{hash_sign}{fragment}"

    def page_of(self, source: str) -> str | None:
        """The page that is made from a source file in its own language."""
        locale, bare = self._split(source)
        page = super().page_of(bare)
        return None if page is None else self._address(locale, page)

    def source_of_page_file(self, file: str) -> str:
        """The source file from which an HTML file was made; "" if there is none."""
        locale = self._locale_of_page(file)
        bare = self._without_locale(file)
        found = (self._file_in(locale, source) for source in self.possible_sources(bare))
        return next((source for source in found if source), "")

    def _address(self, locale: str, path: str) -> str:
        """An address without a language as that of a language."""
        return path if locale == self.default else f"{locale}/{path}"

    def _locale_of_page(self, page: str) -> str:
        """The language of a page, by its address or its file."""
        folder = page.partition("/")[0]
        return folder if "/" in page and folder in self.locales else self.default

    def _without_locale(self, path: str) -> str:
        """The address of a page without the folder of its language."""
        locale = self._locale_of_page(path)
        return path if locale == self.default else path.partition("/")[2]

    def _split(self, source: str) -> tuple[str, str]:
        """The language of a source file, and its path without the language."""
        if self.structure == "folder":
            folder, _, rest = source.partition("/")
            return (folder, rest) if rest and folder in self.locales else (self.default, source)
        path = PurePosixPath(source)
        locale = PurePosixPath(path.stem).suffix.removeprefix(".")
        if locale not in self.locales:
            return self.default, source
        return locale, str(path.with_name(PurePosixPath(path.stem).stem + path.suffix))

    def _file_in(self, locale: str, path: str) -> str:
        """The source file that the plugin takes for a path on the pages of a language; "" if there is none."""
        return next((name for name in self._candidates(locale, path) if self._exists(name)), "")

    def _candidates(self, locale: str, path: str) -> Iterator[str]:
        """The source files that the plugin tries for a path, in its order."""
        if self.structure == "suffix":
            stem, suffix = str(PurePosixPath(path).with_suffix("")), PurePosixPath(path).suffix
            yield from (f"{stem}.{name}{suffix}" for name in (locale, self.default))
            yield path
            return
        folder, _, rest = path.partition("/")
        bare = rest if rest and folder in (locale, self.default) else path
        # A file without a translation names other files of its own language, and its page in another language leads to
        # their translations.
        yield f"{locale}/{bare}"
        if self.falls_back:
            yield f"{self.default}/{bare}"
        yield bare

    def _exists(self, source: str) -> bool:
        """Whether there is a source file of this name."""
        return source in self.named_sources or (self.docs / source).is_file()


def with_languages(project: Project, options: Mapping[str, Any]) -> Project:
    """The project in the languages that the options of the plugin name; the same one if they name no default."""
    given = options.get("languages")
    entries = cast("list[object]", given if isinstance(given, list) else [])
    languages = [cast("dict[str, Any]", entry) for entry in entries if isinstance(entry, dict)]
    locales = [str(entry["locale"]) for entry in languages if entry.get("locale") and entry.get("build", True)]
    default = next((str(entry.get("locale")) for entry in languages if entry.get("default")), "")
    if default not in locales:
        return project
    return I18nProject(
        **{name: getattr(project, name) for name in Project.__dataclass_fields__},
        default=default,
        locales=tuple(locales),
        structure="folder" if options.get("docs_structure") == "folder" else "suffix",
        falls_back=options.get("fallback_to_default", True) is not False,
    )
