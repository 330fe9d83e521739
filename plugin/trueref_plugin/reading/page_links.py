"""Reads only what a check of links needs from a page.

From a page of a built site, these are its anchors, its links and its own address. That is much less work than
`parse_page`: no content root, no sections, and no text except that of headings. From a rendered source file, these are
some attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from trueref_core.records import AnchorKind
from trueref_plugin.reading.elements import HEADINGS
from trueref_plugin.reading.head import attribute, has_clean_urls, is_template, redirect_of
from trueref_plugin.reading.targets import named_elements

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

FILES: Final = {
    "img": "src",
    "script": "src",
    "source": "src",
    "video": "src",
    "audio": "src",
    "track": "src",
    "embed": "src",
    "iframe": "src",
    "input": "src",
    "object": "data",
    "link": "href",
}
"""By element: the attribute that names a file which a browser loads with the page."""

LOADED_RELATIONS: Final = frozenset(
    "stylesheet icon shortcut apple-touch-icon mask-icon manifest preload modulepreload prefetch".split()
)
"""Relations of a `link` element whose file a browser loads. The others are for search engines and feed readers."""

_FILES_SELECTOR = ", ".join(f"{tag}[{attribute}]" for tag, attribute in FILES.items())
_KINDS_BY_TAG: Final[dict[str, AnchorKind]] = {"dt": "term", "tr": "row"}


class ReadAnchor(NamedTuple):
    """An id or `a[name]`. Only headings have a text; `duplicate` as in `trueref_core.records.Anchor`."""

    anchor: str
    kind: AnchorKind
    level: int
    text: str
    duplicate: bool


@dataclass(frozen=True, slots=True)
class PageLinks:
    """What a check needs from a page. Addresses are as written, each once, and "" if the page has none.

    `links` are the addresses that a reader can follow, and that of a redirect; `files` are those that the browser loads
    with the page. `base` is the address in `<base href>`. `clean_urls`: the addresses of the site have no `.html`.
    """

    anchors: tuple[ReadAnchor, ...]
    links: tuple[str, ...]
    files: tuple[str, ...]
    canonical: str
    redirect: str
    base: str
    clean_urls: bool = False


def read_links(html: str) -> PageLinks:
    """Reads a page of a built site. Call it through `GuardedReader`, because parsing may hang or crash.

    The links of a template are left out: nobody follows them.
    """
    tree = LexborHTMLParser(html)
    if is_template(html):
        return PageLinks(_anchors(tree), (), (), "", "", "")
    links = [node.attrs.get("href") or "" for node in tree.css("a[href], area[href]")]
    redirect = redirect_of(tree)
    if redirect:
        links.append(redirect)
    return PageLinks(
        anchors=_anchors(tree),
        links=tuple(dict.fromkeys(links)),
        files=tuple(dict.fromkeys(filter(None, map(_file, tree.css(_FILES_SELECTOR))))),
        canonical=attribute(tree, "link[rel=canonical]", "href"),
        redirect=redirect,
        base=attribute(tree, "base[href]", "href"),
        clean_urls=has_clean_urls(html),
    )


def _anchors(tree: LexborHTMLParser) -> tuple[ReadAnchor, ...]:
    """Every id and name of the page."""
    return tuple(_anchor(name, node, duplicate=duplicate) for node, name, duplicate in named_elements(tree))


def _anchor(name: str, node: LexborNode, *, duplicate: bool) -> ReadAnchor:
    """An id or name of an element, with its kind."""
    tag = node.tag or ""
    if name.startswith("__"):
        return ReadAnchor(name, "internal", 0, "", duplicate)
    if tag in HEADINGS:
        return ReadAnchor(name, "heading", HEADINGS[tag], node.text(), duplicate)
    # Sphinx puts the id of a heading on the section around it, and an `a` with a name stands before its heading.
    is_heading = tag in ("section", "a") and not name.startswith("fn")
    return ReadAnchor(name, "heading" if is_heading else _KINDS_BY_TAG.get(tag, "other"), 0, "", duplicate)


def _file(node: LexborNode) -> str:
    """The file that an element loads, "" if it loads none."""
    tag = node.tag or ""
    if tag == "link" and LOADED_RELATIONS.isdisjoint((node.attrs.get("rel") or "").lower().split()):
        return ""
    return node.attrs.get(FILES[tag]) or ""


@dataclass(frozen=True, slots=True)
class PageAttributes:
    """What a check needs from a rendered source file.

    `values` holds (tag, attribute, value) in the order of the page, `ids` all ids of the page, and `text` its text.
    """

    values: tuple[tuple[str, str, str], ...]
    ids: tuple[str, ...]
    text: str


def read_attributes(html: str, names: Sequence[str], textless: str) -> PageAttributes:
    """Reads a rendered source file. Call it through `GuardedReader`, because parsing may hang or crash.

    Args:
        html: The page.
        names: Names of the attributes to read.
        textless: A selector of the elements whose text is left out; "" leaves out all text.
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
