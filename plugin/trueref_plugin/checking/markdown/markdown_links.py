"""Finds the links of Markdown sources, each with its position.

Python-Markdown keeps no positions, and no other parser recognises the same links as Python-Markdown with its
extensions. Therefore a mark is inserted into everything that may be a destination, and the page is rendered as for the
site. If a mark appears in a `href` or `src` of the rendered page, its candidate is the destination of a link. Marks in
code, in a comment or in front matter appear elsewhere, or not at all.
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
from trueref_core.text.markdown_escapes import without_escapes
from trueref_plugin.checking.link_positions import FOLLOWED, LineIndex
from trueref_plugin.checking.markdown.link_candidates import LinkCandidate, candidates, whole_address
from trueref_plugin.checking.markdown.project import Project
from trueref_plugin.reading.guarding.child import PageRefused
from trueref_plugin.reading.guarding.guard import GuardedReader
from trueref_plugin.reading.page_links import PageAttributes, read_attributes

if TYPE_CHECKING:
    from markdown import Markdown

_SURROGATES: Final = re.compile("[\ud800-\udfff]")
TAB: Final = 4
"""The width of a tab in Python-Markdown, in columns."""


@dataclass(frozen=True, slots=True)
class SourceLink:
    """A link of a source file.

    Attributes:
        link: The link on the rendered page, or the same link in a form that a manifest can resolve.
        written: The text of the link in the source.
        line: The line of the link, from 1.
        column: The column of the link in characters, from 1.
        span: The start and the end of `written` in the file; None if the rendered page has another text, so that the
            text in the file must not be replaced.
        is_file: Whether the link is in an element that loads a file, such as an image.
        is_raw: Whether the link is in HTML within the Markdown. No generator rewrites such a link: it is relative to
            the page and not to the source file.
        is_html: Whether the link is in an element of HTML, and not in a component of MDX.
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
    """The content of a source file: its links in order, and the ids of its page without those of plugins and theme."""

    links: tuple[SourceLink, ...]
    ids: frozenset[str]


