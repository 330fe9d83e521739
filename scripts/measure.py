"""Measures what a build and a search cost, on any site: the figures in docs/benchmarks.md come from here.

    python scripts/measure.py embed SITE             chunks per CPU-second of a whole build against the bare embedder
    python scripts/measure.py build PROJECT          CPU seconds of `mkdocs build`: without the plugin, cold, unchanged
    python scripts/measure.py change SITE            CPU seconds after one page has changed, of 100 and of 10,000 pages
    python scripts/measure.py search INDEX CASES     milliseconds of a search against those of embedding its query

PROJECT is a folder with mkdocs.yml that has `trueref` among its plugins. Everything happens on copies in a temporary
folder. Run it on an idle machine, and quote the ratios: both sides of each are measured in the same run.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

COUNTS = tuple(map(int, os.environ.get("TRUEREF_PAGES", "100 10000").split()))

BARE = """
import sys, json
from trueref_core.embedder import load_embedder
texts = json.load(open(sys.argv[1]))
for _ in load_embedder("bundled").embed(texts): pass
"""
CHUNKS = """
import asyncio, json, sys
from collections.abc import Callable
from pathlib import Path
from trueref_core.generations import open_index
async def texts():
    index = await open_index(Path(sys.argv[1]))
    found = await index.chunks(index.keys["id"])
    return list({chunk.text_hash: chunk.embedded_text for chunk in found.values()}.values())
json.dump(asyncio.run(texts()), open(sys.argv[2], "w"))
"""


def cpu_of(*command: str | Path, cwd: Path | None = None) -> float:
    """CPU seconds, user and system, of a command and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(done.stderr[-2000:])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_embed(site: Path) -> None:
    """A whole build, cold, against embedding the same texts and nothing else. Both include their imports."""
    with tempfile.TemporaryDirectory() as name:
        index, texts = Path(name) / "index", Path(name) / "texts.json"
        whole = cpu_of(sys.executable, "-m", "trueref", "index", site, "--index", index)
        subprocess.run([sys.executable, "-c", CHUNKS, str(index), str(texts)], check=True)
        bare = cpu_of(sys.executable, "-c", BARE, texts)
        count = len(json.loads(texts.read_text()))
    print(
        f"{count} texts: bare {bare:.1f} s ({count / bare:.0f} a CPU-second), build {whole:.1f} s ({count / whole:.0f})"
    )
    print(f"a build reaches {bare / whole:.0%} of the bare embedder")


