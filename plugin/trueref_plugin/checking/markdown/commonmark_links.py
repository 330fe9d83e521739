"""Finds the links of Markdown without a configuration that names its extensions, each with its position.

It is read as CommonMark with tables, as the hosts of repositories and MyST read it, and the parser is one that every
installation has. As in `markdown_links`, a mark is inserted into everything that may be a destination, and the marks
that come out in a link are links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from trueref_core.errors import OptionError
from trueref_plugin.checking.markdown.docusaurus_sources import front_matter_length
from trueref_plugin.checking.markdown.link_candidates import LinkCandidate, candidates, whole_address
from trueref_plugin.checking.markdown.markdown_links import (
    LinkReader,
    Plain,
    SourceLink,
    SourceLinks,
    attributes_of,
    marked,
    read_source,
    source_link,
    unused,
)

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

    from trueref_plugin.reading.page_links import PageAttributes

_HEADING_ID: Final = re.compile(r"(?:\{#([^\s{}]++)\}|\{/\*\s*+#([^\s*]++)\s*+\*/\}|<!--\s*+#([^\s>]++)\s*+-->)\Z")
_NOT_SLUG: Final = re.compile(r"[^\w\- ]")
_CODE: Final = "code, pre, script, style, textarea"


class CommonMarkReader(LinkReader):
    """Reads Markdown files as CommonMark. The parser is imported with the first; see `LinkReader` for the argument."""

    link_attributes: ClassVar[Sequence[str]] = ("href", "src")

    def _read(self, path: Path) -> SourceLinks:
        return self._parsed(path)[1]

    def _parsed(self, path: Path) -> tuple[str, SourceLinks]:
        """The text of a file, with its links and ids."""
        try:
            text = read_source(path)
        except OSError as error:
            raise OptionError(f"{path} cannot be read ({error.strerror or error}).") from error
        try:
            return text, self.read_text(text)
        except OptionError as error:
            raise OptionError(f"{path} cannot be read: {error}") from error

    def read_text(self, text: str) -> SourceLinks:
        """The links of a source file that holds `text`, as they are written, and its ids."""
        plain = Plain(text, front_matter_length)
        body = self._without_program(plain.body)
        link_candidates = self._candidates(body)
        word = unused(body)
        tokens = self._markdown.parse(marked(body, link_candidates, word))
        html = self._as_html(self._markdown.renderer.render(tokens, self._markdown.options, {}))
        page = attributes_of(html, self.link_attributes, _CODE, self._guarded)
        mark = re.compile(f"{word}(\\d+)z")
        links = self._links(page, mark, link_candidates, body)
        source_links = (
            self._source_link(plain, link_candidates[at], *link)
            for at, link in links.items()
            if at < len(link_candidates)
        )
        ids = {mark.sub("", name) for name in page.ids}.union(_heading_ids(tokens, lambda text: mark.sub("", text)))
        return SourceLinks(tuple(sorted(source_links, key=lambda link: (link.line, link.column))), frozenset(ids))

    @cached_property
    def _markdown(self) -> MarkdownIt:
        from markdown_it import MarkdownIt

        markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        # Destinations stay as they are written: an encoded mark would not be recognised.
        markdown.normalizeLink = lambda url: url  # type: ignore[method-assign]
        markdown.validateLink = _is_anything  # type: ignore[method-assign]
        return markdown

    def _without_program(self, body: str) -> str:
        """The text without what is no Markdown, of the same length."""
        return body

    def _candidates(self, body: str) -> list[LinkCandidate]:
        """Everything that may be a destination."""
        return candidates(body)

    def _as_html(self, rendered: str) -> str:
        """The rendered page as a browser would get it."""
        return rendered

    def _source_link(self, plain: Plain, candidate: LinkCandidate, link: str, is_file: bool) -> SourceLink:
        """A candidate that came out as a link."""
        return source_link(plain, candidate, link, is_file)

    def _links(
        self, page: PageAttributes, mark: re.Pattern[str], link_candidates: Sequence[LinkCandidate], body: str
    ) -> dict[int, tuple[str, bool]]:
        """By number of a mark, the link with that mark and whether it loads a file."""
        links: dict[int, tuple[str, bool]] = {}
        for _, name, value in page.values:
            if first := mark.search(value):
                links.setdefault(int(first[1]), (mark.sub("", value), name == "src"))
        for match in mark.finditer(page.text):
            at = int(match[1])
            if at not in links and at < len(link_candidates):
                in_text = self._link_in_text(link_candidates[at], body)
                links |= {at: in_text} if in_text is not None else {}
        return links

    def _link_in_text(self, candidate: LinkCandidate, body: str) -> tuple[str, bool] | None:
        """A link that CommonMark leaves in the text, and whether it loads a file: a bare address."""
        text_in_source = body[candidate.start : candidate.end]
        if not candidate.is_raw and text_in_source.lower().startswith(("http://", "https://")):
            return whole_address(text_in_source), False
        return None


def _is_anything(url: str) -> bool:
    """Accepts every destination, `javascript:` too: the page is never shown."""
    return bool(url)


def _heading_ids(tokens: Sequence[Token], without_mark: Callable[[str], str]) -> Iterator[str]:
    """The ids of headings: the id in the source, or the one that github-slugger makes from the text."""
    counts: dict[str, int] = {}
    for opened, inline in pairwise(tokens):
        if opened.type != "heading_open":
            continue
        if explicit_id := _HEADING_ID.search(inline.content.rstrip()):
            yield explicit_id[1] or explicit_id[2] or explicit_id[3]
            continue
        heading_text = "".join(
            child.content for child in inline.children or () if child.type in ("text", "code_inline")
        )
        slug = _NOT_SLUG.sub("", without_mark(heading_text).strip().lower()).replace(" ", "-")
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        yield f"{slug}-{count}" if count else slug
