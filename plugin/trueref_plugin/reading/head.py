"""Reads the head of a page: title, description, language, redirect, and whether search engines may index it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.clean import clean_text
from trueref_plugin.reading.parsed import Head

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_META = {
    "description": "description",
    "og:description": "description",
    "generator": "generator",
    "og:site_name": "site_name",
    "docusaurus_version": "version",
    "docsearch:version": "version",
}

_ROBOTS: Final = frozenset(("robots", "googlebot"))
"""Names of the `meta` elements that tell search engines whether they may index a page: all of them, or Google's."""

NOT_INDEXED: Final = frozenset(("noindex", "none"))
"""Words that keep a page out of search engines; `none` is noindex and nofollow."""


_LISTS: Final = frozenset(
    "doc_tags_list doc_tag_doc_list blog_posts_list blog_tags_list blog_tags_posts blog_authors_list "
    "blog_authors_posts".split()
)
"""Values of `docusaurus_tag` on lists by tag or author, which Docusaurus leaves out of its own search (3.10)."""

_DOCS: Final = "docs-"
"""The beginning of `docusaurus_tag` on pages of docs: `docs-default-1.0`, where `default` names the docs."""

_TEMPLATE: Final = re.compile(r"\s*+(?:<!--(?:[^-]++|-(?!->))*+-->\s*+)*+\{[%#{]")
_MARKS: Final = ("{%", "{{")
_PAGE: Final = re.compile(r"<(?:!doctype|html|head|body|title)[\s>]", re.IGNORECASE)


def is_template(html: str) -> bool:
    """Whether a file is a template of a theme that was copied into the site unfilled: no reader is sent there.

    A template begins with a statement, or has statements and is no whole page. Pages about templates are whole pages.
    """
    return _TEMPLATE.match(html) is not None or (any(mark in html for mark in _MARKS) and _PAGE.search(html) is None)


_SIGNED: Final = re.compile(
    r"<!-- Generated with (Sphinx [\w.]{1,30}(?: and [\w.\- ]{1,60})?) -->"
    r"|^(ProperDocs|MkDocs) version : ([^\n]{1,60})$",
    re.MULTILINE,
)
"""How generators sign a page in a comment: Furo, and MkDocs and ProperDocs with their own themes."""

_SPHINX: Final = (
    "html[data-content_root], script[src*='_static/documentation_options.js'], script#documentation_options"
)
"""Elements that Sphinx from version 1.8 on puts on every page, with any theme."""

_CLEAN_URLS: Final = ('\\"cleanUrls\\":true', '"cleanUrls":true')
_VITEPRESS: Final = 'content="VitePress v'
"""How VitePress signs a page. `_CLEAN_URLS` stands in the data of the site that it writes into every page."""

_NEXT: Final = "link[rel~=next], a[rel~=next], a.pager-link.next"
"""Selects the link to the page to read next; the last one is of VitePress."""


def read_head(tree: LexborHTMLParser, html: str, *, template: bool = False) -> Head:
    """Everything in the head of a page that its record needs; `template` is the result of `is_template`."""
    metadata: dict[str, str] = {}
    noindex, listing, docs = False, False, ""
    for node in tree.css("meta"):
        attributes = node.attributes
        name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
        content = clean_text(attributes.get("content") or "")
        # Some themes print the `None` of a page without a description.
        if name in _META and content and content != "None":
            metadata.setdefault(_META[name], content)
        elif name in _ROBOTS or (attributes.get("http-equiv") or "").lower() == "x-robots-tag":
            # The header may name the robot that it is for: `googlebot: noindex`. A semicolon is a slip for a comma, and
            # what is hidden by mistake does less harm than what is shown by mistake.
            noindex = noindex or not NOT_INDEXED.isdisjoint(re.split(r"[\s,;:]+", content.lower()))
        elif name == "docusaurus_tag":
            listing, docs = content in _LISTS, content if content.startswith(_DOCS) else ""
    # Docsearch takes a list with the version before its aliases: `2.1,latest`.
    version = metadata.pop("version", "").partition(",")[0].strip()
    if not metadata.get("generator") or metadata["generator"].startswith("Docutils"):
        # Sphinx names docutils, which it uses, as the generator of a page.
        metadata["generator"] = _signed_by(tree, html)
    return Head(
        title=_title(tree),
        language=attribute(tree, "html", "lang"),
        canonical=attribute(tree, "link[rel=canonical]", "href"),
        next=attribute(tree, _NEXT, "href"),
        redirect=redirect_of(tree),
        noindex=noindex,
        template=template,
        listing=listing,
        version=version,
        docs=docs.removesuffix(f"-{version}"),
        clean_urls=has_clean_urls(html),
        **metadata,
    )


def _title(tree: LexborHTMLParser) -> str:
    """The text of the `title` element."""
    title = tree.css_first("title")
    return clean_text(title.text()) if title is not None else ""


def attribute(tree: LexborHTMLParser, selector: str, name: str) -> str:
    """An attribute of the first element that a selector finds, "" if there is none."""
    node = tree.css_first(selector)
    return (node.attributes.get(name) or "") if node is not None else ""


def has_clean_urls(html: str) -> bool:
    """Whether VitePress made a page for addresses without `.html`."""
    return _VITEPRESS in html and any(mark in html for mark in _CLEAN_URLS)


def _signed_by(tree: LexborHTMLParser, html: str) -> str:
    """The generator of a page that does not name it, by the traces that it leaves."""
    signed = _SIGNED.search(html)
    if signed is not None:
        return signed[1] or f"{signed[2].lower()}-{signed[3].strip().removeprefix(signed[2]).strip()}"
    return "Sphinx" if tree.css_first(_SPHINX) is not None else ""


def redirect_of(tree: LexborHTMLParser) -> str:
    """The address that a page redirects to, "" if it does not redirect."""
    targets = (refresh_target(node.attrs.get("content") or "") for node in tree.css("meta[http-equiv=refresh i]"))
    return next(filter(None, targets), "")


def refresh_target(content: str) -> str:
    """The address in `0; url=...` of a meta refresh, "" if it only reloads the page.

    Source: the HTML standard, "shared declarative refresh steps": a comma may stand for the semicolon, and `url=` may
    be left out.
    """
    after_time = content.strip().lstrip("0123456789.")
    if after_time == content.strip():
        return ""
    after_separator = after_time.lstrip().removeprefix(";").removeprefix(",").strip()
    key, mark, value = after_separator.partition("=")
    target = value.strip() if mark and key.strip().lower() == "url" else after_separator
    return target[1:].partition(target[0])[0] if target.startswith(("'", '"')) else target
