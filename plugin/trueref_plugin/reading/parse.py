"""Parses the HTML of one page. Call it through `GuardedReader`, because parsing may hang or crash."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec
from selectolax.lexbor import LexborHTMLParser, LexborNode

from trueref_core.records import AnchorKind
from trueref_core.text.printable import shortened
from trueref_plugin.reading.blocks.block_readers import BLOCK_READERS
from trueref_plugin.reading.elements import children, class_names, has_class
from trueref_plugin.reading.head import is_template, read_head
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.clean import (
    CONTENT_COLUMN,
    CONTENT_DIVISION,
    CONTENT_ROOTS,
    DOXYGEN,
    MAIN_DIVISION,
    MEDIAWIKI,
    is_dropped,
)
from trueref_plugin.reading.markup.object_roles import object_role
from trueref_plugin.reading.markup.page_furniture import contents_below
from trueref_plugin.reading.page_builder import MAX_TITLE, PageBuilder
from trueref_plugin.reading.parsed import Head, ParsedAnchor, ParsedPage
from trueref_plugin.reading.prose_language import prose_language
from trueref_plugin.reading.targets import anchor_name, named_elements
from trueref_plugin.reading.titles import (
    begins_with_heading,
    title_behind_site_name,
    title_of_heading,
    without_site_name,
    without_slogan,
)
from trueref_plugin.reading.walk import Walk

_AROUND_CONTENT: Final = (
    "body :is(nav, header, footer, aside, [role=navigation], [role=banner], [role=contentinfo], [role=search])"
)
"""Elements around the content of a page. A body without any of them holds nothing but the content."""


_BRANDS: Final = ".navbar-brand, .icon-home, .site-title, .site-name, .menu-title, .sidebar-brand-text, .logo"
"""Elements with the name of the site: MkDocs' own themes, Sphinx, mdBook, Jekyll and others."""

_TITLES_OUTSIDE: Final = {CONTENT_DIVISION: "#module-header > .caption, h1.title", MEDIAWIKI: "#firstHeading"}
"""By selector of the content: what selects the title of a page if it is no heading of the content. Haddock, Nim;
MediaWiki."""

_FIRST_OF_MANUAL: Final = ("NAME", "Name")
"""The first heading of every manual page, as mandoc and pod2html write it. The name of the page is in its head."""

_CONTENT_BOX: Final = "div.content"
"""Selects the content of pages of Fossil and others, which have the bars of the site above it."""

_TEXT: Final = "p, dl, pre, table"
"""Selects what bars with links do not have."""

_MAX_WORDS_OUTSIDE: Final = 15
"""Words that may stand outside of the content, in no link: the foot of the pages of Fossil, which says how fast and by
which version a page was made, has 13."""

_HEADINGS: Final = "h1, h2, h3, h4, h5, h6"

_MAX_COLUMN_DEPTH: Final = 9
"""Elements from the title of a page up to the column that it stands in, at most."""

_MAX_BRANDS: Final = 4
"""How many of them are read, at most."""


def parse_page(html: str, content_selector: str | None = None) -> ParsedPage:
    """Everything that Trueref takes from a page.

    Args:
        html: The text of the page.
        content_selector: A CSS selector tried before the known content roots.
    """
    tree = LexborHTMLParser(html)
    head = read_head(tree, html, template=is_template(html))
    root, selector = find_root(tree, content_selector)
    title = _page_title(tree, root, head, selector) if selector != DOXYGEN else _title_of_doxygen(tree, head)
    named_nodes = named_elements(tree)
    walk = Walk(
        title,
        [reader() for reader in BLOCK_READERS],
        unreachable={node.mem_id for node, name, duplicate in named_nodes if duplicate and name == anchor_name(node)},
        node_by_id={name: node.mem_id for node, name, duplicate in named_nodes if not duplicate},
    )
    if root is not None:
        walk.children(root)
    page = walk.page
    blocks = page.blocks()
    prose = (block.text for block in blocks if block.kind != "code" and block.role != "furniture")
    return ParsedPage(
        head=msgspec.structs.replace(head, prose_language=prose_language(prose)),
        title=title,
        root=selector,
        sections=tuple(page.sections),
        blocks=blocks,
        anchors=tuple(_anchor(node, name, page, duplicate=duplicate) for node, name, duplicate in named_nodes),
        links=tuple(page.links),
        whole_body=selector == "body" and tree.css_first(_AROUND_CONTENT) is not None,
    )