class LinkReader(ABC):
    """Reads the source files of one project, each once.

    Args:
        guarded: Parses pages that are not safe to parse in this process. The caller closes it.
    """

    link_attributes: ClassVar[Sequence[str]] = ("href", "src")
    textless: ClassVar[str] = ""
    """Selector of the elements whose text is not searched for bare addresses; "" if no text is searched."""

    def __init__(self, guarded: GuardedReader) -> None:
        self._guarded = guarded
        self._results: dict[Path, SourceLinks | OptionError] = {}

    def read(self, path: Path) -> SourceLinks:
        """Reads a file, once.

        Raises:
            OptionError: The file cannot be opened, read or rendered; the message names it.
        """
        if path not in self._results:
            # Set before reading, because a file may include itself, and would be read without end.
            self._results[path] = SourceLinks((), frozenset())
            try:
                self._results[path] = self._read(path)
            except OSError as error:
                self._results[path] = OptionError(f"{path} cannot be read ({error.strerror or error}).")
            except PageRefused as error:
                self._results[path] = OptionError(f"{path} cannot be read: its page cannot be parsed: {error}")
            except OptionError as error:
                self._results[path] = error
        result = self._results[path]
        if isinstance(result, OptionError):
            raise result
        return result

    def read_text(self, text: str) -> SourceLinks:
        """The links of a source file with the content `text`, as they are written, and its ids."""
        markdown = MarkdownBody(text, self._front_matter_length)
        body = self._markdown_only(markdown.body)
        link_candidates = self._candidates(body)
        marked_body, mark = marked(body, link_candidates)
        html, heading_ids = self._render(marked_body, mark)
        page = self._guarded.read(read_attributes, html, self.link_attributes, self.textless)
        destinations = self._destinations(page, mark, markdown, link_candidates)
        links = [self._source_link(markdown, link_candidates[at], *link) for at, link in destinations.items()]
        ids = (mark.sub("", name) for name in page.ids)
        return SourceLinks(tuple(sorted(links, key=lambda link: (link.line, link.column))), heading_ids.union(ids))

    def _read(self, path: Path) -> SourceLinks:
        """The links and ids of a file. `read` handles the errors and keeps the result."""
        return self.read_text(read_source(path))

    @abstractmethod
    def _front_matter_length(self, text: str) -> int:
        """How many characters the front matter of a text has. The lines of the text end with a line feed."""

    def _markdown_only(self, body: str) -> str:
        """The text with spaces in place of everything that is not Markdown, so that positions stay the same."""
        return body

    def _candidates(self, body: str) -> list[LinkCandidate]:
        """Everything that may be a destination."""
        return candidates(body)

    @abstractmethod
    def _render(self, body: str, mark: re.Pattern[str]) -> tuple[str, frozenset[str]]:
        """The HTML of a Markdown text with marks, and the ids of headings that it does not show."""

    def _destinations(
        self,
        page: PageAttributes,
        mark: re.Pattern[str],
        markdown: MarkdownBody,
        link_candidates: Sequence[LinkCandidate],
    ) -> dict[int, tuple[str, bool]]:
        """By number of each candidate that is a destination: the link, and whether it loads a file."""
        destinations: dict[int, tuple[str, bool]] = {}
        for tag, name, value in page.values:
            first_mark = mark.search(value)
            # A mark in code in a heading is also in the id of the heading, and so in the link to it in the table of
            # contents. Such a link is not a link of the source.
            if (
                first_mark
                and int(first_mark[1]) < len(link_candidates)
                and not (value.startswith("#") and first_mark.start() > 0)
            ):
                destinations.setdefault(int(first_mark[1]), (mark.sub("", value), self._is_file(tag, name)))
        for match in mark.finditer(page.text):
            number = int(match[1])
            if number not in destinations and number < len(link_candidates):
                link_in_text = self._link_in_text(link_candidates[number], markdown)
                destinations |= {number: link_in_text} if link_in_text is not None else {}
        return destinations

    def _link_in_text(self, candidate: LinkCandidate, markdown: MarkdownBody) -> tuple[str, bool] | None:
        """The link of a candidate that is text on the rendered page, and whether it loads a file: a bare address."""
        text_in_source = markdown.body[candidate.start : candidate.end]
        if not candidate.is_raw and text_in_source.lower().startswith(("http://", "https://")):
            return whole_address(text_in_source), False
        return None

    @abstractmethod
    def _is_file(self, tag: str, attribute: str) -> bool:
        """Whether an element loads the file that one of its attributes names."""

    def _source_link(self, markdown: MarkdownBody, candidate: LinkCandidate, link: str, is_file: bool) -> SourceLink:
        """The link of a candidate that is a destination, with its position in the file."""
        text_in_source = markdown.body[candidate.start : candidate.end]
        line, column = markdown.line_and_column(candidate.start)
        span: tuple[int, int] | None = None
        written = _written_link(text_in_source, link)
        if written is not None:
            text_in_source = written
            span = markdown.in_file(candidate.start), markdown.in_file(candidate.start + len(written))
        return SourceLink(link, text_in_source, line, column, span, is_file, candidate.is_raw)


