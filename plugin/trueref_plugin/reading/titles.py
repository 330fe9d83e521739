"""Reads the titles of pages and sections, and tells the title of a page from the name of its site."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Final

from trueref_plugin.reading.elements import children
from trueref_plugin.reading.inline import inline_text
from trueref_plugin.reading.markup.clean import clean_text

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

_SEPARATORS: Final = (" - ", " \u2013 ", " \u2014 ", " | ", " \u00b7 ", " \u2022 ", " :: ", " \u00bb ")
"""What generators write between the title of a page and the name of its site."""

_TEXINFO: Final = ("texi2any", "makeinfo")
"""Names of Texinfo in its pages."""

_NUMBER: Final = re.compile(r"(?:\d{1,4}\.){0,9}\d{1,4}\.?\s")
"""The number of a section before its title: `19.4 Accumulation`, `1. Introduction`."""


def title_of_heading(heading: LexborNode) -> str:
    """The text of a heading, or the alternative texts of its pictures if it has no other text."""
    text = inline_text(heading)
    if text:
        return text
    return clean_text(" ".join(image.attributes.get("alt") or "" for image in heading.css("img[alt]")))


def without_site_name(head_title: str, site_names: Iterable[str]) -> str:
    """The `title` element without the name of the site at its end.

    Args:
        head_title: The text of the `title` element.
        site_names: Texts of the page that are the name of the site, or "".
    """
    for name in filter(None, site_names):
        for separator in _SEPARATORS:
            end = len(head_title) - len(separator + name)
            if end > 0 and head_title[end:].casefold() == (separator + name).casefold():
                return head_title[:end]
    return head_title


def without_slogan(head_title: str, site_name: str) -> str:
    """The `title` element without what it says behind the name of the site: `Install - H2O - the fast server`.

    Args:
        head_title: The text of the `title` element.
        site_name: The name of the site as the page shows it, or "".
    """
    for separator in _SEPARATORS if site_name else ():
        start = head_title.casefold().find(f"{separator}{site_name}{separator}".casefold())
        if start > 0:
            return head_title[: start + len(separator + site_name)]
    return head_title


def title_behind_site_name(heading: LexborNode, head_title: str, content: LexborNode | None) -> str:
    """The title that stands right behind the name of the site, "" if a heading is no such name.

    Some programs write `<h1>Kiln</h1>Firing clay` above the content of each page, and `Kiln: Firing clay` into its
    head. Within the content, or in an element of its own, what stands behind a heading may be a version or a slogan.

    Args:
        heading: The first heading of the page, which may be the name of the site.
        head_title: The text of the `title` element.
        content: The element that holds the content of the page.
    """
    name, around = title_of_heading(heading), heading.parent
    if not name or around is None or not head_title.startswith(name):
        return ""
    first = content.css_first("h1") if content is not None else None
    if first is not None and first.mem_id == heading.mem_id:
        return ""
    rest = head_title[len(name) :]
    separator = next((separator for separator in (": ", *_SEPARATORS) if rest.startswith(separator)), "")
    title = rest[len(separator) :].strip() if separator else ""
    shown = (part for part in children(around) if part.tag != "-text" or (part.text_content or "").strip())
    parts = list(islice(shown, 3))
    if not title or [part.tag for part in parts] != [heading.tag, "-text"]:
        return ""
    return title if (parts[1].text_content or "").split() == title.split() else ""


def begins_with_heading(head_title: str, heading: str, generator: str) -> bool:
    """Whether the `title` element of a page begins with a heading, and goes on with the name of the site if at all.

    The number of the heading may be missing: `Accumulation - GNU Octave` begins with `19.4 Accumulation`.

    Args:
        head_title: The text of the `title` element.
        heading: The text of the heading.
        generator: What made the page, "" if it does not say.
    """
    if generator.startswith(_TEXINFO) and heading:
        # The `title` has the name of the node, which may be another one than the heading.
        return True
    number = _NUMBER.match(heading)
    for title in (heading, heading[number.end() :] if number else ""):
        begins = bool(title) and head_title[: len(title)].casefold() == title.casefold()
        if begins and (len(head_title) == len(title) or head_title[len(title) :].startswith(_SEPARATORS)):
            return True
    return False
