"""Measures how much time builds and searches take, on any site. It gives the figures in docs/benchmarks.md.

    python -m scripts.measure embed SITE             chunks per CPU-second of a whole build against the bare embedder
    python -m scripts.measure build PROJECT          CPU seconds of `mkdocs build`: without the plugin, cold, unchanged
    python -m scripts.measure change SITE            CPU seconds after one page has changed, of 100 and of 10,000 pages
    python -m scripts.measure save PROJECT           seconds from a save under `mkdocs serve` to reload and answer
    python -m scripts.measure search INDEX CASES     milliseconds of a search against those of embedding its query, and
                                                     against a search of one round
    python -m scripts.measure scale INDEX CASES [SIZE ...]    the same for indexes of 1,000 to 1,000,000 chunks

PROJECT is a folder with a mkdocs.yml that has `trueref` among its plugins. `save` also takes a number, and makes a
project with so many pages. `scale` makes its indexes from changed copies of pages. Making the index of a million chunks
takes 11 GB of memory and a quarter of an hour. All measurements use copies in a temporary folder. Run this on an idle
machine, and quote the ratios, since both sides of a ratio are measured in the same run.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path
from unittest.mock import patch

import httpx
import numpy as np
from scripts.arguments import existing, index_folder, parser_of
from scripts.measure_scale import measure_scale

from trueref_core.embedding.packed_wordpieces import Wordpieces, pack
from trueref_core.records import TextVectors

SEARCH_ROUNDS = 3
"""How many times each question is searched for."""

USUAL_WORDPIECES = 60
"""How many packed wordpieces a chunk has, about the mean of the docs of uv and Material for MkDocs."""

COUNTS = tuple(map(int, os.environ.get("TRUEREF_PAGES", "100 10000").split()))

BARE = """
import sys, json
from trueref_core.embedding.embedder import load_embedder
texts = json.load(open(sys.argv[1]))
for _ in load_embedder("bundled").embed_chunks(texts): pass
"""
CHUNKS = """
import asyncio, json, sys
from collections.abc import Callable
from pathlib import Path
from trueref_core.generations.served_generation import open_index
async def texts():
    index = await open_index(Path(sys.argv[1]))
    chunks = await index.chunks(index.rows.ids)
    return list({chunk.text_hash: chunk.embedded_text for chunk in chunks.values()}.values())
json.dump(asyncio.run(texts()), open(sys.argv[2], "w"))
"""


def cpu_of(*command: str | Path, cwd: Path | None = None) -> float:
    """The CPU seconds of a command and its children, user and system together."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    completed = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if completed.returncode:
        sys.exit(completed.stderr[-2000:])
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_embed(site: Path) -> None:
    """Compares a first build with only embedding the same texts. Both include the time of their imports."""
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


def copy_project(project: Path, folder: Path) -> tuple[Path, Path]:
    """Copies a project. Returns the mkdocs.yml of the copy, and a second configuration without the plugin."""
    shutil.copytree(project, folder, ignore=shutil.ignore_patterns("site", ".trueref", ".git"))
    config, plain = folder / "mkdocs.yml", folder / "mkdocs-plain.yml"
    plain.write_text(re.sub(r"(?m)^\s*- trueref:?\s*$\n(?:^\s{6,}\S.*$\n)*", "", config.read_text()))
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    # pip compiles the packages that it installs, such as MkDocs, but not an editable installation. That is compiled
    # when it is first imported, if bytecode may be written.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    return config, plain


def measure_build(project: Path) -> None:
    """Measures `mkdocs build` without the plugin, with a first build of the index, and with an unchanged index."""
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name) / "project"
        _, plain = copy_project(project, copy)
        command = (sys.executable, "-m", "mkdocs", "build", "--quiet")
        cpu_of(*command, "-f", plain, cwd=copy)
        cold = cpu_of(*command, cwd=copy)
        # By turns, so that a machine that becomes slower affects both builds.
        plain_and_unchanged = [(cpu_of(*command, "-f", plain, cwd=copy), cpu_of(*command, cwd=copy)) for _ in range(5)]
    plain_seconds = statistics.median(plain for plain, _ in plain_and_unchanged)
    share_added = statistics.median(unchanged / plain for plain, unchanged in plain_and_unchanged) - 1
    print(f"plain {plain_seconds:.2f} s, cold {cold:.2f} s ({cold / plain_seconds:.1f} times)")
    print(f"an unchanged build costs {share_added:+.1%}")


