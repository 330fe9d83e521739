"""The sources of a site: their folder, the targets of their links, and which page is made from which file.

`Project` is the interface to the sources of any generator, with the rules of MkDocs; `docusaurus_sources.py` has those
of Docusaurus.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from posixpath import dirname, relpath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from trueref_core.addresses import PATH_SAFE, page_of_file

if TYPE_CHECKING:
    from trueref_core.manifest.lookup import Manifest

CONFIG_NAMES: Final = ("mkdocs.yml", "mkdocs.yaml")
DOCUSAURUS_NAMES: Final = tuple(f"docusaurus.config.{suffix}" for suffix in ("js", "ts", "mjs", "mts", "cjs", "cts"))
SOURCE_SUFFIXES: Final = (".md", ".markdown", ".mdown", ".mkdn", ".mkd")
"""The suffixes of Markdown files in MkDocs."""

DOCUSAURUS_SUFFIXES: Final = (".md", ".mdx")


def nothing(path: str) -> bool:  # noqa: ARG001 # one of the functions that choose files
    """Chooses no file."""
    return False


@dataclass(frozen=True)
class Project:
    """The part of a site's configuration that a check needs.

    Attributes:
        config: The configuration file; None for sources without one, which are read as CommonMark.
        docs: The folder of the sources.
        site: The folder of the built site; None if it is not known.
        base_url: Where the site is published, with a slash at its end.
        directory_urls: Whether the address of a page is a folder (`setup/`) and not a file (`setup.html`).
        extensions: The extensions of Python-Markdown.
        extension_configs: The options of these extensions.
        suffixes: The suffixes of source files.
        keeps_missing: Whether the generator does not rewrite a link to a source file that has no page in the same
            language.
        absolute_from_docs: Whether a link with a leading slash counts from the folder of the sources. Otherwise the
            generator leaves it as it is written, so that it counts from the root of the host.
        excluded: Whether a file of the sources, by its path, is left out of the site.
        drafts: Whether a file of the sources, by its path, is left out of the site until it is finished.
    """

    config: Path | None
    docs: Path
    site: Path | None = None
    base_url: str | None = None
    directory_urls: bool = True
    extensions: tuple[str, ...] = ("toc", "tables", "fenced_code")
    extension_configs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    suffixes: tuple[str, ...] = SOURCE_SUFFIXES
    keeps_missing: bool = False
    absolute_from_docs: bool = True
    excluded: Callable[[str], bool] = nothing
    drafts: Callable[[str], bool] = nothing

    def with_site(self, manifest: Manifest, site: str | None) -> Project:  # noqa: ARG002 # of other generators
        """The project with facts from a manifest of the site that is made from it."""
        return self

    @property
    def file_folders(self) -> tuple[Path, ...]:
        """The folders that links to files are relative to. A file that a plugin made is only in the built site."""
        return (self.docs, *([self.site] if self.site else []))

    def target_page(self, page: str, source: str, path: str) -> str:  # noqa: ARG002 # of other generators
        """The page that a link of a source file leads to, on one of the pages that are made from this file.

        MkDocs makes one page from each source file, so that the link leads to the same page everywhere.
        """
        return path

    def is_left_out(self, path: str, source: str) -> bool:
        """Whether the site has no file for a path in the sources, as a page that is made from `source` finds it.

        A preview of drafts shows all of them, so that one draft finds another.
        """
        return self.excluded(path) or (self.drafts(path) and not self.drafts(source))

    @property
    def links_differ_by_page(self) -> bool:
        """Whether a link of a source file may name another file on each page that is made from it."""
        return False

    def link_to_source(self, page: str, source: str, link: str) -> str | None:  # noqa: ARG002 # of other generators
        """A link of a source file, with the source file that it names on one of the pages that are made from the file.

        None if the generator does not find the file from that page, and leaves the link as it is written. With one page
        from each source file, a link names the same file everywhere.
        """
        return None if link.startswith("/") and not link.startswith("//") and not self.absolute_from_docs else link

    def written_correction(self, source: str, resolvable: str, original: str, correction: str) -> str:  # noqa: ARG002
        """A correction of `resolvable` in the form in which the author wrote the link. In MkDocs both are the same."""
        return correction

    def source_of(self, path: Path) -> str | None:
        """The path of a file relative to the folder of the sources; None if the file lies outside of it."""
        try:
            return path.resolve().relative_to(self.docs.resolve()).as_posix()
        except ValueError:
            return None

    def page_of(self, source: str) -> str | None:
        """The page that MkDocs makes from a source file; None for a file that is only included in other pages."""
        path = PurePosixPath(source)
        if path.stem.lower() in ("index", "readme"):
            return page_of_file(str(path.with_name("index.html")))
        bare = str(path.with_suffix(""))
        return f"{bare}/" if self.directory_urls else f"{bare}.html"

    def source_of_page_file(self, file: str) -> str:
        """The source file from which MkDocs made an HTML file; "" if there is none."""
        return next((source for source in self.possible_sources(file) if (self.docs / source).is_file()), "")

    def possible_sources(self, file: str) -> Iterator[str]:
        """The source files from which MkDocs may have made an HTML file, whether they exist or not."""
        path = PurePosixPath(file)
        stems = [path.with_suffix("")]
        if path.name == "index.html":
            stems = [path.parent] if self.directory_urls and path.parent.name else []
            stems += [path.with_name("index"), path.with_name("README")]
        return (f"{stem}{suffix}" for stem in stems for suffix in SOURCE_SUFFIXES)


def relative_link(target: str, source: str) -> str:
    """The link to the source file `target` from the source file `source`."""
    return quote(relpath(f"/{target}", dirname(f"/{source}")), safe=PATH_SAFE)


def find_config(folder: Path) -> Path | None:
    """The mkdocs.yml or docusaurus.config.js of a folder, or of the nearest one above it."""
    for above in (folder.resolve(), *folder.resolve().parents):
        for name in (*CONFIG_NAMES, *DOCUSAURUS_NAMES):
            if (above / name).is_file():
                return above / name
    return None


def is_docusaurus(config: Path | None) -> bool:
    """Whether a configuration is one of Docusaurus."""
    return config is not None and config.name in DOCUSAURUS_NAMES
