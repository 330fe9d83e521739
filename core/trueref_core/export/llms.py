"""`llms.txt` and `llms-full.txt`: the site for language models, in the form of llmstxt.org.

`llms.txt` has a title, a summary and lists of links; `llms-full.txt` has the text of every page. Both link only to
pages of the manifest.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Final

from trueref_core.export.published_site import PublishedSite, ShownPage
from trueref_core.records import PageKind
from trueref_core.text.printable import visible

SECTIONS: Final[Mapping[str, tuple[PageKind, ...]]] = {
    "Start": ("landing",),
    "Guides": ("guide",),
    "Reference": ("reference",),
    "API": ("api",),
    "Examples": ("example",),
    "Documents": ("pdf",),
    # llmstxt.org gives a meaning to this name only: a model with little room may leave this section out.
    "Optional": ("changelog", "blog"),
}
"""The lists of `llms.txt` in their order, each with the kinds of pages in it."""

_MARKDOWN_SIGN: Final = re.compile(r"[\\`*\[\]<>]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,32};)")
"""Matches a sign that Markdown reads as markup: no `_` inside a word, and no `&` that begins no entity."""


def llms_index(site: PublishedSite) -> bytes:
    """The bytes of `llms.txt`: the pages of a site by their kind, each with its description."""
    parts = [f"# {_escaped_line(site.site.name)}", f"> {_escaped_line(_summary(site))}"]
    # Material gives the site's description to every page that has none, so a description on several pages is left out.
    descriptions = Counter(shown.page.description for shown in site.pages)
    for title, kinds in SECTIONS.items():
        lines = [_item(site, shown, descriptions) for shown in site.pages if shown.page.kind in kinds]
        if lines:
            parts.append("\n".join([f"## {title}", "", *lines]))
    return ("\n\n".join(parts) + "\n").encode()


def llms_full(site: PublishedSite, texts: Mapping[tuple[str, str], str]) -> bytes:
    """The bytes of `llms-full.txt`: the text of every page, with the page's address below its title.

    Args:
        site: The site.
        texts: The Markdown of pages, by site and address. A page without a text is left out.
    """
    parts = [f"# {_escaped_line(site.site.name)}\n"]
    for shown in site.pages:
        text = texts.get((shown.page.site, shown.page.page), "")
        if text:
            target = _target(site, shown)
            source = f"Source: [{_escaped_line(target)}]({target})"
            parts.append(_with_source(visible(text, allowed="\n\t"), source))
    return "\n".join(parts).encode()


def _summary(site: PublishedSite) -> str:
    """The description of the site on its root page, or else its name and number of pages."""
    root = next((shown.page.description for shown in site.pages if shown.page.page == ""), "")
    return root or f"The documentation of {site.site.name}, {len(site.pages)} pages."


def _item(site: PublishedSite, shown: ShownPage, descriptions: Mapping[str, int]) -> str:
    """The line for a page in a list, with the page's description if no other page has the same."""
    page = shown.page
    line = f"- [{_escaped_line(page.title or page.page or site.site.name)}]({_target(site, shown)})"
    return (
        f"{line}: {_escaped_line(page.description)}"
        if page.description and descriptions[page.description] == 1
        else line
    )


def _target(site: PublishedSite, shown: ShownPage) -> str:
    """The address of a page as the target of a Markdown link, with brackets encoded, since they would end it."""
    return site.url(shown.href).replace("(", "%28").replace(")", "%29")


def _with_source(text: str, source: str) -> str:
    """A text with the line `source` below its title, or above the text if it has no title."""
    title, line, body = text.partition("\n")
    return f"{title}{line}\n{source}\n{body}" if title.startswith("# ") else f"{source}\n\n{text}"


def _escaped_line(text: str) -> str:
    """A text on one line, with the signs of Markdown escaped."""
    return _MARKDOWN_SIGN.sub(r"\\\g<0>", visible(" ".join(text.split())))
