"""Indexes of any size out of a real one, and what they cost: the part of measure.py that is called `scale`.

A copy of a page has its own address, text and vectors: three words in ten are exchanged for others of the index, and
seeded noise takes a vector to a cosine of about 0.8 with the original. The copy numbered 0 is the original itself, so
that the questions have their answers. Of the anchors those that can be cited are copied: the ids of code lines are most
of the others, and no question meets them.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trueref_core.generations import IndexContent
    from trueref_core.opened import OpenIndex
    from trueref_core.records import Anchor, Chunk, Link, Page

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUESTIONS = 100
NOISE = 0.75
"""Length of the noise added to a vector of length 1: the cosine to the original is 1 / sqrt(1 + 0.75 ** 2)."""
EXCHANGED = 0.3


@dataclass(frozen=True)
class Original:
    """What is copied."""

    pages: list[Page]
    anchors: list[Anchor]
    chunks: list[Chunk]
    links: list[Link]
    vectors: NDArray[np.float32]
    opened: OpenIndex


async def read_original(index: Path) -> Original:
    """All of an index, hidden pages left out."""
    from trueref_core.generations import open_index, read_links
    from trueref_core.records import CITED_ANCHORS

    opened = await open_index(index)
    chunks = sorted((await opened.chunks(list(opened.rows))).values(), key=lambda it: (it.page, it.position))
    vectors = await opened.table.vectors([opened.rows[chunk.id] for chunk in chunks])
    pages = [page for page in opened.manifest.pages() if not page.hidden and page.kind != "redirect"]
    anchors = [it for page in pages for it in opened.manifest.anchors(page.page, page.site) if it.kind in CITED_ANCHORS]
    await opened.close()
    return Original(pages, anchors, chunks, read_links(index), vectors, opened)


def copies(original: Original, size: int) -> IndexContent:
    """An index of at least so many chunks."""
    from trueref_core.generations import IndexContent

    pages: list[Page] = []
    anchors: list[Anchor] = []
    chunks: list[Chunk] = []
    links: list[Link] = []
    by_page: dict[str, tuple[list[Anchor], list[int], list[Link]]] = {it.page: ([], [], []) for it in original.pages}
    for anchor in original.anchors:
        by_page[anchor.page][0].append(anchor)
    for row, chunk in enumerate(original.chunks):
        by_page[chunk.page][1].append(row)
    for link in original.links:
        if link.from_page in by_page:
            by_page[link.from_page][2].append(link)
    rows: list[int] = []
    number = 0
    words = [word for chunk in original.chunks for word in chunk.text.split(" ")]
    while len(chunks) < size:
        prefix = f"copy-{number}/" if number else ""
        chance = np.random.default_rng(number)
        for page in original.pages:
            own, at, edges = by_page[page.page]
            pages.append(replace(page, page=prefix + page.page, file=prefix + page.file, aliases=(), alias_anchors=(), source_path=""))
            anchors += [replace(it, page=prefix + it.page) for it in own]
            links += [copy_link(it, prefix) for it in edges]
            rows += at
            chunks += [copy_chunk(original.chunks[row], prefix, words, chance) for row in at] if number else [original.chunks[row] for row in at]
            if len(chunks) >= size:
                break
        number += 1
    vectors = noisy(original.vectors, np.asarray(rows), len(original.chunks))
    generation = original.opened.generation
    return IndexContent(
        sites=generation.sites,
        pages=tuple(pages),
        anchors=tuple(anchors),
        chunks=tuple(chunks),
        links=tuple(links),
        documents=(),
        recipes={},
        embedder=generation.embedder,
        dimensions=generation.dimensions,
        vectors=dict(zip((it.text_hash for it in chunks), vectors, strict=True)),
    )


def copy_link(link: Link, prefix: str) -> Link:
    to_page = link.to_page if link.kind == "external" else prefix + link.to_page
    return replace(link, from_page=prefix + link.from_page, to_page=to_page)


def copy_chunk(chunk: Chunk, prefix: str, words: list[str], chance: np.random.Generator) -> Chunk:
    """A chunk of a copy."""
    told = chunk.text.split(" ")
    for at in np.flatnonzero(chance.random(len(told)) < EXCHANGED):
        told[at] = words[int(chance.integers(len(words)))]

    def of(key: str) -> str:
        return prefix + key if key else ""

    return replace(
        chunk,
        id=prefix + chunk.id,
        page=prefix + chunk.page,
        section_id=prefix + chunk.section_id,
        parent_section=of(chunk.parent_section),
        child_sections=tuple(map(of, chunk.child_sections)),
        previous=of(chunk.previous),
        next=of(chunk.next),
        twin_of=of(chunk.twin_of),
        text=" ".join(told),
        text_hash=prefix + chunk.text_hash + chunk.id,
    )


def noisy(vectors: NDArray[np.float32], rows: NDArray[np.intp], exact: int) -> NDArray[np.float32]:
    """The vectors in some rows with noise, but for the first, which are the originals; all of length 1."""
    made = vectors[rows]
    chance = np.random.default_rng(1)
    for start in range(exact, len(made), 10_000):
        part = made[start : start + 10_000]
        noise = chance.normal(size=part.shape).astype(np.float32)
        part += noise * np.float32(NOISE / np.sqrt(part.shape[1]))
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return made
