"""Finds the links of Markdown files without a known configuration, each with its position.

The files are read as CommonMark with tables, as GitHub and MyST read them, with a parser that every installation has.
As in `markdown_links`, a mark is inserted into everything that may be a destination. The marks that appear in links of
the rendered page show which candidates are destinations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, Final

from trueref_plugin.checking.markdown.docusaurus_sources import front_matter_length
from trueref_plugin.checking.markdown.markdown_links import LinkReader

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_HEADING_ID: Final = re.compile(r"(?:\{#([^\s{}]++)\}|\{/\*\s*+#([^\s*]++)\s*+\*/\}|<!--\s*+#([^\s>]++)\s*+-->)\Z")
"""Matches the id at the end of a heading, in the forms of Docusaurus: `{#id}`, `{/* #id */}` or `<!-- #id -->`."""

_NOT_SLUG: Final = re.compile(r"[^\w\- ]")
"""Matches what github-slugger removes from the text of a heading."""


class CommonMarkReader(LinkReader):
    """Reads Markdown files as CommonMark. The parser is imported with the first file. Arguments: see `LinkReader`."""

    textless: ClassVar[str] = "code, pre, script, style, textarea"

    def _front_matter_length(self, text: str) -> int:
        """The length of the front matter as Docusaurus recognises it."""
        return front_matter_length(text)

    def _render(self, body: str, mark: re.Pattern[str]) -> tuple[str, frozenset[str]]:
        """The HTML of a text as CommonMark, and the ids of its headings."""
        tokens = self._markdown.parse(body)
        html = self._markdown.renderer.render(tokens, self._markdown.options, {})
        return html, frozenset(_heading_ids(tokens, mark))

    @cached_property
    def _markdown(self) -> MarkdownIt:
        """The parser, made at the first use. It leaves destinations as they are written and accepts all of them."""
        from markdown_it import MarkdownIt

        markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
        # Destinations are not encoded, because an encoded mark would not be recognised.
        markdown.normalizeLink = lambda url: url  # type: ignore[method-assign]
        # Every destination is accepted, even `javascript:`, because the page is never shown.
        markdown.validateLink = bool  # type: ignore[assignment, method-assign]
        return markdown

    def _is_file(self, tag: str, attribute: str) -> bool:  # noqa: ARG002 # a component has any tag
        """Whether the element loads the file, as an image does: `src` names a file, and `href` a page."""
        return attribute == "src"


def _heading_ids(tokens: Sequence[Token], mark: re.Pattern[str]) -> Iterator[str]:
    """The ids of headings: the id in the source, or the one that github-slugger makes from the text."""
    counts: dict[str, int] = {}
    for opening, inline in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        if explicit_id := _HEADING_ID.search(inline.content.rstrip()):
            yield mark.sub("", explicit_id[explicit_id.lastindex or 0])
            continue
        heading_text = "".join(
            child.content for child in inline.children or () if child.type in ("text", "code_inline")
        )
        slug = _NOT_SLUG.sub("", mark.sub("", heading_text).strip().lower()).replace(" ", "-")
        count = counts.get(slug, 0)
        counts[slug] = count + 1
        yield f"{slug}-{count}" if count else slug