class SourceReader(LinkReader):
    """Reads the source files of a MkDocs project. Python-Markdown is imported when the first file is read."""

    def __init__(self, project: Project, guarded: GuardedReader) -> None:
        super().__init__(guarded)
        self._project = project

    def _read(self, path: Path) -> SourceLinks:
        """The links and ids of a file. Any error of an extension becomes an `OptionError`."""
        try:
            return super()._read(path)
        except (OSError, PageRefused):
            raise
        except Exception as error:
            # An extension of the project may raise any error, for example if a snippet is missing. The user has to
            # correct that.
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise OptionError(f"{path} cannot be rendered as the site would be: {reason}") from error

    def _front_matter_length(self, text: str) -> int:
        """The length of the front matter as MkDocs recognises it."""
        from trueref_plugin.checking.markdown.mkdocs_config import front_matter_length

        return front_matter_length(text)

    def _render(self, body: str, mark: re.Pattern[str]) -> tuple[str, frozenset[str]]:  # noqa: ARG002 # all ids are shown
        """The HTML of a text with the extensions of the project. No ids beside it, because the HTML has all of them."""
        self._markdown.reset()
        return self._markdown.convert(body), frozenset()

    def _is_file(self, tag: str, attribute: str) -> bool:  # noqa: ARG002 # the attributes of components decide
        """Whether the element loads the file, as all do except those whose link readers follow."""
        return tag not in FOLLOWED

    @cached_property
    def _markdown(self) -> Markdown:
        """The parser with the extensions of the project, made at the first use."""
        from markdown import Markdown

        configs = {name: dict(config) for name, config in self._project.extension_configs.items()}
        return Markdown(extensions=list(self._project.extensions), extension_configs=configs)


def _written_link(text_in_source: str, link: str) -> str | None:
    """The part of a candidate's text that is the link of the rendered page; None if the text is not that link.

    Such a text must not be replaced.
    """
    # Python-Markdown removes the backslash of an escape in an inline link, and leaves entities to the browser.
    if link in (text_in_source, unescape(text_in_source), unescape(without_escapes(text_in_source))):
        return text_in_source
    # The candidate of a bare address may be longer than the link that was made from it.
    return link if link and text_in_source.startswith(link) else None


def read_source(path: Path) -> str:
    """The text of a file with its line endings unchanged, and with surrogates for bytes that are not UTF-8."""
    return path.read_bytes().decode("utf-8", "surrogateescape")


class MarkdownBody:
    """The text of a file as a Markdown parser gets it, and the positions of its characters in the file.

    All lines end with a line feed, and there is no byte order mark, no front matter and no surrogate.
    `front_matter_length` counts the characters of the front matter.
    """

    def __init__(self, text: str, front_matter_length: Callable[[str], int]) -> None:
        bom_length = len(text) - len(text.removeprefix("\ufeff"))
        normalized = text[bom_length:].replace("\r\n", "\n").replace("\r", "\n")
        body_start = front_matter_length(normalized)
        self.body = _SURROGATES.sub("\ufffd", normalized[body_start:])
        self._body_start = body_start
        self._lines = LineIndex(normalized)
        self._bom_length = bom_length
        # The positions of line feeds in the normalized text that are two characters (CRLF) in the file.
        crlf_starts = (match.start() for match in re.finditer("\r\n", text[bom_length:]))
        self._crlf_positions: Sequence[int] = [at - number for number, at in enumerate(crlf_starts)]

    def in_file(self, at: int) -> int:
        """Where a position of the body is in the text of the file."""
        at += self._body_start
        return self._bom_length + at + bisect_left(self._crlf_positions, at)

    def line_and_column(self, at: int) -> tuple[int, int]:
        """The line and the column in the file of a position of the body, both counted from 1."""
        return self._lines.line_and_column(self._body_start + at)


def marked(text: str, link_candidates: Sequence[LinkCandidate]) -> tuple[str, re.Pattern[str]]:
    """The text with a mark in every candidate, and the pattern of a mark.

    A mark consists of a word that does not occur in the text, the number of the candidate, and a `z`.
    """
    word = "trueref"
    while word in text:
        word += "q"
    parts: list[str] = []
    at = 0
    # Python-Markdown expands tabs before it reads a line. The length of a mark is a multiple of the width of a tab, so
    # that tabs after a mark get the same width as without it.
    digits = len(str(len(link_candidates)))
    digits += -(len(word) + digits + 1) % TAB
    for number, candidate in enumerate(link_candidates):
        parts += (text[at : candidate.mark], f"{word}{number:0{digits}}z")
        at = candidate.mark
    return "".join((*parts, text[at:])), re.compile(f"{word}(\\d+)z")
