"""Reads of a page the values of some attributes, its ids, and its text: what a rendered source is looked at for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from selectolax.lexbor import LexborHTMLParser


@dataclass(frozen=True, slots=True)
class PageAttributes:
    """`values` are (tag, attribute, value) in the order of the page; `ids` and `text` are those of all its elements."""

    values: tuple[tuple[str, str, str], ...]
    ids: tuple[str, ...]
    text: str


def read_attributes(html: str, names: Sequence[str], textless: str) -> PageAttributes:
    """Reads a page that is known to be parsed safely.

    Args:
        html: The page.
        names: The attributes that are asked for.
        textless: A selector of the elements whose text is left out; "" leaves out all.
    """
    tree = LexborHTMLParser(html)
    nodes = tree.css(", ".join(f"[{name}]" for name in names))
    values = tuple((node.tag or "", name, value) for node in nodes for name in names if (value := node.attrs.get(name)))
    ids = tuple(node.id for node in tree.css("[id]") if node.id)
    if not textless:
        return PageAttributes(values, ids, "")
    for node in tree.css(textless):
        node.decompose()
    return PageAttributes(values, ids, tree.body.text() if tree.body else "")
