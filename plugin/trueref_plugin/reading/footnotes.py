"""Where a footnote belongs: to the section that refers to it, though it stands at the end of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selectolax.lexbor import LexborNode

_BACK: Final = ".footnote-backref, .fn-backref, .reversefootnote, [data-footnote-backref], [role=doc-backlink]"
"""The link of a footnote to the place that refers to it: Python-Markdown, markdown-it and goldmark; docutils; kramdown;
GitHub and Docusaurus; docutils from version 0.18 on."""


def section_of_note(note: LexborNode, ids: Mapping[str, int], places: Mapping[int, int]) -> int | None:
    """The section that refers to a footnote first; None where nothing is known to.

    Args:
        note: The element of the footnote.
        ids: By id, the first element that has it (`mem_id`).
        places: By element, the section that it stands in.
    """
    for link in note.css(_BACK):
        target = link.attributes.get("href") or ""
        # `[#f1]_` twice in docutils: the label leads to none, and each arrow to one place.
        place = ids.get(unquote(target[1:])) if target.startswith("#") else None
        if place is not None and place in places:
            return places[place]
    return None
