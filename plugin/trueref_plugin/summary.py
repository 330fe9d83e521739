"""What a record of a page needs, without its text: small enough to be looked at for every page in every build."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from trueref_core.records import Anchor
from trueref_core.states import anchors_digest
from trueref_plugin.cutting.cut import digest
from trueref_plugin.reading.parsed import Head, ParsedPage


class PageSummary(msgspec.Struct, frozen=True, gc=False):
    """One page. `title` is that of the content, `objects` the number of documented objects.

    `content` is a digest of blocks, links, ids and metadata, without navigation and other chrome; `anchors` is one of
    all ids, chrome included, as `anchors_digest` gives it. `encoding` is the one that the file was read in. `root` and
    `whole_body` are those of `ParsedPage`; `notes` say what of a PDF cannot be found.
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
    )


def page_anchors(site: str, page: str, parsed: ParsedPage) -> Iterable[Anchor]:
    """The anchors of a page as records, in document order."""
    for position, found in enumerate(parsed.anchors):
        section = parsed.sections[found.section] if found.section >= 0 else None
        breadcrumb = (*section.breadcrumb, section.title) if section is not None else ()
        parent = section.anchor if section is not None else ""
        yield Anchor(
            site,
            page,
            found.anchor,
            found.kind,
            found.level,
            found.text,
            breadcrumb,
            parent,
            position,
            found.duplicate,
            found.role,
        )


def _content_hash(parsed: ParsedPage) -> str:
    inside = [anchor for anchor in parsed.anchors if anchor.section >= 0 and anchor.kind != "internal"]
    # The parts that `head` has besides these two follow from the host, or are in the record of the page.
    told = (parsed.title, parsed.head.description, parsed.head.next)
    return digest(repr((told, parsed.sections, parsed.blocks, inside, parsed.links)))
