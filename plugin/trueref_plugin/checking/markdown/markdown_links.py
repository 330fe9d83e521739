"""Finds the links of Markdown sources, each with its position.

Python-Markdown keeps no positions, and no other parser agrees with it and its extensions on what a link is. So a mark
is inserted into everything that may be a destination, the page is rendered as for the site, and the marks that come out
in a `href` or `src` are links. Marks in code, in a comment or in front matter come out elsewhere, or not at all.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.errors import OptionError
from trueref_plugin.checking.link_positions import Lines
from trueref_plugin.checking.markdown.link_candidates import LinkCandidate, candidates
from trueref_plugin.checking.markdown.project import Project
from trueref_plugin.reading.guarding.child import PageRefused
from trueref_plugin.reading.guarding.guard import GuardedReader
from trueref_plugin.reading.page_links import PageAttributes, read_attributes

if TYPE_CHECKING:
    from markdown import Markdown

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
# Escapes in an inline link: Python-Markdown removes the backslash, and leaves entities to the browser.
_ESCAPED: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
TAB: Final = 4
"""Columns of a tab, as Python-Markdown has them."""
_FOLLOWED: Final = frozenset(("a", "area"))
_LINK_ATTRIBUTES: Final = ("href", "src")


@dataclass(frozen=True, slots=True)
class SourceLink:
    """A link of a source file.

    `link` is the link on the rendered page, or the same in a form that a manifest can resolve; `written` is the text in
    the source. `span` is the begin and end of that text in the file; None if the rendered page has another text, so
    that it cannot be replaced. `is_file`: the link is of an element that loads a file, such as an image. `is_raw`: it
    is in HTML in the Markdown, which nothing rewrites, so it is relative to the page and not to the source file.
    `is_html`: it is of an element of HTML, and not of a component of MDX.
    """

    link: str
    written: str
    line: int
    column: int
    span: tuple[int, int] | None
    is_file: bool
    is_raw: bool = False
    is_html: bool = False


@dataclass(frozen=True, slots=True)
class SourceLinks:
    """A source file as read: its links in order, and the ids of its page before plugins and theme add theirs."""

    links: tuple[SourceLink, ...]
    ids: frozenset[str]


class LinkReader(ABC):
    """Reads the source files of one project, each once.

    Args:
        guarded: Parses pages that are not safe to parse in this process. The caller closes it.
    """

    def __init__(self, guarded: GuardedReader) -> None:
        self._guarded = guarded
        self._results: dict[Path, SourceLinks | OptionError] = {}

    def read(self, path: Path) -> SourceLinks:
        """Reads a file, once.

        Raises:
            OptionError: The file cannot be opened, read or rendered; the message names it.
        """
        if path not in self._results:
            # Set before reading: a file may include itself, and must not be read again for that.
            self._results[path] = SourceLinks((), frozenset())
            try:
                self._results[path] = self._read(path)
            except OptionError as error:
                self._results[path] = error
        source = self._results[path]
        if isinstance(source, OptionError):
            raise source
        return source

    @abstractmethod
    def _read(self, path: Path) -> SourceLinks:
        """Reads a file. Raises `OptionError`, as `read` does."""


class SourceReader(LinkReader):
    """Reads source files of one project of MkDocs. Markdown is imported with the first.

    Args:
        project: The project.
        guarded: See `LinkReader`.
    """

    def __init__(self, project: Project, guarded: GuardedReader) -> None:
        super().__init__(guarded)
        self._project = project

    def _read(self, path: Path) -> SourceLinks:
        """The links and ids of a file. What an extension raises becomes an `OptionError`."""
        try:
            return self.read_text(read_source(path))
        except OSError as error:
            raise OptionError(f"{path} cannot be read ({error.strerror or error}).") from error
        except OptionError:
            raise
        except Exception as error:
            # An extension of the project may raise anything, for a missing snippet say. It is the user's to mend.
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise OptionError(f"{path} cannot be rendered as the site would be: {reason}") from error

    def read_text(self, text: str) -> SourceLinks:
        """The links of a source file that holds `text`."""
        from trueref_plugin.checking.markdown.mkdocs_config import front_matter_length

        plain = Plain(text, front_matter_length)
        link_candidates = candidates(plain.body)
        word = unused(plain.body)
        rendered = self._render(marked(plain.body, link_candidates, word))
        page = attributes_of(rendered, _LINK_ATTRIBUTES, "", self._guarded)
        links, ids = _destinations_and_ids(page, re.compile(f"{word}(\\d+)z"))
        source_links = (
            source_link(plain, link_candidates[at], link, is_file)
            for at, (link, is_file) in links.items()
            if at < len(link_candidates)
        )
        return SourceLinks(tuple(sorted(source_links, key=lambda link: (link.line, link.column))), ids)

    def _render(self, body: str) -> str:
        """The HTML of a Markdown text."""
        self._markdown.reset()
        return self._markdown.convert(body)

    @cached_property
    def _markdown(self) -> Markdown:
        from markdown import Markdown

        configs = {name: dict(config) for name, config in self._project.extension_configs.items()}
        return Markdown(extensions=list(self._project.extensions), extension_configs=configs)


def read_source(path: Path) -> str:
    """The text of a file with its line endings; bytes that are not UTF-8 are kept as surrogates."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


