"""Indexes of any size out of a real one, and what questions to them cost: `python -m scripts.measure scale`.

A copy of a page has its own address, text and vectors. Three words in ten of its titles and texts are exchanged for
others of the index, and noise takes each vector to a cosine of 0.8 with the original. The first copy is the original
itself, so that the questions have their answers. Only anchors that can be cited are copied: most others are lines of
code. Everything that chance decides is the same in every run.

The measurement starts this program anew for each step, so that one does not meet the memory of another:

    python -m scripts.measure_scale make INDEX OUT CHUNKS       make an index of so many chunks
    python -m scripts.measure_scale serve INDEX CASES           ask it
    python -m scripts.measure_scale recall INDEX CASES          compare its nearest chunks with the exact ones
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scripts.arguments import existing, index_folder, parser_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.content import IndexContent
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.records import Anchor, Chunk, Generation, Link, Page

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUESTIONS = 100
ROUNDS = 3
NOISE = 0.75
"""Length of the noise for a vector of length 1: the cosine to the original is 1 / sqrt(1 + 0.75 ** 2)."""
EXCHANGED = 0.3
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Original:
    """An index to copy: its pages, each with what stands on it, and the vectors of its chunks."""

    generation: Generation
    pages: list[Page]
    anchors: dict[str, list[Anchor]]
    chunks: dict[str, list[Chunk]]
    links: dict[str, list[Link]]
    vectors: dict[str, NDArray[np.float32]]


@dataclass(frozen=True)
class Made:
    """Seconds that tables with their indexes took, those of all of publishing, and megabytes on the disk."""

    chunks: int
    tables: float
    published: float
    disk: float


@dataclass(frozen=True)
class Served:
    """Seconds to open an index and to warm it, milliseconds of its questions, and megabytes of the process at most."""

    opened: float
    warmed: float
    p50: float
    p95: float
    embedding: float
    memory: float


async def read_original(index: Path) -> Original:
    """All of an index with one site, but for hidden pages."""
    from trueref_core.generations.served_generation import open_index, published_vectors, read_links
    from trueref_core.records import CITED_ANCHORS

    opened = await open_index(index)
    by_id = await opened.chunks(opened.rows.ids)
    await opened.close()
    vectors = published_vectors(opened.path, None)
    manifest = opened.manifest
    pages = [page for page in manifest.pages() if not page.hidden and page.kind != "redirect"]
    chunks = sorted(by_id.values(), key=lambda chunk: chunk.position)
    return Original(
        opened.generation,
        pages,
        {
            page.page: [it for it in manifest.anchors(page.page, page.site) if it.kind in CITED_ANCHORS]
            for page in pages
        },
        {page.page: [chunk for chunk in chunks if chunk.page == page.page] for page in pages},
        {page.page: [link for link in read_links(index) if link.from_page == page.page] for page in pages},
        vectors,
    )


class Copier:
    """Makes copies of pages, each different from the others."""

    def __init__(self, original: Original) -> None:
        self.original = original
        self.pages: list[Page] = []
        self.anchors: list[Anchor] = []
        self.chunks: list[Chunk] = []
        self.links: list[Link] = []
        self.vectors: dict[str, NDArray[np.float32]] = {}
        self._texts = [word for chunks in original.chunks.values() for it in chunks for word in it.text.split(" ")]
        self._titles = [word for chunks in original.chunks.values() for it in chunks for word in it.title.split(" ")]

    def content(self, size: int) -> IndexContent:
        """An index of at least so many chunks, up to the end of a page."""
        from trueref_core.generations.content import IndexContent

        number = 0
        while len(self.chunks) < size:
            chance = np.random.default_rng(number)
            for page in self.original.pages:
                if len(self.chunks) < size:
                    self._copy(page, f"copy-{number}/" if number else "", chance)
            number += 1
        generation = self.original.generation
        return IndexContent(
            sites=generation.sites,
            pages=tuple(self.pages),
            anchors=tuple(self.anchors),
            chunks=tuple(self.chunks),
            links=tuple(self.links),
            documents=(),
            recipes={},
            embedder=generation.embedder,
            dimensions=generation.dimensions,
            vectors=self.vectors,
        )

    def _copy(self, page: Page, prefix: str, chance: np.random.Generator) -> None:
        of = self.original
        bare = replace(page, aliases=(), alias_anchors=(), source_path="")
        self.pages.append(replace(bare, page=prefix + page.page, file=prefix + page.file))
        self.anchors += [replace(anchor, page=prefix + anchor.page) for anchor in of.anchors[page.page]]
        for link in of.links[page.page]:
            to_page = link.to_page if link.kind == "external" else prefix + link.to_page
            self.links.append(replace(link, from_page=prefix + link.from_page, to_page=to_page))
        titles: dict[str, str] = {}
        for chunk in of.chunks[page.page]:
            vector = of.vectors[chunk.text_hash]
            if prefix:
                title = titles.setdefault(chunk.section_id, exchanged(chunk.title, self._titles, chance))
                chunk = copied(chunk, prefix, title, exchanged(chunk.text, self._texts, chance))
                vector = vector + chance.normal(size=len(vector)) * NOISE / np.sqrt(len(vector))
                vector = (vector / np.linalg.norm(vector)).astype(np.float32)
            self.chunks.append(chunk)
            self.vectors[chunk.text_hash] = vector


def exchanged(text: str, words: Sequence[str], chance: np.random.Generator) -> str:
    """A text with other words in some places."""
    parts = text.split(" ")
    for at in np.flatnonzero(chance.random(len(parts)) < EXCHANGED).tolist():
        parts[at] = words[int(chance.integers(len(words)))]
    return " ".join(parts)


def copied(chunk: Chunk, prefix: str, title: str, text: str) -> Chunk:
    """A chunk of a copied page. Ids begin with the address of the copy, and so does what they lead to."""

    def of(key: str) -> str:
        return prefix + key if key else ""

    return replace(
        chunk,
        id=of(chunk.id),
        page=prefix + chunk.page,
        section_id=of(chunk.section_id),
        title=title,
        parent_section=of(chunk.parent_section),
        child_sections=tuple(map(of, chunk.child_sections)),
        previous=of(chunk.previous),
        next=of(chunk.next),
        twin_key=of(chunk.twin_key),
        text=text,
        text_hash=of(chunk.id),
    )


def make(source: Path, index: Path, size: int) -> Made:
    """Publishes an index of so many chunks."""
    from trueref_core.generations.publication import publish
    from trueref_core.tables import table_writer

    content = Copier(asyncio.run(read_original(source))).content(size)
    spent: list[float] = []
    write_tables = table_writer.write_tables

    def timed(*arguments: object) -> dict[str, int]:
        started = time.perf_counter()
        counts = write_tables(*arguments)  # type: ignore[arg-type]
        spent.append(time.perf_counter() - started)
        return counts

    vars(table_writer)["write_tables"] = timed
    started = time.perf_counter()
    publish(index, content)
    published = time.perf_counter() - started
    disk = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
    return Made(len(content.chunks), spent[0], published, disk / MEGABYTE)


async def serve(index: Path, questions: Sequence[str]) -> Served:
    """Opens an index as a server does, and asks it. No vector of a question is kept."""
    from trueref_core.embedding.embedder import load_embedder
    from trueref_core.generations.served_generation import open_index
    from trueref_server.corpus.corpus import Corpus
    from trueref_server.question.plan import make_plan
    from trueref_server.question.scope import Scopes
    from trueref_server.records import Question
    from trueref_server.search.search import SearchIndex, search_plan

    embedder = load_embedder("bundled")
    assert embedder is not None
    next(iter(embedder.embed(["The first text takes longer."])))
    started = time.perf_counter()
    opened = await open_index(index)
    between = time.perf_counter()
    corpus = await Corpus.of(opened)
    warmed = time.perf_counter()
    ready = SearchIndex(opened, corpus, Scopes(opened.manifest), embedder)
    searches: list[float] = []
    embeddings: list[float] = []
    for question in questions:
        begun = time.perf_counter()
        next(iter(embedder.embed([question])))
        embedded = time.perf_counter()
        await search_plan(ready, make_plan(Question(question), "en", corpus.statistics))
        searches.append((time.perf_counter() - embedded) * 1000)
        embeddings.append((embedded - begun) * 1000)
    await opened.close()
    p95 = sorted(searches)[int(len(searches) * 0.95)]
    bare = statistics.median(embeddings)
    return Served(between - started, warmed - between, statistics.median(searches), p95, bare, peak_memory())


def peak_memory() -> float:
    """Megabytes of this process at most. Linux only: what `resource` says includes the process that began this one."""
    status = Path("/proc/self/status").read_text()
    kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return int(kilobytes) * 1024 / MEGABYTE


async def recall(index: Path, questions: Iterable[str]) -> float:
    """The share of the ten nearest chunks that the search of an index finds."""
    from trueref_core.embedding.embedder import load_embedder
    from trueref_core.generations.served_generation import open_index
    from trueref_core.tables.chunk_search import ChunkTable

    embedder: Embedder | None = load_embedder("bundled")
    assert embedder is not None
    opened: OpenIndex = await open_index(index)
    exact = await ChunkTable.open((opened.path / "tables").absolute())
    exact.has_vector_index = False
    shares: list[float] = []
    for vector in embedder.embed(list(questions)):
        nearest = {item.id for item in await exact.nearest(vector, limit=10, where=None)}
        approximate = {item.id for item in await opened.search_vector(vector, limit=10)}
        shares.append(len(nearest & approximate) / len(nearest))
    exact.close()
    await opened.close()
    return statistics.mean(shares)


def measure_scale(index: Path, cases: Path, sizes: Sequence[int]) -> None:
    """Makes an index of each size, asks them in turn, each in a process of its own, and prints the rows of a table."""
    counts = list(sizes or SIZES)
    with tempfile.TemporaryDirectory() as name:
        folders = {size: Path(name) / str(size) for size in counts}
        built = {size: Made(**_output_of("make", index, folder, size)) for size, folder in folders.items()}
        rounds = [{size: Served(**_output_of("serve", folders[size], cases)) for size in counts} for _ in range(ROUNDS)]
        recalls = {size: _output_of("recall", folders[size], cases)["recall"] for size in counts}
    for size in counts:
        runs = [served[size] for served in rounds]
        of = {field: statistics.median(getattr(run, field) for run in runs) for field in asdict(runs[0])}
        print(
            f"{built[size].chunks:,} chunks: "
            f"tables {built[size].tables:.1f} s, published {built[size].published:.1f} s, "
            f"{built[size].disk:.0f} MB; opened {of['opened']:.1f} s, warmed {of['warmed']:.1f} s; "
            f"p50 {of['p50']:.0f} ms, p95 {of['p95']:.0f} ms, embedding {of['embedding']:.1f} ms; "
            f"recall@10 {recalls[size]:.3f}; {max(run.memory for run in runs):.0f} MB of memory"
        )
    for smaller, larger in pairwise(counts):
        ratio = statistics.median(served[larger].p95 / served[smaller].p95 for served in rounds)
        print(f"p95 at {larger:,} is {ratio:.1f} times that at {smaller:,}")
    if 10_000 in counts and 1_000_000 in counts:
        ratio = statistics.median(served[1_000_000].p95 / served[10_000].p95 for served in rounds)
        print(f"p95 at 1,000,000 is {ratio:.1f} times that at 10,000")


def _output_of(*arguments: str | Path | int) -> dict[str, Any]:
    """What this program prints in a process of its own, read as JSON."""
    command = [sys.executable, "-m", "scripts.measure_scale", *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    print(*arguments[:1], *arguments[-1:], result, file=sys.stderr)
    return result


def main() -> None:
    """Prints what came of one step, as JSON."""
    parser = parser_of(__doc__)
    parser.add_argument("step", choices=("make", "serve", "recall"))
    parser.add_argument("index", type=index_folder)
    parser.add_argument("path", type=Path, metavar="OUT|CASES")
    parser.add_argument("chunks", type=int, nargs="?", default=SIZES[0])
    options = parser.parse_args()
    if options.step == "make":
        print(json.dumps(asdict(make(options.index, options.path, options.chunks))))
        return
    lines = existing(options.path).read_text(encoding="utf-8").splitlines()
    questions = [json.loads(line)["question"] for line in lines if line.strip()][:QUESTIONS]
    if options.step == "serve":
        print(json.dumps(asdict(asyncio.run(serve(options.index, questions)))))
    else:
        print(json.dumps({"recall": asyncio.run(recall(options.index, questions))}))


if __name__ == "__main__":
    main()
