"""A small index made by hand: seven sections of two pages, published as a build would, in a few hundredths of a second."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from trueref_core.generations.content import IndexContent
from trueref_core.generations.publication import publish
from trueref_core.records import Anchor, Chunk, ChunkKind, Generation, Link, Page, Site, TextVectors
from trueref_core.text.block_marks import BlockMark, write_mark

SITE = Site(name="demo", base_url="https://docs.example.org/demo/", version="", language="en", digest="d")

PAGES: Mapping[str, Mapping[str, str]] = {
    "setup/colors/": {
        "": "Colors of the site are set in the configuration file.",
        "dark-mode": "Dark mode is switched on with the palette toggle. Readers can choose between light and dark.",
        "custom-colors": "Custom colors are defined as CSS variables in an extra style sheet.",
    },
    "install/": {
        "": "Installation takes one command and no compiler.",
        "with-pip": "Install the package with pip. The option `--no-deps` leaves out dependencies.",
        "with-docker": "The container image holds everything, and mounts the folder with your documentation.",
        "größe": "The image has a size of twelve megabytes.",
    },
}


def chunk(page: str, anchor: str, text: str, position: int) -> Chunk:
    title = anchor.replace("-", " ").capitalize() or page
    return Chunk(
        id=f"{page}#{anchor}",
        site=SITE.name,
        page=page,
        anchor=anchor,
        section_id=f"{page}#{anchor}",
        title=title,
        breadcrumb=(page,),
        parent_section="",
        child_sections=(),
        valid_anchors=(anchor,) if anchor else (),
        previous="",
        next="",
        kind="prose",
        code_language="",
        code_index=0,
        lead_in="",
        text=text,
        overlap=0,
        aliases=(),
        tokens=len(text) // 4,
        position=position,
        page_number=0,
        page_kind="guide",
        version="",
        language="en",
        twin_key="",
        text_hash=f"{page}#{anchor}",
        blocks=marks(text),
    )


def marks(text: str, kind: ChunkKind = "prose", overlap: int = 0) -> tuple[str, ...]:
    """The marks of a chunk whose paragraphs begin in it; of one that repeats the one before, what follows that."""
    if kind in ("code", "table"):
        return (write_mark(BlockMark(0, "text", kind)),)
    starts = [0, *(match.end() for match in re.finditer("\n\n", text))]
    return tuple(write_mark(BlockMark(start, "text", kind)) for start in starts if start > overlap or not overlap)


def content(
    extra: Mapping[str, Mapping[str, str]] | None = None, embedder: str = "lexical", dimensions: int = 0
) -> IndexContent:
    """The pages above, and those of `extra`. With `dimensions` every chunk has a vector, all of them alike."""
    pages = {**PAGES, **(extra or {})}
    chunks = tuple(
        chunk(page, anchor, text, position)
        for page, sections in pages.items()
        for position, (anchor, text) in enumerate(sections.items())
    )
    vector = np.full(dimensions, dimensions**-0.5 if dimensions else 0, dtype=np.float32)
    return IndexContent(
        sites=(SITE,),
        pages=tuple(
            Page(site=SITE.name, page=page, file=f"{page}index.html", title=page, language="en") for page in pages
        ),
        anchors=tuple(
            Anchor(site=SITE.name, page=page, anchor=anchor, kind="heading", level=2, text=anchor, position=position)
            for page, sections in pages.items()
            for position, anchor in enumerate(sections)
            if anchor
        ),
        chunks=chunks,
        links=(
            *(
                Link(SITE.name, page, "", page, anchor, "child", anchor, "ok")
                for page, sections in pages.items()
                for anchor in sections
                if anchor
            ),
            Link(SITE.name, "setup/colors/", "dark-mode", "install/", "with-pip", "internal", "the pip page", "ok"),
        ),
        documents=(),
        texts={(SITE.name, page): "\n\n".join(sections.values()) for page, sections in pages.items()},
        recipes={},
        embedder=embedder,
        dimensions=dimensions,
        vectors={item.text_hash: TextVectors(vector) for item in chunks} if dimensions else None,
    )


def publish_demo(index: Path, extra: Mapping[str, Mapping[str, str]] | None = None) -> Generation:
    """Publish the pages above, and those of `extra`."""
    return publish(index, content(extra)).generation