SAVES = 5
ORIGIN = "http://127.0.0.1:8917"
LETTERS = str.maketrans("0123456789", "bdfghjklmn")


@dataclass(frozen=True)
class Saved:
    """The seconds of a save: until MkDocs notices it, of its rebuild, and from then until the new text answers."""

    seen: float
    rebuilt: float
    answered: float


def make_project(folder: Path, count: int) -> Path:
    """Makes a project of `count` pages with five sections each."""
    (folder / "docs").mkdir(parents=True)
    (folder / "mkdocs.yml").write_text("site_name: Animals\nplugins:\n  - search\n  - trueref\n")
    for page in range(count):
        sections = (f"## Question {n} of animal {page}\n\nIt has {n * page} stripes in year {n}.\n" for n in range(5))
        name = f"p{page}.md" if page else "index.md"
        (folder / "docs" / name).write_text("\n".join([f"# Animal {page}\n", *sections]))
    return folder


@contextmanager
def serving(config: Path) -> Iterator[None]:
    """Runs `mkdocs serve` with a configuration, from the moment when it serves pages."""
    command = [sys.executable, "-m", "mkdocs", "serve", "--quiet", "-a", ORIGIN.partition("//")[2], "-f", str(config)]
    environment = os.environ | {"TMPDIR": str(config.parent.parent)}
    with subprocess.Popen(command, cwd=config.parent, env=environment) as process:
        try:
            wait_until(lambda: process.poll() is not None or epoch(0) is not None)
            yield
        finally:
            process.terminate()


def epoch(before: int) -> int | None:
    """The time when the build that MkDocs serves began, in milliseconds; None if the server does not run.

    Waits until this time is not `before`. MkDocs takes it from `time.monotonic`, a clock that all processes share on
    Linux.
    """
    try:
        return int(httpx.get(f"{ORIGIN}/livereload/{before}/1", timeout=300).text)
    except httpx.ConnectError:
        return None


def is_quoted(word: str) -> bool:
    """Whether the preview quotes a sentence with a word when it is asked about this word."""
    response = httpx.post(f"{ORIGIN}/_trueref/ask", json={"question": f"What is the {word}?"}, timeout=300)
    return response.status_code == 200 and any(word in source["quote"] for source in response.json()["sources"])


def wait_until(condition: Callable[[], bool]) -> float:
    """Waits until a condition is true, and returns the time of `time.monotonic`."""
    while not condition():
        time.sleep(0.05)
    return time.monotonic()


def save(source: Path, number: int, *, answers: bool) -> Saved:
    """Adds a section to a source file, and waits until it is served, and with `answers` until it answers."""
    shown, word = epoch(0) or 0, f"quag{str(number + 10).translate(LETTERS)}a"
    text = f"{source.read_text()}\n\n## About the {word}\n\nThe {word} is a zebra that was brown behind.\n"
    started = time.monotonic()
    source.write_text(text)
    began = epoch(shown) or 0
    reloaded = time.monotonic()
    answered = wait_until(lambda: is_quoted(word)) if answers else reloaded
    # Embedding the texts of this save must not slow down the next one.
    time.sleep(3)
    return Saved(began / 1000 - started, reloaded - began / 1000, answered - reloaded)


