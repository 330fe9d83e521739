"""What an element is to the text in it: a container around it, or what tells its role.

The lists are of class names that generators and themes document or emit today; each group names its generator.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Final

from trueref_core.records import BlockRole
from trueref_plugin.reading.elements import children, class_names, has_class

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

ADMONITION: Final = "a"
TABS: Final = "t"
LIST: Final = "l"
STEPS: Final = "o"
DEFINITIONS: Final = "d"
FRAME: Final = "f"
QUOTATION: Final = "q"
FOOTNOTES: Final = "b"

OLD_TAB: Final = "tabbed-content"
"""The class of a panel where labels stand between panels: Python-Markdown without its alternate style."""

CARD_MOST: Final = 300
"""Characters of a card that is a link: one that says more is text."""

_TAG_ROLES: Final[Mapping[str, BlockRole]] = {"summary": "title", "figcaption": "caption"}

_ROLES: Final[Mapping[str, BlockRole]] = {
    # Titles of admonitions: MkDocs and Sphinx; VitePress; Starlight; GitHub; Docusaurus 2. Of topics: Sphinx.
    "admonition-title": "title",
    "custom-block-title": "title",
    "starlight-aside__title": "title",
    "markdown-alert-title": "title",
    "admonition-heading": "title",
    "topic-title": "title",
    "sidebar-title": "title",
    # Titles of code and captions of figures: Sphinx, also up to version 4; Material, with line numbers.
    "code-block-caption": "caption",
    "caption": "caption",
    # What stands below the caption of a figure: Sphinx.
    "legend": "text",
    "filename": "caption",
    # A heading that is in no table of contents: Sphinx.
    "rubric": "heading",
    # Links to the source and to the pages before and after: PyData; downloads and signature: Sphinx-Gallery.
    "editthispage": "furniture",
    "sourcelink": "furniture",
    "prev-next-area": "furniture",
    "sphx-glr-footer": "furniture",
    "sphx-glr-download-link-note": "furniture",
    "sphx-glr-signature": "furniture",
    # Links to the pages before and after: DocBook.
    "navheader": "furniture",
    "navfooter": "furniture",
    # Questions whether a page was helpful, and when it was changed: Docsy; Docusaurus.
    "td-page-meta": "furniture",
    "feedback--question": "furniture",
    "feedback--answer": "furniture",
    "theme-last-updated": "furniture",
    # A card that is a link: Starlight.
    "sl-link-card": "links",
}

_STEM_ROLES: Final[Mapping[str, BlockRole]] = {"admonitionHeading": "title", "codeBlockTitle": "caption"}
"""By the part of a class before the first `_`: Docusaurus, whose style sheets are modules."""

_FOOTNOTES: Final = frozenset(
    # Material and docutils; Docusaurus, VitePress and GitHub; Sphinx.
    "footnote footnotes footnote-list citation citation-list".split()
)
_FRAMES: Final = frozenset(
    # Of code: Material; Docusaurus; Sphinx. Of figures: Sphinx up to version 4. Of all: DocBook.
    "highlight theme-code-block literal-block-wrapper figure example table".split()
)

_CALLOUTS: Final = frozenset("topic sidebar note tip important warning caution".split())
"""Classes of what is set apart where the first thing in it is a title: Sphinx, DocBook."""

_CALLOUT_TITLES: Final = frozenset(("topic-title", "sidebar-title", "title"))


def container_of(node: LexborNode, classes: Collection[str]) -> str:
    """The letter of the container that an element is, "" for none. Admonitions, tabs and lists have their readers."""
    if node.tag == "blockquote":
        return QUOTATION
    if node.tag == "figure" or not _FRAMES.isdisjoint(classes):
        return FRAME if _has_caption(node) else ""
    if not _FOOTNOTES.isdisjoint(classes):
        return FOOTNOTES
    if not _CALLOUTS.isdisjoint(classes) and not _is_contents(classes):
        first = next((child for child in children(node) if child.tag != "-text"), None)
        return ADMONITION if first is not None and not _CALLOUT_TITLES.isdisjoint(class_names(first)) else ""
    return ""


def role_of(node: LexborNode, classes: Collection[str]) -> BlockRole | None:
    """The role of the text in an element, None where the element does not tell."""
    tag = node.tag or ""
    if tag in _TAG_ROLES:
        return _TAG_ROLES[tag]
    if tag == "details":
        return "furniture" if _is_source(node) else None
    if tag == "a":
        return "links" if node.attributes.get("href") and len(node.text().strip()) <= CARD_MOST else None
    if _is_contents(classes):
        return "furniture"
    if tag == "p" and "title" in classes and node.parent is not None:
        return None if _FRAMES.isdisjoint(class_names(node.parent)) else "caption"
    # sphinx-design: the link lies over the card.
    if "sd-card" in classes and node.css_first("a.sd-stretched-link") is not None:
        return "links"
    for name in classes:
        role = _ROLES.get(name) or _STEM_ROLES.get(name.partition("_")[0])
        if role is not None and (name != "filename" or tag == "th"):
            return role
    return None


def inline_role_of(node: LexborNode) -> BlockRole | None:
    """The role of a line that begins with an inline element, None where it does not tell."""
    # Material: a title of code, which elsewhere is a word of a sentence; a card in a grid without a list.
    if node.tag == "span" and node.parent is not None and has_class(node, "filename"):
        return "caption" if has_class(node.parent, "highlight") or node.parent.tag == "th" else None
    return "links" if node.tag == "a" and has_class(node, "card") else None


def _has_caption(node: LexborNode) -> bool:
    """Whether what stands in a frame has a title of its own."""
    if node.tag == "figure":
        return node.css_first("figcaption") is not None
    for child in children(node):
        if child.tag == "table":
            return child.css_first("th.filename") is not None
        if child.tag != "-text" and "caption" in (role_of(child, class_names(child)), inline_role_of(child)):
            return True
    return False


def _is_contents(classes: Collection[str]) -> bool:
    """Whether an element is the table of contents of its own page: docutils up to version 0.17."""
    return "contents" in classes and "topic" in classes


def _is_source(details: LexborNode) -> bool:
    """Whether a fold holds what stands elsewhere: an object's source code, or a text in its other versions."""
    if has_class(details, "mkdocstrings-source"):
        return True
    summary = next((child for child in children(details) if child.tag == "summary"), None)
    title = summary.text().lstrip(" \n\t").lower() if summary is not None else ""
    # Pictures and symbols before the words do not count.
    words = " ".join(part for part in title.split() if any(map(str.isalnum, part)))
    return words.startswith("other versions") or (words.startswith("source code in ") and has_class(details, "quote"))
