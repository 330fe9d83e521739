"""Finds the links of MDX, and of Markdown as Docusaurus reads it, each with its position.

As in `markdown_links`, a mark is inserted into everything that may be a destination, and the marks that come out in a
link are links. MDX is CommonMark with elements of React in it: these are read as HTML, and no expression is run. An
element that gets its address from an expression (`to={url}`) has no destination to read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from trueref_core.errors import OptionError
from trueref_plugin.checking.markdown.docusaurus_sources import DocusaurusProject, front_matter_length
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

    from trueref_plugin.reading.guarding.guard import GuardedReader
    from trueref_plugin.reading.page_links import PageAttributes

# The attribute of Docusaurus' `Link` component.
_TO: Final = re.compile(r"(?<![\w:-])to\s{0,20}+=\s{0,20}+(?:\"([^\"<>\n]*+)\"|'([^'<>\n]*+)')")
LONGEST_TAG: Final = 2_000
"""Characters of an element before its address at most."""

_LINK_ATTRIBUTES: Final = ("href", "src", "to")
# Statements of a module, at the beginning of a block and up to the blank line that ends it.
_MODULE: Final = re.compile(
    r"(?:\A|(?<=\n\n)|(?<=;\n))(?:import\s++[\w{*\"'][^\n]*+|export\s++(?:const|let|var|function|default|class|async|[{*])[^\n]*+)"
    r"(?:\n(?![ \t]*+(?:\n|\Z|```|~~~))[^\n]++)*+"
)
_IMPORTED: Final = re.compile(r"^import\s[^\n]*?\sfrom\s+[\"']([^\"'\n]+\.mdx?)[\"']", re.MULTILINE)
_HEADING_ID: Final = re.compile(r"(?:\{#([^\s{}]++)\}|\{/\*\s*+#([^\s*]++)\s*+\*/\}|<!--\s*+#([^\s>]++)\s*+-->)\Z")
# In HTML everything behind these tags is text up to their end tag; in JSX they may close themselves.
_CLOSED: Final = re.compile(
    r"<(iframe|script|style|textarea|title|xmp|noframes|noscript)\b([^<>]*+)(?<=/)>", re.IGNORECASE
)
_NOT_SLUG: Final = re.compile(r"[^\w\- ]")
_CODE: Final = "code, pre, script, style, textarea"


class MdxReader(LinkReader):
    """Reads source files of one project of Docusaurus. The parser is imported with the first.

    Args:
        project: The project.
        guarded: See `LinkReader`.
    """

    def __init__(self, project: DocusaurusProject, guarded: GuardedReader) -> None:
        super().__init__(guarded)
        self._project = project

    def _read(self, path: Path) -> SourceLinks:
        """The links and ids of a file, with the ids of the files that it imports."""
        try:
            text = read_source(path)
        except OSError as error:
            raise OptionError(f"{path} cannot be read ({error.strerror or error}).") from error
        try:
            parsed = self.read_text(text)
        except OptionError as error:
            raise OptionError(f"{path} cannot be read: {error}") from error
        source = self._project.source_of(path)
        if source is None:
            return parsed
        links = tuple(self._resolvable(link, source) for link in parsed.links)
        return SourceLinks(links, parsed.ids.union(*self._imported(text, source)))

    def _resolvable(self, link: SourceLink, source: str) -> SourceLink:
        """A link whose destination is in a form that a manifest can resolve."""
        return replace(
            link, link=self._project.resolvable_link(source, link.link, is_raw=link.is_raw, is_html=link.is_html)
        )

    def _imported(self, text: str, source: str) -> Iterator[frozenset[str]]:
        """The ids of the Markdown files that a file includes."""
        for match in _IMPORTED.finditer(text):
            included = self._project.resolvable_link(source, match[1])
            path = (self._project.docs / source).parent / included
            if path.is_file():
                yield self.read(path.resolve()).ids

    def read_text(self, text: str) -> SourceLinks:
        """The links of a source file that holds `text`, as they are written, and its ids."""
        plain = Plain(text, front_matter_length)
        body = _without_program(plain.body)
        link_candidates = _candidates(body)
        word = unused(body)
        tokens = self._markdown.parse(marked(body, link_candidates, word))
        html = _CLOSED.sub(r"<\1\2></\1>", self._markdown.renderer.render(tokens, self._markdown.options, {}))
        page = attributes_of(html, _LINK_ATTRIBUTES, _CODE, self._guarded)
        mark = re.compile(f"{word}(\\d+)z")
        links, ids = _links_and_ids(page, mark, link_candidates, body)
        marked_links = ((link_candidates[at], *link) for at, link in links.items() if at < len(link_candidates))
        source_links = (_link(plain, *link) for link in marked_links)
        headings = _heading_ids(tokens, lambda text: mark.sub("", text))
        return SourceLinks(
            tuple(sorted(source_links, key=lambda link: (link.line, link.column))), ids | frozenset(headings)
        )

    @cached_property
    def _markdown(self) -> MarkdownIt:
        from markdown_it import MarkdownIt

        markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).disable("code")
        # Destinations stay as they are written: an encoded mark would not be recognised.
        markdown.normalizeLink = lambda url: url  # type: ignore[method-assign]
        markdown.validateLink = _is_anything  # type: ignore[method-assign]
        return markdown


def _is_anything(url: str) -> bool:
    """Accepts every destination, `javascript:` too: the page is never shown."""
    return bool(url)


def _link(plain: Plain, candidate: LinkCandidate, link: str, is_file: bool) -> SourceLink:
    """A candidate that came out as a link, and whether its element is one of HTML."""
    link_in_source = source_link(plain, candidate, link, is_file)
    if not candidate.is_raw:
        return link_in_source
    # Names of components begin with a capital. The address in a component is treated like that of a Markdown link.
    text_before = plain.body[max(candidate.start - LONGEST_TAG, 0) : candidate.start]
    return replace(link_in_source, is_html=text_before[text_before.rfind("<") + 1 :][:1].islower())


def _candidates(body: str) -> list[LinkCandidate]:
    """Everything that may be a destination, including `to` of Docusaurus' `Link`."""
    by_mark = {candidate.mark: candidate for candidate in candidates(body)}
    for match in _TO.finditer(body):
        start, end = match.span(match.lastindex or 0)
        by_mark.setdefault(start, LinkCandidate(start, end, start, is_raw=True))
    return [by_mark[mark] for mark in sorted(by_mark)]


