"""What of a page is its content, and what of the content is not text.

The lists are of class names that generators and themes document or emit today; each group names its generator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

CONTENT_ROOTS: Final = (
    ".md-content__inner",  # Material for MkDocs
    ".theme-doc-markdown",  # Docusaurus, docs
    "#__blog-post-container",  # Docusaurus, blog
    "#furo-main-content",  # Sphinx, furo
    "[itemprop=articleBody]",  # Sphinx, Read the Docs
    ".bd-article",  # Sphinx, PyData
    "div.body[role=main]",  # Sphinx, classic themes
    ".vp-doc",  # VitePress
    ".sl-markdown-content",  # Starlight
    "[role=main]",
    "main",
    "article",
    "body",
)
"""Tried in order; the first that matches holds the content. A site's own selector goes before them."""

DROPPED_TAGS: Final = frozenset(
    "button canvas dialog iframe input math noscript object script select style svg template textarea video audio "
    "form map meta link progress".split()
)

DROPPED_CLASSES: Final = frozenset(
    # Permalinks beside headings: MkDocs, Docusaurus, VitePress, Sphinx.
    "headerlink hash-link header-anchor anchor-link "
    # Material: edit and view buttons, tags, blog meta data, page dates, feedback, annotations' line numbers.
    "md-content__button md-tags md-post__header md-post__meta md-post__authors md-post__action md-pagination "
    "md-source-file md-feedback md-meta md-banner "
    # Line numbers of Pygments and Rouge.
    "linenos lineno linenodiv "
    # Footnote marks in the running text, and the arrows that lead back.
    "footnote-ref footnote-backref footnote-reference "
    # Docusaurus: breadcrumbs, in-page tables of contents, pagination, edit links, buttons on code.
    "theme-doc-breadcrumbs theme-doc-toc-mobile theme-doc-footer pagination-nav theme-edit-this-page "
    # Sphinx: view source, copy buttons.
    "viewcode-link copybtn "
    # Repetitions for screen readers and for print.
    "sr-only visually-hidden visuallyhidden screen-reader-text toc".split()
)

ADMONITION_CLASSES: Final = frozenset("admonition theme-admonition custom-block alert".split())


def is_dropped(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether an element holds no text of the documentation: chrome, a repetition, or hidden."""
    if tag in DROPPED_TAGS:
        return True
    if not attributes:
        return False
    if "hidden" in attributes or "data-search-exclude" in attributes or attributes.get("aria-hidden") == "true":
        return True
    classes = (attributes.get("class") or "").split()
    if any(name in DROPPED_CLASSES or _is_badge(name) for name in classes):
        return True
    if tag == "nav" or attributes.get("role") == "navigation":
        return True
    style = attributes.get("style")
    return style is not None and "display:none" in style.replace(" ", "").lower()


def is_admonition(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether an element sets its content apart as a note, a warning or a fold."""
    return tag == "details" or bool(ADMONITION_CLASSES.intersection((attributes.get("class") or "").split()))


def _is_badge(name: str) -> bool:
    # `badge`, `mdx-badge`, `mdx-badge--right`, `badge_xyz` (CSS modules), but not `badger`.
    return "badge" in name.replace("_", "-").split("-")


# Invisible characters that generators put between the words: zero-width spaces and joiners' relatives, soft hyphen.
_INVISIBLE = {ord(character): None for character in "\u200b\u2060\ufeff\u00ad"} | {0xA0: " "}


def clean_text(text: str) -> str:
    """`text` without invisible characters, with white space folded to single spaces."""
    return " ".join(text.translate(_INVISIBLE).split())


def clean_code(text: str) -> str:
    """Code as shown: no invisible characters, no blank lines around it, no white space at line ends."""
    lines = [line.rstrip() for line in text.translate(_INVISIBLE).replace("\r\n", "\n").split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)