def measure_save(project: Path) -> None:
    """Measures five saves under `mkdocs serve`, each of another page, with the plugin and without it."""
    from trueref_core.generations.served_generation import read_generation, read_manifest

    with tempfile.TemporaryDirectory() as name:
        if project.name.isdecimal():
            project = make_project(Path(name) / "made", int(project.name))
        config, plain = copy_project(project, Path(name) / "project")
        index, docs = config.parent / ".trueref", config.parent / "docs"
        with serving(config):
            wait_until(lambda: read_generation(index).vectors)
            pages = [page for page in read_manifest(index).pages() if page.kind == "guide" and not page.hidden]
            sources = [docs / page.source_path for page in pages if page.source_path][:: len(pages) // SAVES][:SAVES]
            # The first question opens the index and loads the embedder.
            is_quoted("zebra")
            saves = [save(source, number, answers=True) for number, source in enumerate(sources)]
        with serving(plain):
            bare = [save(source, number + SAVES, answers=False) for number, source in enumerate(sources)]
    seen, rebuilt, answered = (
        statistics.median(getattr(saved, field.name) for saved in saves) for field in fields(Saved)
    )
    without = statistics.median(saved.rebuilt for saved in bare)
    total = statistics.median(saved.seen + saved.rebuilt + saved.answered for saved in saves)
    print(f"a save is seen after {seen:.2f} s; the rebuild takes {rebuilt:.2f} s, without the plugin {without:.2f} s")
    print(f"the new text answers {answered:.2f} s after the reload, {answered + rebuilt - without:.2f} s for the index")
    print(f"from a save to its answer {total:.2f} s")


class NoiseEmbedder:
    """The bundled embedder for a few texts. Thousands of texts get random vectors, since embedding takes an hour."""

    def __init__(self) -> None:
        from trueref_core.embedding.embedder import load_embedder

        self._bundled = load_embedder("bundled")
        assert self._bundled is not None
        self.name, self.dimensions = self._bundled.name, self._bundled.dimensions
        self.max_tokens, self.count_tokens = self._bundled.max_tokens, self._bundled.count_tokens

    def embed_chunks(self, texts: Iterable[str]) -> Iterator[TextVectors]:
        """One vector of length 1 for each text, and the wordpieces of the first line, as many as in a usual chunk."""
        texts = list(texts)
        assert self._bundled is not None
        if len(texts) <= 100:
            yield from self._bundled.embed_chunks(texts)
            return
        rng = np.random.default_rng(1)
        spans = ((0, 1),) * USUAL_WORDPIECES
        for _ in texts:
            vectors = rng.normal(size=(USUAL_WORDPIECES, self.dimensions)).astype(np.float32)
            packed = pack("a", Wordpieces(spans, tuple(range(USUAL_WORDPIECES)), vectors))
            yield TextVectors(vectors[0] / np.linalg.norm(vectors[0]), packed)


def repeat_pages(site: Path, folder: Path, count: int) -> list[Path]:
    """Makes `count` pages by copying those of a site. Every paragraph of a copy has the number of the copy."""
    pages = sorted(path for path in site.rglob("*.html") if path.name != "404.html")
    copies: list[Path] = []
    for number in range(count):
        copy, source = divmod(number, len(pages))
        target = folder / f"copy-{copy}" / pages[source].relative_to(site)
        target.parent.mkdir(parents=True, exist_ok=True)
        text = pages[source].read_text(errors="replace")
        text = re.sub(r"<link rel=\"?canonical[^>]*>", "", text)
        target.write_text(re.sub(r"<(p|li|td)>", rf"<\1>Copy {copy} of this: ", text))
        copies.append(target)
    return copies


# A long function because three times are measured by turns, so that the machine is the same for all of them.
def measure_change(site: Path) -> None:
    """Measures a build after one page got a new paragraph. Imports and the loading of the embedder are not included."""
    import trueref_plugin.build.build as program
    from trueref_core.text.tokens import count_tokens
    from trueref_plugin.digests import digest_of_bytes
    from trueref_plugin.files.site_files import find_files, read_page

    embedder = NoiseEmbedder()
    # Otherwise every build would load the embedder, which is not part of the measurement.
    vars(program)["load_embedder"] = lambda _name: embedder
    count_tokens("loads its table")
    beyond_walk, beyond_same = list[float](), list[float]()
    for count in COUNTS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name) / "site"
            pages = repeat_pages(site, folder, count)
            options = {"index": Path(name) / "index", "name": "docs", "base_url": "https://docs.example/"}
            counts = program.index_site(folder, **options).generation.counts  # type: ignore[arg-type]
            program.index_site(folder, **options)  # type: ignore[arg-type]
            walk_seconds, change_seconds, unchanged_seconds = [], [], []
            for number in range(5):
                page = pages[number * 7 % len(pages)]
                page.write_text(page.read_text().replace("</h1>", f"</h1><p>Number {number} is new here.</p>", 1))
                started = time.process_time()
                digests = [digest_of_bytes(read_page(folder, file).data) for file in find_files(folder).pages]
                walked = time.process_time()
                program.index_site(folder, **options)  # type: ignore[arg-type]
                changed = time.process_time()
                program.index_site(folder, **options)  # type: ignore[arg-type]
                walk_seconds.append(walked - started)
                change_seconds.append(changed - walked)
                unchanged_seconds.append(time.process_time() - changed)
            walk, change = statistics.median(walk_seconds), statistics.median(change_seconds)
            beyond_walk.append(change - walk)
            beyond_same.append(change - statistics.median(unchanged_seconds))
            print(
                f"{len(digests)} pages, {counts['anchors']} anchors, {counts['chunks']} chunks: walk {walk:.2f} s, "
                f"one change {change:.2f} s, nothing changed {statistics.median(unchanged_seconds):.2f} s"
            )
    for base, (few_pages, many_pages) in (
        ("the walk", beyond_walk),
        ("a build where nothing changed", beyond_same),
    ):
        print(
            f"beyond {base} a change costs {few_pages:.2f} s and {many_pages:.2f} s, {many_pages / few_pages:.1f} times"
        )


