"""Small contents to publish, and what tests do with an index folder."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from trueref_core.generations.content import IndexContent, generation_id, ordered, page_states
from trueref_core.generations.served_generation import open_index
from trueref_core.records import Anchor, Chunk, Document, Link, Page, Site, TextVectors

DIMENSIONS = 8

SITE = Site("docs", "https://example.org/docs/", version="1.0", language="en")
PAGES = (
    Page("docs", "", "index.html", "Home", aliases=("index.html",)),
    Page("docs", "setup/", "setup/index.html", "Setup", aliases=("setup", "setup/index.html", "old/setup/")),
    Page("docs", "setup/colors/", "setup/colors/index.html", "Colors"),
    Page("docs", "secret/", "secret/index.html", "Secret", hidden=True, draft=True),
    Page("docs", "moved/", "moved/index.html", "Moved", kind="redirect"),
    Page("docs", "target/", "target/index.html", "Target", aliases=("moved/",)),
    Page("docs", "guide.pdf", "guide.pdf", "Guide", kind="pdf"),
    Page("docs", "faq.html", "faq.html", "Questions"),
)
ANCHORS = (
    Anchor("docs", "setup/", "install", "heading", 2, "Install", ("Setup",), "", 0),
    Anchor("docs", "setup/", "Ärger über", "heading", 2, "Umlauts", ("Setup",), "", 1),
    Anchor("docs", "setup/", "install", "heading", 3, "Install again", ("Setup",), "", 2, duplicate=True),
    Anchor("docs", "setup/", "a%20b", "term", 0, "Percent", (), "", 3),
    Anchor("docs", "setup/colors/", "primary", "heading", 2, "Primary", ("Colors",), "", 0),
    Anchor("docs", "setup/colors/", "__tabbed_1", "internal", 0, "", (), "", 1),
    Anchor("docs", "secret/", "plan", "heading", 2, "Plan", ("Secret",), "", 0),
    Anchor("docs", "target/", "here", "heading", 2, "Here", ("Target",), "", 0),
)


def chunk(number: int, **changes: object) -> Chunk:
    """A chunk whose fields follow from its number, but for those given."""
    plain = Chunk(
        id=f"c{number:03}",
        site="docs",
        page="setup/",
        anchor="install",
        section_id="setup/#install",
        title="Install",
        breadcrumb=("Setup",),
        parent_section="setup/#",
        child_sections=(),
        valid_anchors=("install",),
        previous="",
        next="",
        kind="prose",
        code_language="",
        code_index=-1,
        lead_in="",
        text=f"Paragraph number {number}.",
        overlap=0,
        aliases=(),
        tokens=5,
        position=number,
        page_number=0,
        page_kind="guide",
        version="1.0",
        language="en",
        twin_key="",
        text_hash=f"hash{number}",
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


CHUNKS = (
    chunk(0, text="Run `pip install trueref --no-deps` in a shell.", aliases=("--no-deps", "no", "deps")),
    chunk(1, text="There are no deps on other packages in this package."),
    chunk(2, text="Set foo.bar_baz in mkdocs.yml.", aliases=("foo.bar_baz", "foo", "bar", "baz", "mkdocs.yml", "mkdocs", "yml")),
    chunk(3, text="Other files, such as zensical.yml, are read by foo and by bar, not baz.", aliases=("zensical.yml",)),
    chunk(4, page="setup/colors/", anchor="primary", section_id="setup/colors/#primary", title="Primary color", text="It tints."),
    chunk(5, page="setup/colors/", anchor="primary", section_id="setup/colors/#primary", title="Hue", text="The primary color."),
    chunk(6, page="setup/colors/", section_id="setup/colors/#", title="中文", text="安装文档插件以后运行构建命令。", language="zh"),
    chunk(7, page="target/", section_id="target/#here", title="Here", text="It's quoted: O'Reilly.", version="2.0"),
)  # fmt: skip
LINKS = (Link("docs", "setup/", "install", "setup/colors/", "primary", "internal", "colors", "ok"),)
TEXTS = {("docs", ""): "# Home\n", ("docs", "setup/"): "# Setup\n\n## Install\n\nRun `pip`.\n"}
DOCUMENTS = (Document("docs", "setup/index.html", "h1", "2026-01-01T00:00:00Z", "embedded", 4, "", ""),)


def vectors(chunks: tuple[Chunk, ...] = CHUNKS) -> dict[str, TextVectors]:
    """For each text hash a vector of length 1, and wordpieces."""
    rows = np.random.default_rng(7).normal(size=(len(chunks), DIMENSIONS)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return {item.text_hash: TextVectors(row, wordpieces_of(item)) for item, row in zip(chunks, rows, strict=True)}


def wordpieces_of(item: Chunk) -> bytes:
    """A line with one wordpiece, whose eight signs are made of the position of the chunk."""
    return b"\1\0\1\0" + bytes([item.position % 256])


def content(note: str = "") -> IndexContent:
    """The sample site with vectors; another note makes another content."""
    return IndexContent(
        (SITE,),
        PAGES,
        ANCHORS,
        CHUNKS,
        LINKS,
        DOCUMENTS,
        {"note": note},
        "test/one",
        DIMENSIONS,
        vectors(),
        texts=TEXTS,
    )


def id_of(one: IndexContent) -> str:
    """The id under which content is published."""
    in_order = ordered(one)
    return generation_id(in_order, page_states(in_order))


def text_only() -> IndexContent:
    """The same without vectors."""
    return replace(content(), vectors=None)


def files_of(index: Path) -> dict[str, bytes]:
    """All files of an index but the lock, with their bytes."""
    paths = (path for path in index.rglob("*") if path.is_file() and path.name != "lock")
    return {path.relative_to(index).as_posix(): path.read_bytes() for path in paths}


def opens(index: Path) -> str:
    """Opens an index as a server does, and gives the id of what is served."""

    async def load() -> str:
        opened = await open_index(index)
        await opened.close()
        return opened.generation.id

    return asyncio.run(load())


def builds_of(index: Path) -> set[str]:
    """The names of the builds in an index."""
    return {path.name for path in (index / "builds").iterdir()}


def rewrite_current(index: Path, **changes: Any) -> None:
    """Changes fields of current.json."""
    path = index / "current.json"
    path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | changes))
