"""The options of one build, typed and checked in one place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final

from trueref_core.errors import OptionError
from trueref_core.page_weights import is_weight
from trueref_core.records import PageKind
from trueref_plugin.sidecar import PageFacts
from trueref_plugin.web_files import check_address, is_web_address

GIVEN_KINDS: Final[tuple[PageKind, ...]] = ("guide", "reference", "api", "example", "changelog", "blog", "landing")
"""The kinds that an option may give. Not `redirect` and `pdf`: those follow from the file itself."""

_LANGUAGE_TAG: Final = re.compile(r"[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8}){0,7}")
_QUERY_OR_FRAGMENT: Final = re.compile("[?#]")


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """The options of one build of an index."""

    site: Path
    """Folder that holds the finished site."""
    index: Path
    """Folder that holds the index; it is made if it is missing. Never inside the site folder."""
    base_url: str | None = None
    """Absolute address of the site's root, or None to take it from the pages' canonical links."""
    name: str | None = None
    """Name of the site in the index; None for `site_name`."""
    site_name: str = ""
    """What the host calls the site; "" for the name that the pages give, or `docs`. If this name changes, the site
    stays the same for the index. If `name` changes, it becomes another site."""
    version: str = ""
    """Version of the documentation; "" takes the version that each page names."""
    language: str = ""
    """Language of the pages as a tag (`de`, `pt-BR`); "" takes the language that each page names."""
    facts: Mapping[str, PageFacts] | None = None
    """What the generator knows of its pages, by output file; None if only the folder is there."""
    facts_are_complete: bool = False
    """Whether `facts` cover every page, so that no facts are taken from an earlier build. With `--dirty`, MkDocs gives
    facts only for the pages that changed."""
    exclude: tuple[str, ...] = ()
    """Patterns of pages that are never searched or cited (`changelog/*`); links to them stay valid."""
    content_selector: str | None = None
    """A CSS selector of the element that holds the content, tried before the known ones."""
    kinds: Mapping[str, PageKind] | None = None
    """Kinds of pages by pattern of their addresses (`handbook/*` to `reference`); they win over the rules."""
    weights: Mapping[str, float] | None = None
    """Weights of pages by pattern of their addresses, added to their scores, from -1 to 1 (`internals/*` to -0.2).
    Weights of all patterns that fit add up."""
    embedder: str = "bundled"
    """`bundled`, `lexical`, or the name of a fastembed model."""
    reuse: str | None = None
    """Folder or address of a published index. Its vectors are used for texts that have no vector in this index."""
    pdf: tuple[Path, ...] = ()
    """Folders of PDFs that the site does not publish. They go into the index, and the server sends them to readers."""
    full: bool = False
    """Whether to read all files and embed all texts again, instead of reusing what earlier builds read and embedded."""

    @property
    def embeds(self) -> bool:
        """Whether the index is to have vectors."""
        return self.embedder != "lexical"

    def fingerprint(self) -> dict[str, str]:
        """The options that shape the content of a generation, as text."""
        return {
            "base_url": self.base_url or "",
            "name": self.name or self.site_name,
            "version": self.version,
            "language": self.language,
            "exclude": "\n".join(self.exclude),
            "content_selector": self.content_selector or "",
            "kinds": "\n".join(f"{pattern} {kind}" for pattern, kind in (self.kinds or {}).items()),
            "weights": "\n".join(f"{pattern} {weight}" for pattern, weight in (self.weights or {}).items()),
            "embedder": self.embedder,
        }

    def checked(self, *checks_of_host: Callable[[], object]) -> BuildOptions:
        """These options, after every check that needs no page; the base URL ends with a slash.

        Args:
            checks_of_host: Checks of further options, such as the address of the server. Each raises `OptionError`.

        Raises:
            OptionError: Values cannot be used; the message names each of them on a line.
        """
        problems: list[str] = []
        for check in (*self._checks(), *checks_of_host):
            try:
                check()
            except OptionError as error:
                problems.append(str(error))
        if problems:
            raise OptionError("\n".join(problems))
        return self if self.base_url is None else replace(self, base_url=checked_base_url(self.base_url))

    def _checks(self) -> Iterator[Callable[[], object]]:
        """The checks of these options. Each raises `OptionError` if a value cannot be used."""
        if self.base_url is not None:
            yield partial(checked_base_url, self.base_url)
        yield partial(check_outside, self.index, self.site, "site folder")
        yield partial(_check_language, self.language)
        if self.content_selector is not None:
            yield partial(_check_selector, self.content_selector)
        for pattern, kind in (self.kinds or {}).items():
            yield partial(check_kind, pattern, kind)
        for pattern, weight in (self.weights or {}).items():
            yield partial(check_weight, pattern, weight)
        yield partial(_check_embedder, self.embedder)
        for folder in self.pdf:
            yield partial(_check_folder, folder)
        if self.reuse is not None and "://" in self.reuse:
            yield partial(check_address, self.reuse, "An index to reuse")


def check_outside(index: Path, folder: Path, what: str) -> None:
    """Refuses an index folder that lies in another folder, or has that folder in it.

    The other folder has files that are published, deleted by the next build, or the user's own.

    Args:
        index: Folder of the index.
        folder: The other folder.
        what: Name of the other folder in the message.

    Raises:
        OptionError: One of the two folders lies in the other.
    """
    index_path, folder_path = index.resolve(), folder.resolve()
    if index_path.is_relative_to(folder_path):
        raise OptionError(f"The index folder {index} lies inside the {what} {folder}. Choose a folder beside it.")
    if folder_path.is_relative_to(index_path):
        raise OptionError(f"The index folder {index} holds the {what} {folder}. Choose a folder for the index alone.")


def check_server_url(server_url: str) -> None:
    """Raises `OptionError` unless a URL leads to the same server from every page of a site."""
    is_path = server_url.startswith("/") and not server_url.startswith("//")
    if not (is_path or is_web_address(server_url)) or _QUERY_OR_FRAGMENT.search(server_url):
        raise OptionError(
            f"The server_url {server_url!r} is not an address like https://ask.example.org/_trueref or /_trueref."
        )


def checked_base_url(base_url: str) -> str:
    """A base URL with a slash at its end.

    Raises:
        OptionError: It is not an http or https address, or has a query or a fragment.
    """
    if not is_web_address(base_url) or _QUERY_OR_FRAGMENT.search(base_url):
        raise OptionError(f"The base URL {base_url!r} is not an address like https://example.org/docs/.")
    return f"{base_url.rstrip('/')}/"


def _check_language(language: str) -> None:
    """Raises `OptionError` if a language is no tag. The empty text means that each page names its language."""
    if language and _LANGUAGE_TAG.fullmatch(language) is None:
        raise OptionError(f"The language {language!r} is not a tag such as `de` or `pt-BR`.")


def _check_folder(folder: Path) -> None:
    """Raises `OptionError` if a folder of PDFs does not exist."""
    if not folder.is_dir():
        problem = "is no folder" if folder.exists() else "does not exist"
        raise OptionError(f"The folder of PDFs {folder} {problem}. Name a folder that holds some.")


def check_kind(pattern: str, kind: object) -> None:
    """Raises `OptionError` unless an option may give this kind. The message names `pattern`."""
    if kind not in GIVEN_KINDS:
        raise OptionError(f"There is no kind {kind!r} for the pages {pattern!r}. Use one of {', '.join(GIVEN_KINDS)}.")


def check_weight(pattern: str, weight: object) -> None:
    """Raises `OptionError` unless a weight is a number from -1 to 1. The message names `pattern`."""
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not is_weight(weight):
        raise OptionError(f"The weight {weight!r} of the pages {pattern!r} is not a number from -1 to 1.")


def _check_embedder(embedder: str) -> None:
    """Raises `OptionError` if no embedder can have this name."""
    # Whether fastembed has such a model is checked when the model is loaded: importing fastembed takes a second.
    if embedder not in ("bundled", "lexical") and "/" not in embedder:
        raise OptionError(
            f"There is no embedder {embedder!r}. Use `bundled`, `lexical`, or a fastembed model, which has a name "
            "like `BAAI/bge-small-en-v1.5`."
        )


def _check_selector(selector: str) -> None:
    """Raises `OptionError` if a content selector is not valid CSS."""
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    try:
        LexborHTMLParser("<p>").css_first(selector)
    except SelectolaxError as error:
        raise OptionError(f"The content selector {selector!r} is not a CSS selector that can be used.") from error