def find_root(tree: LexborHTMLParser, content_selector: str | None) -> tuple[LexborNode | None, str]:
    """The element that holds the content, and the selector that found it."""
    if content_selector and (root := tree.css_first(content_selector)) is not None:
        return root, content_selector
    for selector in CONTENT_ROOTS:
        find = _FINDERS.get(selector)
        root = find(tree) if find is not None else tree.css_first(selector)
        if root is not None:
            return root, selector
    return None, ""


def _main_article(tree: LexborHTMLParser) -> LexborNode | None:
    """The `article` that is the content: the only one, or the only one with a title. Others are cards or comments."""
    articles = tree.css("article")
    if len(articles) > 1:
        articles = [article for article in articles if article.css_first("h1") is not None]
    return articles[0] if len(articles) == 1 else None


def _content_division(tree: LexborHTMLParser) -> LexborNode | None:
    """The element with the id `content` if it holds all of the content, None if other parts of it stand outside.

    AsciiDoc writes the title and the notes of a page outside, and some themes mark with the id where content begins.
    """
    division = tree.css_first(CONTENT_DIVISION)
    if division is None or division.css_first("p, dl, h1, h2, h3") is None:
        return None
    return None if tree.css_first("#header h1, #footnotes") is not None else division


def _main_division(tree: LexborHTMLParser) -> LexborNode | None:
    """The element with the id `main` if it holds all headings of the content, and above it is only the site's name."""
    division = tree.css_first(MAIN_DIVISION)
    if division is None or division.css_first("p, dl, ul, ol, pre") is None or division.css_first("h1, h2, h3") is None:
        return None
    title = tree.css_first("h1")
    is_title_outside = title is not None and division.css_first("h1") is None and not _is_name_of_site(title)
    return None if is_title_outside else division


def _content_column(tree: LexborHTMLParser) -> LexborNode | None:
    """The column of a grid that holds the first heading of the page, if nothing in the columns beside it has one.

    A row with a single column only lays out what is in a column of a row around it.
    """
    title = tree.css_first("h1") or tree.css_first("h2")
    column = title.parent if title is not None and not _is_name_of_site(title) else None
    for _ in range(_MAX_COLUMN_DEPTH):
        row = column.parent if column is not None else None
        if column is None or row is None:
            return None
        if has_class(row, "row"):
            others = [child for child in children(row) if child.tag != "-text" and child.mem_id != column.mem_id]
            if any(name.startswith("col-") for other in others for name in class_names(other)):
                is_text = any(other.css_first("h1, h2, h3, pre, table") is not None for other in others)
                return None if is_text else column
        column = row
    return None


def _content_box(tree: LexborHTMLParser) -> LexborNode | None:
    """The only element with the class `content` if it has text, and next to nothing but links stands outside of it.

    A heading outside is the name of the site if the title of the page stands right behind it. Below such a title, lists
    are text too: elsewhere they may be a menu.
    """
    boxes = tree.css(_CONTENT_BOX)
    if len(boxes) != 1:
        return None
    box = boxes[0]
    if len(tree.css(_TEXT)) != len(box.css(_TEXT)):
        return None
    outside = len(tree.css(_HEADINGS)) - len(box.css(_HEADINGS))
    first, title = tree.css_first("h1"), tree.css_first("title")
    behind_name = title_behind_site_name(first, inline_text(title), box) if first and title else ""
    if outside != int(behind_name != "") or box.css_first(f"ul, ol, {_TEXT}" if behind_name else _TEXT) is None:
        return None
    in_title = len(inline_text(title).split()) if title and behind_name else 0
    return None if _has_words_outside(tree.body, box, _MAX_WORDS_OUTSIDE + in_title) else box


def _has_words_outside(body: LexborNode | None, box: LexborNode, limit: int) -> bool:
    """Whether more words than `limit` stand outside of `box` in a page, in no link and where readers see them."""
    words = 0
    following = [body] if body is not None else []
    while following and words <= limit:
        node = following.pop()
        if node.tag == "-text":
            words += len((node.text_content or "").split())
        elif node.mem_id != box.mem_id and not (node.tag == "a" and "href" in node.attributes) and not is_dropped(node):
            following.extend(children(node))
    return words > limit


