"""`llms.txt` and `llms-full.txt`: the site for language models, in the form of llmstxt.org.

The first is a title, a summary and lists of links; the second the text of every page. All links are in the manifest.
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
    # The form of llms.txt gives a meaning to this name alone: a model that has little room leaves the section out.
    "Optional": ("changelog", "blog"),
}
"""The lists of `llms.txt` in their order, each with the kinds of pages in it."""

_MARK: Final = re.compile(r"[\\`*\[\]<>]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w{1,32};)")


def llms_index(site: PublishedSite) -> bytes:
    """`llms.txt`: the pages of a site by their kind, each with its description."""
    parts = [f"# {_plain(site.site.name)}", f"> {_plain(_summary(site))}"]
    # Material gives the site's description to every page that has none. So a description of several pages is left out.
    descriptions = Counter(shown.page.description for shown in site.pages)
    for title, kinds in SECTIONS.items():
        lines = [_item(site, shown, descriptions) for shown in site.pages if shown.page.kind in kinds]
        if lines:
            parts.append("\n".join([f"## {title}", "", *lines]))
    return ("\n\n".join(parts) + "\n").encode()


def llms_full(site: PublishedSite, texts: Mapping[tuple[str, str], str]) -> bytes:
    """`llms-full.txt`: the text of every page, with its address below its title.

    Args:
        site: The site.
        texts: By site and page, the pages as Markdown; one without a text is left out.
    """
    parts = [f"# {_plain(site.site.name)}\n"]
    for shown in site.pages:
        text = texts.get((shown.page.site, shown.page.page), "")
        if text:
            target = _target(site, shown)
            source = f"Source: [{_plain(target)}]({target})"
            parts.append(_with_source(visible(text, allowed="\n\t"), source))
    return "\n".join(parts).encode()


def _summary(site: PublishedSite) -> str:
    """The description of the site by its landing page, or else its name and number of pages."""
    # The landing page describes the site in its own head.
    root = next((shown.page.description for shown in site.pages if shown.page.page == ""), "")
    return root or f"The documentation of {site.site.name}, {len(site.pages)} pages."


def _item(site: PublishedSite, shown: ShownPage, descriptions: Mapping[str, int]) -> str:
    """The line of a page, with its description if no other page has the same."""
    page = shown.page
    line = f"- [{_plain(page.title or page.page or site.site.name)}]({_target(site, shown)})"
    return f"{line}: {_plain(page.description)}" if page.description and descriptions[page.description] == 1 else line


def _target(site: PublishedSite, shown: ShownPage) -> str:
    """The address of a page as the target of a Markdown link: brackets would end it."""
    return site.url(shown.href).replace("(", "%28").replace(")", "%29")


def _with_source(text: str, source: str) -> str:
    """A text with the line of its source below its title, or above a text without one."""
    title, line, body = text.partition("\n")
    return f"{title}{line}\n{source}\n{body}" if title.startswith("# ") else f"{source}\n\n{text}"


def _plain(text: str) -> str:
    """Text of one line, none of which is read as a mark."""
    return _MARK.sub(r"\\\g<0>", visible(" ".join(text.split())))
