"""Makes indexes of any size from a real one, and measures questions to them: `python -m scripts.measure scale`.

A copy of a page has its own address, text and vectors. Three of ten words of its titles and texts are replaced by other
words of the index, and noise is added to each vector, so that its cosine to the original is 0.8. Its wordpieces have
random bits. The first copy is unchanged, so that the questions have their answers. Only anchors that can be cited are
copied, because most other anchors are lines of code. Random choices are the same in every run.

The measurement starts a new process of this program for each step, so that the memory of one step does not count in
another:

    python -m scripts.measure_scale make INDEX OUT CHUNKS       make an index of so many chunks
    python -m scripts.measure_scale serve INDEX CASES           ask questions
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
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.content import IndexContent
    from trueref_core.generations.open_generation import OpenIndex
    from trueref_core.records import Anchor, Chunk, Generation, Link, Page, TextVectors

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUESTIONS = 100
ROUNDS = 3
NOISE = 0.75
"""The length of the noise that is added to a vector of length 1, which gives a cosine of 1 / sqrt(1 + 0.75 ** 2)."""
REPLACED_SHARE = 0.3
"""The share of words that are replaced."""
MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Original:
    """The index that is copied: its pages with their anchors, chunks and links, and the vectors of its chunks."""

    generation: Generation
    pages: list[Page]
    anchors: dict[str, list[Anchor]]
    chunks: dict[str, list[Chunk]]
    links: dict[str, list[Link]]
    vectors: dict[str, TextVectors]


@dataclass(frozen=True)
class BuildCost:
    """The cost of an index: seconds for the tables and their indexes, seconds for all of publishing, and megabytes."""

    chunks: int
    tables: float
    published: float
    disk: float


@dataclass(frozen=True)
class ServingCost:
    """The cost of serving: seconds to open and to warm an index, milliseconds of questions, and megabytes at most."""

    opened: float
    warmed: float
    p50: float
    p95: float
    embedding: float
    memory: float


async def read_original(index: Path) -> Original:
    """Reads an index with one site, except for its hidden pages."""
    from trueref_core.generations.served_generation import open_index, read_links, unverified_vectors
    from trueref_core.records import CITED_ANCHORS

    opened = await open_index(index)
    by_id = await opened.chunks(opened.rows.ids)
    await opened.close()
    vectors = unverified_vectors(opened.path, None)
    manifest = opened.manifest
    pages = [page for page in manifest.pages() if not page.hidden and page.kind != "redirect"]
    chunks = sorted(by_id.values(), key=lambda chunk: chunk.position)
    return Original(
        opened.generation,
        pages,
        {
            page.page: [anchor for anchor in manifest.anchors(page.page, page.site) if anchor.kind in CITED_ANCHORS]
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
        self.vectors: dict[str, TextVectors] = {}
        chunks = [chunk for chunks_of_page in original.chunks.values() for chunk in chunks_of_page]
        self._text_words = [word for chunk in chunks for word in chunk.text.split(" ")]
        self._title_words = [word for chunk in chunks for word in chunk.title.split(" ")]

    def content(self, size: int) -> IndexContent:
        """The content of an index with at least `size` chunks. It ends with a whole page."""
        from trueref_core.generations.content import IndexContent

        copy_number = 0
        while len(self.chunks) < size:
            rng = np.random.default_rng(copy_number)
            for page in self.original.pages:
                if len(self.chunks) < size:
                    self._copy(page, f"copy-{copy_number}/" if copy_number else "", rng)
            copy_number += 1
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

    def _copy(self, page: Page, prefix: str, rng: np.random.Generator) -> None:
        """Adds a copy of a page below the folder `prefix`; with "" the page itself."""
        from trueref_core.records import TextVectors

        original = self.original
        bare = replace(page, aliases=(), alias_anchors=(), source_path="")
        self.pages.append(replace(bare, page=prefix + page.page, file=prefix + page.file))
        self.anchors += [replace(anchor, page=prefix + anchor.page) for anchor in original.anchors[page.page]]
        for link in original.links[page.page]:
            to_page = link.to_page if link.kind == "external" else prefix + link.to_page
            self.links.append(replace(link, from_page=prefix + link.from_page, to_page=to_page))
        titles: dict[str, str] = {}
        for chunk in original.chunks[page.page]:
            vectors = original.vectors[chunk.text_hash]
            if prefix:
                title = titles.setdefault(chunk.section_id, with_other_words(chunk.title, self._title_words, rng))
                chunk = copied(chunk, prefix, title, with_other_words(chunk.text, self._text_words, rng))
                vector = vectors.vector
                vector = vector + rng.normal(size=len(vector)) * NOISE / np.sqrt(len(vector))
                vector = (vector / np.linalg.norm(vector)).astype(np.float32)
                vectors = TextVectors(vector, with_other_bits(vectors.wordpieces, rng))
            self.chunks.append(chunk)
            self.vectors[chunk.text_hash] = vectors


def with_other_bits(wordpieces: bytes, rng: np.random.Generator) -> bytes:
    """As many packed wordpieces in as many lines, with bits by chance: equal ones would be stored once."""
    begin = 2 + 2 * int.from_bytes(wordpieces[:2], "little")
    return wordpieces[:begin] + rng.bytes(len(wordpieces) - begin)


def with_other_words(text: str, words: Sequence[str], rng: np.random.Generator) -> str:
    """A text in which a share of the words is replaced."""
    parts = text.split(" ")
    for at in np.flatnonzero(rng.random(len(parts)) < REPLACED_SHARE).tolist():
        parts[at] = words[int(rng.integers(len(words)))]
    return " ".join(parts)


def copied(chunk: Chunk, prefix: str, title: str, text: str) -> Chunk:
    """A chunk of a copied page. Its ids begin with the address of the copy, and so do the ids of related chunks."""

    def in_copy(key: str) -> str:
        return prefix + key if key else ""

    return replace(
        chunk,
        id=in_copy(chunk.id),
        page=prefix + chunk.page,
        section_id=in_copy(chunk.section_id),
        title=title,
        parent_section=in_copy(chunk.parent_section),
        child_sections=tuple(map(in_copy, chunk.child_sections)),
        previous=in_copy(chunk.previous),
        next=in_copy(chunk.next),
        twin_key=in_copy(chunk.twin_key),
        text=text,
        text_hash=in_copy(chunk.id),
    )


def make(source: Path, index: Path, size: int) -> BuildCost:
    """Publishes an index of `size` chunks, and measures the time."""
    from trueref_core.generations.publication import publish
    from trueref_core.tables import table_writer

    content = Copier(asyncio.run(read_original(source))).content(size)
    table_seconds: list[float] = []
    write_tables = table_writer.write_tables

    def timed_write_tables(*arguments: object) -> dict[str, int]:
        started = time.perf_counter()
        counts = write_tables(*arguments)  # type: ignore[arg-type]
        table_seconds.append(time.perf_counter() - started)
        return counts

    vars(table_writer)["write_tables"] = timed_write_tables
    started = time.perf_counter()
    publish(index, content)
    published = time.perf_counter() - started
    disk = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
    return BuildCost(len(content.chunks), table_seconds[0], published, disk / MEGABYTE)


async def serve(index: Path, questions: Sequence[str]) -> ServingCost:
    """Opens an index as a server does, and searches for the questions. Vectors of questions are not cached."""
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
    open_at = time.perf_counter()
    corpus = await Corpus.of(opened)
    warm_at = time.perf_counter()
    search_index = SearchIndex(opened, corpus, Scopes(opened.manifest), embedder)
    searches: list[float] = []
    embeddings: list[float] = []
    for question in questions:
        started_at = time.perf_counter()
        next(iter(embedder.embed([question])))
        embedded = time.perf_counter()
        await search_plan(search_index, make_plan(Question(question), "en", corpus.statistics))
        searches.append((time.perf_counter() - embedded) * 1000)
        embeddings.append((embedded - started_at) * 1000)
    await opened.close()
    p95 = sorted(searches)[int(len(searches) * 0.95)]
    bare = statistics.median(embeddings)
    return ServingCost(open_at - started, warm_at - open_at, statistics.median(searches), p95, bare, peak_memory())


def peak_memory() -> float:
    """The most megabytes that this process had. Linux only: the figure of `resource` includes the parent process."""
    status = Path("/proc/self/status").read_text()
    kilobytes = next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))
    return int(kilobytes) * 1024 / MEGABYTE


async def recall(index: Path, questions: Iterable[str]) -> float:
    """The share of the ten nearest chunks that the approximate search of an index finds."""
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
    """Makes an index of each size, asks them by turns in processes of their own, and prints the figures."""
    counts = list(sizes or SIZES)
    with tempfile.TemporaryDirectory() as name:
        folders = {size: Path(name) / str(size) for size in counts}
        build_costs = {size: BuildCost(**_output_of("make", index, folder, size)) for size, folder in folders.items()}
        rounds = [
            {size: ServingCost(**_output_of("serve", folders[size], cases)) for size in counts} for _ in range(ROUNDS)
        ]
        recalls = {size: _output_of("recall", folders[size], cases)["recall"] for size in counts}
    for size in counts:
        runs = [served[size] for served in rounds]
        medians = {field: statistics.median(getattr(run, field) for run in runs) for field in asdict(runs[0])}
        print(
            f"{build_costs[size].chunks:,} chunks: "
            f"tables {build_costs[size].tables:.1f} s, published {build_costs[size].published:.1f} s, "
            f"{build_costs[size].disk:.0f} MB; opened {medians['opened']:.1f} s, warmed {medians['warmed']:.1f} s; "
            f"p50 {medians['p50']:.0f} ms, p95 {medians['p95']:.0f} ms, embedding {medians['embedding']:.1f} ms; "
            f"recall@10 {recalls[size]:.3f}; {max(run.memory for run in runs):.0f} MB of memory"
        )
    for smaller, larger in pairwise(counts):
        ratio = statistics.median(served[larger].p95 / served[smaller].p95 for served in rounds)
        print(f"p95 at {larger:,} is {ratio:.1f} times that at {smaller:,}")
    if 10_000 in counts and 1_000_000 in counts:
        ratio = statistics.median(served[1_000_000].p95 / served[10_000].p95 for served in rounds)
        print(f"p95 at 1,000,000 is {ratio:.1f} times that at 10,000")


def _output_of(*arguments: str | Path | int) -> dict[str, Any]:
    """Runs a step of this program in a process of its own, and reads its output as JSON."""
    command = [sys.executable, "-m", "scripts.measure_scale", *map(str, arguments)]
    completed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    result: dict[str, Any] = json.loads(completed.stdout)
    print(*arguments[:1], *arguments[-1:], result, file=sys.stderr)
    return result


def main() -> None:
    """Runs one step, and prints its result as JSON."""
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
