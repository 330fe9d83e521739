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
from typing import TYPE_CHECKING, ClassVar, Final

from trueref_core.errors import OptionError
from trueref_plugin.checking.link_positions import Lines
from trueref_plugin.checking.markdown.link_candidates import LinkCandidate, candidates, whole_address
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

    link_attributes: ClassVar[Sequence[str]] = ("href", "src")
    textless: ClassVar[str] = ""
    """A selector of the elements whose text holds no links; "" if the text of no element does."""

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
            except OSError as error:
                self._results[path] = OptionError(f"{path} cannot be read ({error.strerror or error}).")
            except PageRefused as error:
                self._results[path] = OptionError(f"{path} cannot be read: its page cannot be parsed: {error}")
            except OptionError as error:
                self._results[path] = error
        source = self._results[path]
        if isinstance(source, OptionError):
            raise source
        return source

    def read_text(self, text: str) -> SourceLinks:
        """The links of a source file that holds `text`, as they are written, and its ids."""
        plain = Plain(text, self._front_matter_length)
        body = self._without_program(plain.body)
        link_candidates = self._candidates(body)
        marked_body, mark = marked(body, link_candidates)
        html, heading_ids = self._render(marked_body, mark)
        page = self._guarded.read(read_attributes, html, self.link_attributes, self.textless)
        destinations = self._destinations(page, mark, plain, link_candidates)
        links = [self._source_link(plain, link_candidates[at], *link) for at, link in destinations.items()]
        ids = (mark.sub("", name) for name in page.ids)
        return SourceLinks(tuple(sorted(links, key=lambda link: (link.line, link.column))), heading_ids.union(ids))

    def _read(self, path: Path) -> SourceLinks:
        return self.read_text(read_source(path))

    @abstractmethod
    def _front_matter_length(self, text: str) -> int:
        """Characters of the front matter of a text whose lines end with a line feed."""

    def _without_program(self, body: str) -> str:
        """The text without what is no Markdown, of the same length."""
        return body

    def _candidates(self, body: str) -> list[LinkCandidate]:
        """Everything that may be a destination."""
        return candidates(body)

    @abstractmethod
    def _render(self, body: str, mark: re.Pattern[str]) -> tuple[str, frozenset[str]]:
        """The HTML of a Markdown text with marks, and the ids of headings that it does not show."""

    def _destinations(
        self, page: PageAttributes, mark: re.Pattern[str], plain: Plain, link_candidates: Sequence[LinkCandidate]
    ) -> dict[int, tuple[str, bool]]:
        """By number of a candidate that came out as a link: the link, and whether it loads a file."""
        destinations: dict[int, tuple[str, bool]] = {}
        for tag, name, value in page.values:
            first = mark.search(value)
            # A mark in code in a heading goes into the id of the heading too, and into the link to it in the contents.
            # Such a link is not one of the source.
            if first and int(first[1]) < len(link_candidates) and not (value.startswith("#") and first.start() > 0):
                destinations.setdefault(int(first[1]), (mark.sub("", value), self._is_file(tag, name)))
        for match in mark.finditer(page.text):
            at = int(match[1])
            if at not in destinations and at < len(link_candidates):
                in_text = self._link_in_text(link_candidates[at], plain)
                destinations |= {at: in_text} if in_text is not None else {}
        return destinations

    def _link_in_text(self, candidate: LinkCandidate, plain: Plain) -> tuple[str, bool] | None:
        """A link that rendering leaves in the text, and whether it loads a file: a bare address."""
        text_in_source = plain.body[candidate.start : candidate.end]
        if not candidate.is_raw and text_in_source.lower().startswith(("http://", "https://")):
            return whole_address(text_in_source), False
        return None

    @abstractmethod
    def _is_file(self, tag: str, attribute: str) -> bool:
        """Whether an element loads what one of its attributes names."""

    def _source_link(self, plain: Plain, candidate: LinkCandidate, link: str, is_file: bool) -> SourceLink:
        """A candidate that came out as a link, with its position in the file."""
        text_in_source = plain.body[candidate.start : candidate.end]
        line, column = plain.line_and_column(candidate.start)
        end = candidate.end
        if link not in (text_in_source, unescape(text_in_source), unescape(_ESCAPED.sub(r"\1", text_in_source))):
            # The candidate for a bare address may be longer than the link that was made from it. Any other difference
            # means that the text in the source is not the link, and cannot be replaced.
            end = candidate.start + len(link) if link and text_in_source.startswith(link) else -1
        span = (plain.in_file(candidate.start), plain.in_file(end)) if end >= 0 else None
        link_text = text_in_source if span is None else plain.body[candidate.start : end]
        return SourceLink(link, link_text, line, column, span, is_file, candidate.is_raw)


class SourceReader(LinkReader):
    """Reads source files of one project of MkDocs. Markdown is imported with the first."""

    def __init__(self, project: Project, guarded: GuardedReader) -> None:
        super().__init__(guarded)
        self._project = project

    def _read(self, path: Path) -> SourceLinks:
        """The links and ids of a file. What an extension raises becomes an `OptionError`."""
        try:
            return super()._read(path)
        except (OSError, PageRefused):
            raise
        except Exception as error:
            # An extension of the project may raise anything, for a missing snippet say. It is the user's to mend.
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise OptionError(f"{path} cannot be rendered as the site would be: {reason}") from error

    def _front_matter_length(self, text: str) -> int:
        from trueref_plugin.checking.markdown.mkdocs_config import front_matter_length

        return front_matter_length(text)

    def _render(self, body: str, mark: re.Pattern[str]) -> tuple[str, frozenset[str]]:  # noqa: ARG002 # all ids are shown
        self._markdown.reset()
        return self._markdown.convert(body), frozenset()

    def _is_file(self, tag: str, attribute: str) -> bool:  # noqa: ARG002 # the attributes of components decide
        return tag not in _FOLLOWED

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


def marked(text: str, link_candidates: Sequence[LinkCandidate]) -> tuple[str, re.Pattern[str]]:
    """The text with a mark in every candidate, and the pattern of a mark.

    A mark is a word of letters that does not occur in the text, the number of the candidate and a `z`.
    """
    word = "trueref"
    while word in text:
        word += "q"
    parts: list[str] = []
    at = 0
    # Markdown expands tabs before it reads a line. The length of a mark is a multiple of the width of a tab, so that
    # the tabs behind a mark get the same width as without it.
    digits = len(str(len(link_candidates)))
    digits += -(len(word) + digits + 1) % TAB
    for number, candidate in enumerate(link_candidates):
        parts += (text[at : candidate.mark], f"{word}{number:0{digits}}z")
        at = candidate.mark
    return "".join((*parts, text[at:])), re.compile(f"{word}(\\d+)z")