class Plain:
    """The text of a file as Markdown gets it: line feeds, no byte order mark, no front matter, no surrogates.

    `front_matter_length` counts the characters of the front matter.
    """

    def __init__(self, text: str, front_matter_length: Callable[[str], int]) -> None:
        mark = len(text) - len(text.removeprefix("\ufeff"))
        normalized = text[mark:].replace("\r\n", "\n").replace("\r", "\n")
        body_start = front_matter_length(normalized)
        self.body = _SURROGATES.sub("\ufffd", normalized[body_start:])
        self._body_start = body_start
        self._lines = Lines(normalized)
        self._mark = mark
        # The positions of line feeds in the normalized text that stand for two characters in the file.
        pairs = (match.start() for match in re.finditer("\r\n", text[mark:]))
        self._pairs: Sequence[int] = [at - number for number, at in enumerate(pairs)]

    def in_file(self, at: int) -> int:
        """The position in the text of the file, of a position in the body."""
        at += self._body_start
        return self._mark + at + bisect_left(self._pairs, at)

    def line_and_column(self, at: int) -> tuple[int, int]:
        """Line and column in the file, from 1, of a position in the body."""
        return self._lines.line_and_column(self._body_start + at)


def unused(text: str) -> str:
    """A word of letters that does not occur in the text."""
    word = "trueref"
    while word in text:
        word += "q"
    return word


def marked(text: str, link_candidates: Sequence[LinkCandidate], word: str) -> str:
    """The text with a mark in every candidate: the word, the number of the candidate and a `z`."""
    parts: list[str] = []
    at = 0
    # Markdown expands tabs before it reads a line. The length of a mark is a multiple of the width of a tab, so that
    # the tabs behind a mark get the same width as without it.
    digits = len(str(len(link_candidates)))
    digits += -(len(word) + digits + 1) % TAB
    for number, candidate in enumerate(link_candidates):
        parts += (text[at : candidate.mark], f"{word}{number:0{digits}}z")
        at = candidate.mark
    return "".join((*parts, text[at:]))


def attributes_of(html: str, names: Sequence[str], textless: str, guarded: GuardedReader) -> PageAttributes:
    """The values of some attributes in a rendered source, see `reading.page_links`.

    Raises:
        OptionError: Its page cannot be parsed; the message says why.
    """
    try:
        return guarded.read(read_attributes, html, names, textless)
    except PageRefused as error:
        raise OptionError(f"its page cannot be parsed: {error}") from error


def _destinations_and_ids(
    page: PageAttributes, mark: re.Pattern[str]
) -> tuple[dict[int, tuple[str, bool]], frozenset[str]]:
    """By number of a mark, the link with that mark and whether it loads a file; and the ids of the page."""
    destinations: dict[int, tuple[str, bool]] = {}
    for tag, _, value in page.values:
        first = mark.search(value)
        # A mark in code in a heading goes into the id of the heading too, and into the link to it in the contents. Such
        # a link is not one of the source.
        if first and not (value.startswith("#") and first.start() > 0):
            destinations.setdefault(int(first[1]), (mark.sub("", value), tag not in _FOLLOWED))
    return destinations, frozenset(mark.sub("", name) for name in page.ids)


def source_link(plain: Plain, candidate: LinkCandidate, link: str, is_file: bool) -> SourceLink:
    """A candidate that came out as a link, with its position in the file."""
    text_in_source = plain.body[candidate.start : candidate.end]
    line, column = plain.line_and_column(candidate.start)
    end = candidate.end
    if link not in (text_in_source, unescape(text_in_source), unescape(_ESCAPED.sub(r"\1", text_in_source))):
        # The candidate for a bare address may be longer than the link that was made from it. Any other difference means
        # that the text in the source is not the link, and cannot be replaced.
        end = candidate.start + len(link) if link and text_in_source.startswith(link) else -1
    span = (plain.in_file(candidate.start), plain.in_file(end)) if end >= 0 else None
    link_text = text_in_source if span is None else plain.body[candidate.start : end]
    return SourceLink(link, link_text, line, column, span, is_file, candidate.is_raw)
