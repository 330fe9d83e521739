"""Reads the head of a page: title, description, language, redirect, and whether search engines may index it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.markup.clean import clean_text
from trueref_plugin.reading.parsed import Head

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

_META_FIELDS = {
    "description": "description",
    "og:description": "description",
    "generator": "generator",
    "og:site_name": "site_name",
    "docusaurus_version": "version",
    "docsearch:version": "version",
}
"""By name of a `meta` element: the field of `Head` that its content goes into."""

_ROBOTS: Final = frozenset(("robots", "googlebot"))
"""Names of the `meta` elements that tell search engines whether they may index a page: all of them, or Google's."""

NOT_INDEXED: Final = frozenset(("noindex", "none"))
"""Words that keep a page out of search engines; `none` is noindex and nofollow."""


_LISTING_TAGS: Final = frozenset(
    "doc_tags_list doc_tag_doc_list blog_posts_list blog_tags_list blog_tags_posts blog_authors_list "
    "blog_authors_posts".split()
)
"""Values of `docusaurus_tag` on lists by tag or author, which Docusaurus leaves out of its own search (3.10)."""

_DOCS_TAG_PREFIX: Final = "docs-"
"""The beginning of `docusaurus_tag` on pages of docs: `docs-default-1.0`, where `default` names the docs."""

# A template statement at the beginning of a file, after comments.
_TEMPLATE_START: Final = re.compile(r"\s*+(?:<!--(?:[^-]++|-(?!->))*+-->\s*+)*+\{[%#{]")
_TEMPLATE_MARKS: Final = ("{%", "{{")
_PAGE_TAG: Final = re.compile(r"<(?:!doctype|html|head|body|title)[\s>]", re.IGNORECASE)


def is_template(html: str) -> bool:
    """Whether a file is a template of a theme that was copied into the site without being filled in.

    Readers are never sent to a template. A template begins with a template statement, or has such statements and none
    of the tags of a whole page. A page about templates shows statements too, but has those tags.
    """
    return _TEMPLATE_START.match(html) is not None or (
        any(mark in html for mark in _TEMPLATE_MARKS) and _PAGE_TAG.search(html) is None
    )


_SIGNATURE: Final = re.compile(
    r"<!-- Generated with (Sphinx [\w.]{1,30}(?: and [\w.\- ]{1,60})?) -->"
    r"|^(ProperDocs|MkDocs) version : ([^\n]{1,60})$",
    re.MULTILINE,
)
"""Comments in which generators name themselves: Furo, and MkDocs and ProperDocs with their own themes."""

_SPHINX_ELEMENTS: Final = (
    "html[data-content_root], script[src*='_static/documentation_options.js'], script#documentation_options"
)
"""Elements that Sphinx, from version 1.8 on, puts on every page with any theme."""

_CLEAN_URLS: Final = ('\\"cleanUrls\\":true', '"cleanUrls":true')
"""An option of VitePress, as it stands in the site data that VitePress writes into every page."""
_VITEPRESS_SIGNATURE: Final = 'content="VitePress v'

_ASSETS: Final = ", ".join(
    f"head {tag}[{name}^='/']:not([{name}^='//'])" for tag, name in (("script", "src"), ("link", "href"))
)
"""Selects the elements of the head whose address begins with the path that the site is published under."""

_NEXT_SELECTOR: Final = "link[rel~=next], a[rel~=next], a.pager-link.next"
"""Selects the link to the page to read next. The last of the three selectors is for VitePress."""


def read_head(tree: LexborHTMLParser, html: str, *, template: bool = False) -> Head:
    """Everything in the head of a page that its record needs; `template` is the result of `is_template`."""
    metadata: dict[str, str] = {}
    noindex, is_listing, docs_tag = False, False, ""
    for node in tree.css("meta"):
        attributes = node.attributes
        name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
        content = clean_text(attributes.get("content") or "")
        # Some themes print Python's `None` if a page has no description.
        if name in _META_FIELDS and content and content != "None":
            metadata.setdefault(_META_FIELDS[name], content)
        elif name in _ROBOTS or (attributes.get("http-equiv") or "").lower() == "x-robots-tag":
            # `x-robots-tag` may begin with the name of a robot: `googlebot: noindex`. A semicolon is read as a mistyped
            # comma: hiding a page by mistake does less harm than showing one by mistake.
            noindex = noindex or not NOT_INDEXED.isdisjoint(re.split(r"[\s,;:]+", content.lower()))
        elif name == "docusaurus_tag":
            is_listing, docs_tag = content in _LISTING_TAGS, content if content.startswith(_DOCS_TAG_PREFIX) else ""
    # For Docsearch this may be a list, in which the aliases of the version follow it: `2.1,latest`.
    version = metadata.pop("version", "").partition(",")[0].strip()
    if not metadata.get("generator") or metadata["generator"].startswith("Docutils"):
        # Pages of Sphinx name docutils, which Sphinx uses, as their generator.
        metadata["generator"] = _signed_by(tree, html)
    return Head(
        title=_title(tree),
        language=attribute(tree, "html", "lang"),
        canonical=attribute(tree, "link[rel=canonical]", "href"),
        next=attribute(tree, _NEXT_SELECTOR, "href"),
        redirect=redirect_of(tree),
        noindex=noindex,
        template=template,
        listing=is_listing,
        version=version,
        docs=docs_tag.removesuffix(f"-{version}"),
        clean_urls=has_clean_urls(html),
        asset=_asset(tree),
        **metadata,
    )


def _title(tree: LexborHTMLParser) -> str:
    """The text of the `title` element, without the words that Sphinx writes for a page without a title."""
    title = tree.css_first("title")
    return clean_text(title.text()).removeprefix("<no title> \u2014 ") if title is not None else ""


def attribute(tree: LexborHTMLParser, selector: str, name: str) -> str:
    """An attribute of the first element that a selector finds, "" if there is none."""
    node = tree.css_first(selector)
    return (node.attributes.get(name) or "") if node is not None else ""


def _asset(tree: LexborHTMLParser) -> str:
    """The address of a script, a style sheet or an icon that begins with a slash, "" if the page has none.

    The first one in a folder counts. Authors write `/favicon.ico` for the root of the host on sites that are published
    below it, too.
    """
    addresses = [node.attributes.get("src" if node.tag == "script" else "href") or "" for node in tree.css(_ASSETS)]
    return next((address for address in addresses if "/" in address[1:]), addresses[0] if addresses else "")


def has_clean_urls(html: str) -> bool:
    """Whether a page is of VitePress with the option `cleanUrls`: the addresses on it have no `.html`."""
    return _VITEPRESS_SIGNATURE in html and any(mark in html for mark in _CLEAN_URLS)


def _signed_by(tree: LexborHTMLParser, html: str) -> str:
    """The generator of a page whose head does not name it, recognised by other traces; "" if there are none."""
    signature = _SIGNATURE.search(html)
    if signature is not None:
        return signature[1] or f"{signature[2].lower()}-{signature[3].strip().removeprefix(signature[2]).strip()}"
    return "Sphinx" if tree.css_first(_SPHINX_ELEMENTS) is not None else ""


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
    address = after_time.lstrip().removeprefix(";").removeprefix(",").strip()
    key, equals_sign, value = address.partition("=")
    target = value.strip() if equals_sign and key.strip().lower() == "url" else address
    return target[1:].partition(target[0])[0] if target.startswith(("'", '"')) else target