def measure_build(project: Path) -> None:
    """`mkdocs build` three ways. The plugin is taken out of a copy of mkdocs.yml for the first."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "project"
        shutil.copytree(project, copy, ignore=shutil.ignore_patterns("site", ".trueref", ".git"))
        config = copy / "mkdocs.yml"
        text = config.read_text()
        without = re.sub(r"(?m)^\s*- trueref:?\s*$\n(?:^\s{6,}\S.*$\n)*", "", text)
        plain = copy / "mkdocs-plain.yml"
        plain.write_text(without)
        command = (sys.executable, "-m", "mkdocs", "build", "--quiet")
        os.environ["NO_MKDOCS_2_WARNING"] = "1"
        cpu_of(*command, "-f", plain, cwd=copy)
        cold = cpu_of(*command, cwd=copy)
        # In turn, so that a machine that slows down meanwhile slows both.
        pairs = [(cpu_of(*command, "-f", plain, cwd=copy), cpu_of(*command, cwd=copy)) for _ in range(5)]
    base = statistics.median(plain for plain, _ in pairs)
    more = statistics.median(same / plain for plain, same in pairs) - 1
    print(f"plain {base:.2f} s, cold {cold:.2f} s ({cold / base:.1f} times)")
    print(f"an unchanged build costs {more:+.1%}")


class Noise:
    """The bundled embedder for a few texts; for thousands of them seeded noise, which takes no hour."""

    def __init__(self) -> None:
        from trueref_core.embedder import load_embedder

        self._real = load_embedder("bundled")
        assert self._real is not None
        self.name, self.dimensions = self._real.name, self._real.dimensions
        self.max_tokens, self.count_tokens = self._real.max_tokens, self._real.count_tokens

    def embed(self, texts: Iterable[str]) -> Iterator[NDArray[np.float32]]:
        """One vector of length 1 for each text."""
        texts = list(texts)
        assert self._real is not None
        if len(texts) <= 100:
            yield from self._real.embed(texts)
            return
        chance = np.random.default_rng(1)
        for _ in texts:
            vector = chance.normal(size=self.dimensions).astype(np.float32)
            yield vector / np.linalg.norm(vector)


def repeat_pages(site: Path, folder: Path, count: int) -> list[Path]:
    """So many pages, made by repeating those of a site; every paragraph of a copy says which copy it is in."""
    pages = sorted(path for path in site.rglob("*.html") if path.name != "404.html")
    made: list[Path] = []
    for number in range(count):
        copy, source = divmod(number, len(pages))
        target = folder / f"copy-{copy}" / pages[source].relative_to(site)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = pages[source].read_text(errors="replace")
        text = re.sub(r"<link rel=\"?canonical[^>]*>", "", text)
        target.write_text(re.sub(r"<(p|li|td)>", rf"<\1>Copy {copy} of this: ", text))
        made.append(target)
    return made


def measure_change(site: Path) -> None:
    """One paragraph more on one page, after everything is imported and loaded."""
    import trueref_plugin.index as program
    from trueref_core.tokens import count_tokens
    from trueref_plugin.folder import list_pages, read_page

    embedder = Noise()
    # Every build here would load it; the loading is no part of the measure.
    vars(program)["load_embedder"] = lambda _name: embedder
    count_tokens("loads its table")
    costs: list[float] = []
    for count in COUNTS:
        with tempfile.TemporaryDirectory() as name:
            folder, index = Path(name) / "site", Path(name) / "index"
            pages = repeat_pages(site, folder, count)
            options = {"index": index, "name": "docs", "base_url": "https://docs.example/"}
            report = program.index_site(folder, **options)  # type: ignore[arg-type]
            program.index_site(folder, **options)  # type: ignore[arg-type]
            walks, changes, same = [], [], []
            for number in range(5):
                page = pages[number * 7 % len(pages)]
                page.write_text(page.read_text().replace("</h1>", f"</h1><p>Number {number} is new here.</p>", 1))
                started = time.process_time()
                digests = [read_page(folder, file).digest for file in list_pages(folder)]
                walked = time.process_time()
                program.index_site(folder, **options)  # type: ignore[arg-type]
                changed = time.process_time()
                program.index_site(folder, **options)  # type: ignore[arg-type]
                walks.append(walked - started)
                changes.append(changed - walked)
                same.append(time.process_time() - changed)
            walk, change = statistics.median(walks), statistics.median(changes)
            costs.append(change - walk)
            counts = report.generation.counts
            print(
                f"{len(digests)} pages, {counts['anchors']} anchors, {counts['chunks']} chunks: walk {walk:.2f} s, "
                f"one change {change:.2f} s, nothing changed {statistics.median(same):.2f} s"
            )
    print(f"beyond the walk a change costs {costs[0]:.2f} s and {costs[1]:.2f} s, {costs[1] / costs[0]:.1f} times")


def measure_search(index: Path, cases: Path) -> None:
    """Searches of all questions, each beside the bare embedding of its text."""
    from trueref_core.embedder import load_embedder
    from trueref_core.generations import open_index
    from trueref_server.records import Question
    from trueref_server.retrieval.plan import make_plan
    from trueref_server.retrieval.search import find

    questions = [json.loads(line)["question"] for line in cases.read_text().splitlines() if line.strip()]
    embedder = load_embedder("bundled")
    assert embedder is not None

    async def run() -> tuple[list[float], list[float]]:
        opened = await open_index(index)
        searches: list[float] = []
        embeddings: list[float] = []
        for question in [*questions[:10], *questions]:
            started = time.perf_counter()
            next(iter(embedder.embed([question])))
            between = time.perf_counter()
            await find(opened, embedder, make_plan(Question(question)))
            embeddings.append(between - started)
            searches.append(time.perf_counter() - between)
        await opened.close()
        return searches[10:], embeddings[10:]

    searches, embeddings = (sorted(values) for values in asyncio.run(run()))
    p50, p95 = statistics.median(searches), searches[int(len(searches) * 0.95)]
    bare = statistics.median(embeddings)
    print(f"search p50 {p50 * 1000:.1f} ms, p95 {p95 * 1000:.1f} ms; embedding alone p50 {bare * 1000:.1f} ms")
    print(f"a search costs {p50 / bare:.1f} times the embedding of its query")


def main(arguments: list[str]) -> None:
    """Runs one measurement."""
    measures: dict[str, tuple[Callable[..., None], int]] = {
        "embed": (measure_embed, 1),
        "build": (measure_build, 1),
        "change": (measure_change, 1),
        "search": (measure_search, 2),
    }
    name = arguments[0] if arguments else ""
    if name not in measures or len(arguments) - 1 != measures[name][1]:
        sys.exit(__doc__)
    measures[name][0](*map(Path, arguments[1:]))


if __name__ == "__main__":
    main(sys.argv[1:])
