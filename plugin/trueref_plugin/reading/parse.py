"""Reads one page: the one entry to this package for text that is known to be parsed safely."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser, LexborNode

from trueref_core.records import AnchorKind
from trueref_plugin.reading.clean import CONTENT_ROOTS, clean_text
from trueref_plugin.reading.findings import Findings
from trueref_plugin.reading.head import read_head
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.parsed import ParsedAnchor, ParsedPage
from trueref_plugin.reading.walk import Walk


def parse_page(html: str, content_selector: str | None = None) -> ParsedPage:
    """Everything Trueref takes from a page.

    Args:
        html: The text of the page.
        content_selector: A CSS selector tried before the known content roots.
    """
    tree = LexborHTMLParser(html)
    head = read_head(tree)
    root, selector = find_root(tree, content_selector)
    title = _page_title(root, head.title)
    ids = _ids(tree)
    walk = Walk(title, unreachable={node.mem_id for node, _, duplicate in ids if duplicate})
    if root is not None:
        walk.children(root)
    found = walk.found
    return ParsedPage(
        head=head,
        title=title,
        root=selector,
        sections=tuple(found.sections),
        blocks=found.blocks(),
        anchors=tuple(_anchor(node, name, found, duplicate=duplicate) for node, name, duplicate in ids),
        links=tuple(found.links),
    )


def find_root(tree: LexborHTMLParser, content_selector: str | None) -> tuple[LexborNode | None, str]:
    """The element that holds the content, and the selector that found it."""
    for selector in (*((content_selector,) if content_selector else ()), *CONTENT_ROOTS):
        found = tree.css_first(selector)
        if found is not None:
            return found, selector
    return None, ""


def _page_title(root: LexborNode | None, head_title: str) -> str:
    heading = root.css_first("h1") if root is not None else None
    title = inline_text(heading) if heading is not None else ""
    return title or clean_text(head_title)


def _ids(tree: LexborHTMLParser) -> list[tuple[LexborNode, str, bool]]:
    """Every id and `a[name]` in document order, with whether the page had it before: browsers go to the first."""
    found: list[tuple[LexborNode, str, bool]] = []
    seen: set[str] = set()
    for node in tree.css("[id], a[name]"):
        attributes = node.attributes
        # An element with both an id and a name can be reached by either.
        names = dict.fromkeys((attributes.get("id"), attributes.get("name") if node.tag == "a" else None))
        for name in names:
            if name:
                found.append((node, name, name in seen))
                seen.add(name)
    return found


def _anchor(node: LexborNode, name: str, found: Findings, *, duplicate: bool) -> ParsedAnchor:
    section = found.places.get(node.mem_id, -1)
    kind, level, text = found.cited.get(node.mem_id, (_plain_kind(name), 0, ""))
    if name.startswith("__"):
        kind = "internal"
    return ParsedAnchor(name, kind, level, text, section, duplicate)


def _plain_kind(name: str) -> AnchorKind:
    is_footnote = name.startswith(("fn:", "fnref:", "fn-", "user-content-fn-"))
    return "footnote" if is_footnote else "other"