# A long function because one run gives all figures: in separate runs the state of the machine would be different.
def measure_search(index: Path, cases: Path) -> None:
    """Measures the search of each question, beside embedding its text alone and a search of one round."""
    from trueref_core.embedding.embedder import load_embedder
    from trueref_core.generations.served_generation import open_index
    from trueref_server.corpus.corpus import Corpus
    from trueref_server.question.plan import make_plan
    from trueref_server.question.scope import Scopes
    from trueref_server.records import Question
    from trueref_server.search import search as search_module
    from trueref_server.search.gaps import Gaps

    questions = [json.loads(line)["question"] for line in cases.read_text().splitlines() if line.strip()]
    embedder = load_embedder("bundled")
    assert embedder is not None

    async def run() -> list[list[float]]:
        opened = await open_index(index)
        corpus = await Corpus.of(opened)

        search_index = search_module.SearchIndex(opened, corpus, Scopes(opened.manifest), embedder)

        async def search(question: str) -> None:
            await search_module.search_plan(search_index, make_plan(Question(question), "en", corpus.statistics))

        durations: list[list[float]] = []
        for question in [*questions[:10], *questions * SEARCH_ROUNDS]:
            times = [time.perf_counter()]
            next(iter(embedder.embed([question])))
            times.append(time.perf_counter())
            await search(question)
            times.append(time.perf_counter())
            with patch.object(search_module, "assess", lambda *_: Gaps()):
                await search(question)
            times.append(time.perf_counter())
            durations.append([after - before for before, after in pairwise(times)])
        await opened.close()
        return durations[10:]

    bare, searches, once = (sorted(values) for values in zip(*asyncio.run(run()), strict=True))
    p50, p95, embedding, p95_once = (
        1000 * _percentile(*arguments) for arguments in ((searches, 50), (searches, 95), (bare, 50), (once, 95))
    )
    print(f"search p50 {p50:.1f} ms, p95 {p95:.1f} ms; embedding alone p50 {embedding:.1f} ms")
    print(f"a search costs {p50 / embedding:.1f} times the embedding of its query")
    print(f"with one round p95 {p95_once:.1f} ms: the second one adds {100 * (p95 / p95_once - 1):.0f} %")


def _percentile(values: Sequence[float], percent: int) -> float:
    """The percentile of sorted values."""
    return values[len(values) * percent // 100]


def project_or_number(argument: str) -> Path:
    """The argument of `save`: the folder of a project, or the number of pages of a project that is made for it."""
    return Path(argument) if argument.isdecimal() else existing(argument)


def main() -> None:
    """Runs one measurement."""
    parser = parser_of(__doc__)
    measurements = parser.add_subparsers(metavar="MEASUREMENT", required=True)
    for name, run, arguments in (
        ("embed", measure_embed, {"site": existing}),
        ("build", measure_build, {"project": existing}),
        ("change", measure_change, {"site": existing}),
        ("save", measure_save, {"project": project_or_number}),
        ("search", measure_search, {"index": index_folder, "cases": existing}),
        ("scale", measure_scale, {"index": index_folder, "cases": existing}),
    ):
        measurement = measurements.add_parser(name)
        measurement.set_defaults(run=run)
        for argument, kind in arguments.items():
            measurement.add_argument(argument, type=kind)
        if name == "scale":
            measurement.add_argument("sizes", type=int, nargs="*", metavar="SIZE")
    options = vars(parser.parse_args())
    options.pop("run")(**options)


if __name__ == "__main__":
    main()
