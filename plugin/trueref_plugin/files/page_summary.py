"""The summary of a page: what its record needs, without its text.

It is small, because every build reads all summaries.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import msgspec

from trueref_core.generations.page_digests import anchors_digest
from trueref_core.records import Anchor
from trueref_plugin.digests import digest
from trueref_plugin.reading.parsed import Head, ParsedPage

MIN_BODY: Final = 60
"""A text of fewer characters does not identify its section: `See the guide.` stands under many headings."""

BODY_DIGITS: Final = 12
"""Hexadecimal digits of the digest of such a text. Few are enough: it is compared only with digests of one page."""


class PageSummary(msgspec.Struct, frozen=True, gc=False):
    """The summary of one page. `title` is the title in its content, and `objects` the number of documented objects.

    `sections` is the number of headings that begin a section.

    `content` is a digest of blocks, links, ids and metadata, without navigation and other chrome. `anchors` is a digest
    of all ids, chrome included (see `anchors_digest`). `encoding` is the encoding that the file was decoded with.
    `root` and `whole_body` are those of `ParsedPage`; `notes` say which content of a PDF cannot be searched.
    """

    head: Head
    title: str
    objects: int
    content: str
    anchors: str
    encoding: str
    root: str = ""
    whole_body: bool = False
    notes: tuple[str, ...] = ()
    sections: int = 0


@dataclass(frozen=True, slots=True)
class PageRead:
    """One file as read.

    `digest` is that of its bytes, and `modified` the time of its last change, in seconds since 1970.
    """

    file: str
    digest: str
    modified: float
    summary: PageSummary


def summarize(parsed: ParsedPage, encoding: str = "utf-8", notes: tuple[str, ...] = ()) -> PageSummary:
    """The summary of a page."""
    return PageSummary(
        head=parsed.head,
        title=parsed.title,
        objects=sum(anchor.kind == "object" for anchor in parsed.anchors),
        content=_content_hash(parsed),
        anchors=anchors_digest(page_anchors("", "", parsed)),
        encoding=encoding,
        root=parsed.root,
        whole_body=parsed.whole_body,
        notes=notes,
        sections=sum(anchor.kind == "heading" for anchor in parsed.anchors),
    )


def page_anchors(site: str, page: str, parsed: ParsedPage) -> Iterable[Anchor]:
    """The anchors of a page as records, in document order."""
    bodies = _body_digests(parsed)
    for position, anchor in enumerate(parsed.anchors):
        section = parsed.sections[anchor.section] if anchor.section >= 0 else None
        breadcrumb = (*section.breadcrumb, section.title) if section is not None else ()
        parent = section.anchor if section is not None else ""
        yield Anchor(
            site,
            page,
            anchor.anchor,
            anchor.kind,
            anchor.level,
            anchor.text,
            breadcrumb,
            parent,
            position,
            anchor.duplicate,
            anchor.role,
            bodies.get(anchor.anchor, "") if anchor.kind == "heading" else "",
        )


def _body_digests(parsed: ParsedPage) -> dict[str, str]:
    """By id of a heading: a digest of the text between it and the next heading.

    If an author changes a heading, its id changes too. A later build then recognises the section by this digest (see
    `trueref_core.compare`).
    """
    texts: dict[str, list[str]] = {}
    for block in parsed.blocks:
        if block.section >= 0 and block.role != "furniture":
            texts.setdefault(parsed.sections[block.section].anchor, []).append(block.text)
    joined = {anchor: "\n".join(lines) for anchor, lines in texts.items() if anchor}
    return {anchor: digest(text)[:BODY_DIGITS] for anchor, text in joined.items() if len(text) >= MIN_BODY}


def _content_hash(parsed: ParsedPage) -> str:
    """A digest of the content of a page. It changes with the documentation on the page, but not with its navigation."""
    inside = [anchor for anchor in parsed.anchors if anchor.section >= 0 and anchor.kind != "internal"]
    # The other fields of `head` follow from the configuration of the host, or are in the record of the page anyway.
    metadata = (parsed.title, parsed.head.description, parsed.head.next)
    return digest(repr((metadata, parsed.sections, parsed.blocks, inside, parsed.links)))
