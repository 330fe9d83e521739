"""A small site that tests write and index: what is published of it, and what the build says."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tests.plugin.pages import page

from trueref_core.generations.served_generation import open_index, read_manifest
from trueref_core.records import Chunk
from trueref_plugin.build.build import IndexReport, index_site
from trueref_plugin.progress import Reporter

HOME = page('<h1 id="home">Home</h1><p>Welcome to the guide.</p>')
SETUP = page('<h1 id="setup">Setup</h1><p>Install the package.</p><h2 id="colors">Colors</h2><p>Pick a color.</p>')
SECRET = page("<h1 id=x>Secret</h1><p>Secret text.</p>")


class Heard(Reporter):
    """Keeps what a build warns of."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def warn(self, line: str) -> None:
        self.warnings.append(line)


class Project:
    """A site folder and an index beside it."""

    def __init__(self, folder: Path) -> None:
        self.site, self.index = folder / "site", folder / "index"
        self.site.mkdir()
        self.heard = Heard()

    def write(self, **pages: str) -> Project:
        """Writes pages, named by their files without `.html`."""
        for name, html in pages.items():
            (self.site / f"{name}.html").write_text(html, encoding="utf-8")
        return self

    def build(self, **options: object) -> IndexReport:
        """Indexes the site without vectors, unless told."""
        given = {"embedder": "lexical", "report": self.heard} | options
        return index_site(self.site, index=self.index, **given)  # type: ignore[arg-type]

    def chunks(self) -> list[Chunk]:
        """What was published to be searched, in the order of the pages."""

        async def read() -> list[Chunk]:
            opened = await open_index(self.index)
            try:
                return list((await opened.chunks(opened.rows.ids)).values())
            finally:
                await opened.close()

        return sorted(asyncio.run(read()), key=lambda chunk: (chunk.page, chunk.position))

    def searched(self) -> set[str]:
        """The pages that have chunks."""
        return {chunk.page for chunk in self.chunks()}

    def anchors(self, address: str) -> list[str]:
        """The anchors of a page that links may use."""
        return [anchor.anchor for anchor in read_manifest(self.index).anchors(address)]
