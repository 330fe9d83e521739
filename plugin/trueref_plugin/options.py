"""The options of one build, typed and checked in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from trueref_core.errors import OptionError
from trueref_plugin.sidecar import PageFacts


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """What a build of an index is told."""

    site: Path
    """Folder that holds the finished site."""
    index: Path
    """Folder that holds the index; it is made where it is missing. Never inside the site folder."""
    base_url: str | None = None
    """Absolute address of the site's root, or None to take it from the pages' canonical links."""
    name: str | None = None
    """Name of the site in the index; None for the name the pages give themselves, or `docs`."""
    version: str = ""
    """Version of the documentation; "" takes what each page says."""
    facts: Mapping[str, PageFacts] | None = None
    """What the build says of its pages, by output file; None where no build spoke."""
    exclude: tuple[str, ...] = ()
    """Patterns of pages that are never searched or cited (`changelog/*`); links to them stay valid."""
    content_selector: str | None = None
    """A CSS selector of the element that holds the content, tried before the known ones."""
    embedder: str = "bundled"
    """`bundled`, `lexical`, or the name of a fastembed model."""
    full: bool = False
    """Embed everything again instead of reusing vectors of equal texts."""

    @property
    def embeds(self) -> bool:
        """Whether the index is to have vectors."""
        return self.embedder != "lexical"

    def fingerprint(self) -> dict[str, str]:
        """The options that shape the content of a generation, as text."""
        return {
            "base_url": self.base_url or "",
            "name": self.name or "",
            "version": self.version,
            "exclude": "\n".join(self.exclude),
            "content_selector": self.content_selector or "",
            "embedder": self.embedder,
        }

    def checked(self) -> BuildOptions:
        """These options, after every check that needs no page.

        Raises:
            OptionError: A value cannot be used; the message names it.
        """
        if self.base_url is not None:
            check_base_url(self.base_url)
        site, index = self.site.resolve(), self.index.resolve()
        if index == site or site in index.parents:
            raise OptionError(
                f"The index folder {self.index} lies inside the site folder {self.site}, which is published and wiped "
                "by the next build. Choose a folder beside it."
            )
        if self.content_selector is not None:
            _check_selector(self.content_selector)
        return self


def check_base_url(base_url: str) -> None:
    """Refuses what is not an absolute http address without query and fragment."""
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query and not parts.fragment
    except ValueError:
        usable = False
    if not usable:
        raise OptionError(f"The base URL {base_url!r} is not an address like https://example.org/docs/.")


def _check_selector(selector: str) -> None:
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    try:
        LexborHTMLParser("<p>").css_first(selector)
    except SelectolaxError as error:
        raise OptionError(f"The content selector {selector!r} is not a CSS selector that can be used.") from error