_FINDERS: Final[Mapping[str, Callable[[LexborHTMLParser], LexborNode | None]]] = {
    "article": _main_article,
    CONTENT_DIVISION: _content_division,
    MAIN_DIVISION: _main_division,
    CONTENT_COLUMN: _content_column,
    _CONTENT_BOX: _content_box,
}
"""By selector: what finds the content if the selector alone does not."""


def _page_title(tree: LexborHTMLParser, root: LexborNode | None, head: Head, selector: str) -> str:
    """The title as readers see it: the first heading, else the title of the head without the name of the site."""
    # Starlight writes the title above the content.
    heading = _first_title(root.css("h1") if root is not None else []) or _first_title(tree.css("main h1"))
    if selector in _TITLES_OUTSIDE:
        heading = tree.css_first(_TITLES_OUTSIDE[selector]) or heading
    title = title_of_heading(heading) if heading is not None else ""
    first = tree.css_first("h1")
    content = (tree.css_first(_CONTENT_BOX) or root) if selector == "body" else root
    if first is not None and (behind_name := title_behind_site_name(first, head.title, content)):
        return shortened(behind_name, MAX_TITLE)
    brand = title_of_heading(first) if first is not None and _is_name_of_site(first) else ""
    if brand == title and not begins_with_heading(head.title, title, head.generator):
        title = ""
    if title in _FIRST_OF_MANUAL and head.title:
        return shortened(head.title, MAX_TITLE)
    # Where the content was not found, the first heading may be the name of the site, with which the title of the head
    # ends: Node.js writes `Node.js documentation` above each page, and `Async hooks | Node.js Documentation` into it.
    if not title or (selector in ("body", CONTENT_DIVISION) and without_site_name(head.title, (title,)) != head.title):
        # The headings of such a page, and of the Rust book, begin at `h2`.
        subheading = root.css_first("h2, h3, h4, h5, h6") if root is not None else None
        subtitle = title_of_heading(subheading) if subheading is not None else ""
        if begins_with_heading(head.title, subtitle, head.generator):
            return shortened(subtitle, MAX_TITLE)
        site_names = (head.site_name, *(inline_text(brand) for brand in tree.css(_BRANDS)[:_MAX_BRANDS]))
        title = title or without_site_name(without_slogan(head.title, brand), (brand, *site_names))
    return shortened(title, MAX_TITLE)


def _first_title(headings: Iterable[LexborNode]) -> LexborNode | None:
    """The first of these headings that is not only the title of a table of contents."""
    return next((heading for heading in headings if contents_below(heading) is None), None)


def _is_name_of_site(heading: LexborNode) -> bool:
    """Whether a heading is nothing but a link to another page: the name of the site, which leads to its first page."""
    parts = [part for part in children(heading) if part.tag != "-text" or (part.text_content or "").strip()]
    link = parts[0] if len(parts) == 1 and parts[0].tag == "a" else heading.parent
    target = (link.attributes.get("href") or "") if link is not None and link.tag == "a" else ""
    return bool(target) and not target.startswith("#")


def _title_of_doxygen(tree: LexborHTMLParser, head: Head) -> str:
    """The title of a page of Doxygen, which stands above the content and is no heading."""
    title = tree.css_first(".headertitle .title")
    return shortened(inline_text(title) if title is not None else head.title, MAX_TITLE)


def _anchor(node: LexborNode, name: str, page: PageBuilder, *, duplicate: bool) -> ParsedAnchor:
    """The record of one id or name."""
    section = page.section_by_node.get(node.mem_id, -1)
    kind, level, text = page.cited.get(node.mem_id, (_uncited_kind(node, name), 0, ""))
    if name.startswith("__"):
        kind = "internal"
    role = object_role(node) if kind == "object" else ""
    return ParsedAnchor(name, kind, level, text, section, duplicate, role)


def _uncited_kind(node: LexborNode, name: str) -> AnchorKind:
    """The kind of an id that is not cited."""
    # Footnotes are recognised by the name in Python-Markdown and Docusaurus, by the role in Sphinx, and by the class in
    # Sphinx up to version 4.
    by_name = name.startswith(("fn:", "fnref", "fn-", "user-content-fn"))
    by_role = node.attributes.get("role") in ("doc-footnote", "doc-noteref")
    return "footnote" if by_name or by_role or has_class(node, "footnote-reference") else "other"
