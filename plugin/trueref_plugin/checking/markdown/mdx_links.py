"""Finds the links of MDX, and of Markdown as Docusaurus reads it, each with its position.

As in `markdown_links`, a mark is inserted into everything that may be a destination. The marks that appear in links of
the rendered page show which candidates are destinations. MDX is CommonMark with elements of React. These are read as
HTML, and no expression is run: a link with an expression as its address (`to={url}`) is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from trueref_plugin.checking.markdown.commonmark_links import CommonMarkReader
from trueref_plugin.checking.markdown.docusaurus_sources import DocusaurusProject
from trueref_plugin.checking.markdown.link_candidates import LinkCandidate, candidates
from trueref_plugin.checking.markdown.markdown_links import MarkdownBody, SourceLink, SourceLinks, read_source

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

    from trueref_plugin.reading.guarding.guard import GuardedReader

# The attribute of Docusaurus' `Link` component.
_TO: Final = re.compile(r"(?<![\w:-])to\s{0,20}+=\s{0,20}+(?:\"([^\"<>\n]*+)\"|'([^'<>\n]*+)')")
MAX_TAG: Final = 2_000
"""How many characters before an address are searched for the beginning of its element."""

# A statement of a module, which begins a block and goes on to the blank line at the end of the block.
_MODULE: Final = re.compile(
    r"(?:\A|(?<=\n\n)|(?<=;\n))(?:import\s++[\w{*\"'][^\n]*+|export\s++(?:const|let|var|function|default|class|async|[{*])[^\n]*+)"
    r"(?:\n(?![ \t]*+(?:\n|\Z|```|~~~))[^\n]++)*+"
)
_IMPORTED: Final = re.compile(r"^import\s[^\n]*?\sfrom\s+[\"']([^\"'\n]+\.mdx?)[\"']", re.MULTILINE)
# In HTML everything between these tags and their end tags is text, but in JSX such a tag may close itself.
_CLOSED: Final = re.compile(
    r"<(iframe|script|style|textarea|title|xmp|noframes|noscript)\b([^<>]*+)(?<=/)>", re.IGNORECASE
)


class MdxReader(CommonMarkReader):
    """Reads the source files of a Docusaurus project. The parser is imported when the first file is read."""

    link_attributes: ClassVar[Sequence[str]] = ("href", "src", "to")

    def __init__(self, project: DocusaurusProject, guarded: GuardedReader) -> None:
        super().__init__(guarded)
        self._project = project

    def _read(self, path: Path) -> SourceLinks:
        """The links and ids of a file, with the ids of the files that it imports."""
        text = read_source(path)
        parsed = self.read_text(text)
        source = self._project.source_of(path)
        if source is None:
            return parsed
        resolvable = self._project.resolvable_link
        links = (
            replace(link, link=resolvable(source, link.link, is_raw=link.is_raw, is_html=link.is_html))
            for link in parsed.links
        )
        return SourceLinks(tuple(links), parsed.ids.union(*self._imported(text, source)))

    def _imported(self, text: str, source: str) -> Iterator[frozenset[str]]:
        """The ids of the Markdown files that a file includes."""
        for match in _IMPORTED.finditer(text):
            included = self._project.resolvable_link(source, match[1])
            path = (self._project.docs / source).parent / included
            if path.is_file():
                yield self.read(path.resolve()).ids

    @cached_property
    def _markdown(self) -> MarkdownIt:
        """The parser without blocks of indented code, which MDX does not have."""
        return super()._markdown.disable("code")

    def _markdown_only(self, body: str) -> str:
        """The text with spaces in place of JSX comments and statements of modules, which have no links."""
        blank = _MODULE.sub(lambda match: _blank(match[0]), body)
        parts: list[str] = []
        copied_to = 0
        while (start := blank.find("{/*", copied_to)) >= 0 and (end := blank.find("*/}", start + 3)) >= 0:
            # The id of a heading is written as a comment too, and is kept.
            is_id = blank[start + 3 : end].lstrip().startswith("#")
            parts += (blank[copied_to:start], blank[start : end + 3] if is_id else _blank(blank[start : end + 3]))
            copied_to = end + 3
        return "".join((*parts, blank[copied_to:]))

    def _candidates(self, body: str) -> list[LinkCandidate]:
        """Everything that may be a destination, including `to` of Docusaurus' `Link`."""
        by_mark = {candidate.mark: candidate for candidate in candidates(body)}
        for match in _TO.finditer(body):
            start, end = match.span(match.lastindex or 0)
            by_mark.setdefault(start, LinkCandidate(start, end, start, is_raw=True))
        return [by_mark[mark] for mark in sorted(by_mark)]

    def _render(self, body: str, mark: re.Pattern[str]) -> tuple[str, frozenset[str]]:
        """The HTML of a text, in which components that close themselves have an end tag, as HTML needs it."""
        html, heading_ids = super()._render(body, mark)
        return _CLOSED.sub(r"<\1\2></\1>", html), heading_ids

    def _source_link(self, markdown: MarkdownBody, candidate: LinkCandidate, link: str, is_file: bool) -> SourceLink:
        """The link of a candidate that is a destination, with the fact whether its element is one of HTML."""
        link_in_source = super()._source_link(markdown, candidate, link, is_file)
        if not candidate.is_raw:
            return link_in_source
        # The name of a component begins with a capital letter. Its address is treated like that of a Markdown link.
        text_before = markdown.body[max(candidate.start - MAX_TAG, 0) : candidate.start]
        return replace(link_in_source, is_html=text_before[text_before.rfind("<") + 1 :][:1].islower())

    def _link_in_text(self, candidate: LinkCandidate, markdown: MarkdownBody) -> tuple[str, bool] | None:
        """A bare address, or an attribute of an element that is not read as HTML because it has expressions."""
        if not candidate.is_raw:
            return super()._link_in_text(candidate, markdown)
        text_before = markdown.body[max(candidate.start - 40, 0) : candidate.start]
        return markdown.body[candidate.start : candidate.end], text_before.rstrip("\"' \n=").endswith("src")


def _blank(text: str) -> str:
    """The text with a space for each character except line feeds, so that positions after it stay the same."""
    return re.sub(r"[^\n]", " ", text)