def _without_program(body: str) -> str:
    """The text with spaces in place of JSX comments and statements of modules, which have no links."""
    blank = _MODULE.sub(lambda match: _blank(match[0]), body)
    parts: list[str] = []
    at = 0
    while (start := blank.find("{/*", at)) >= 0 and (end := blank.find("*/}", start + 3)) >= 0:
        # The id of a heading is written as a comment too, and has to stay.
        is_id = blank[start + 3 : end].lstrip().startswith("#")
        parts += (blank[at:start], blank[start : end + 3] if is_id else _blank(blank[start : end + 3]))
        at = end + 3
    return "".join((*parts, blank[at:]))


def _blank(text: str) -> str:
    """As many spaces as the text has characters, with its line feeds, so that positions behind it stay the same."""
    return re.sub(r"[^\n]", " ", text)


def _links_and_ids(
    page: PageAttributes, mark: re.Pattern[str], link_candidates: Sequence[LinkCandidate], body: str
) -> tuple[dict[int, tuple[str, bool]], frozenset[str]]:
    """By number of a mark, the link with that mark and whether it loads a file; and the ids of the elements."""
    links: dict[int, tuple[str, bool]] = {}
    for _, name, value in page.values:
        if first := mark.search(value):
            links.setdefault(int(first[1]), (mark.sub("", value), name == "src"))
    ids = frozenset(mark.sub("", name) for name in page.ids)
    links |= {at: link for at, link in _in_text(page.text, mark, link_candidates, body) if at not in links}
    return links, ids


def _in_text(
    text: str, mark: re.Pattern[str], link_candidates: Sequence[LinkCandidate], body: str
) -> Iterator[tuple[int, tuple[str, bool]]]:
    """Links that CommonMark leaves in the text: bare addresses, and attributes of elements with expressions in them."""
    for match in mark.finditer(text):
        at = int(match[1])
        if at >= len(link_candidates):
            continue
        candidate = link_candidates[at]
        text_in_source = body[candidate.start : candidate.end]
        if candidate.is_raw:
            text_before = body[max(candidate.start - 40, 0) : candidate.start]
            yield at, (text_in_source, text_before.rstrip("\"' \n=").endswith("src"))
        elif text_in_source.lower().startswith(("http://", "https://")):
            yield at, (whole_address(text_in_source), False)


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
