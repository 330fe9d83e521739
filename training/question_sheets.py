"""Writes sheets of numbered texts for authors of questions, and turns the written questions into cases.

    python training/question_sheets.py write FOLDER SHEETS [NAME ...] [--most 400] [--page 150] [--seed 1]
        [--without SHEETS]
    python training/question_sheets.py read FOLDER SHEETS OUT [NAME ...]

FOLDER is the folder of `training/fetch_sites.py` with the sites. `write` draws at most `--most` texts of each site and
at most one text of a section, and writes them to SHEETS/NAME-1.md, SHEETS/NAME-2.md and so on, with `--page` texts in
each. Without names, all sites are taken except those that are left out of training. Not drawn are texts of change logs,
blogs and landing pages, texts that occur more than once, and texts in the sheets that `--without` names.

For each sheet the author makes a file SHEETS/NAME-1.tsv, with a line for each question:

    NUMBER<tab>QUESTION<tab>SPAN

The number is that of the text. The question is what a user would ask. The span is copied from the text, and consists of
the words that answer. `read` adds the cases of each site to OUT/NAME.jsonl, for `training/collect_examples.py`. A line
is left out and counted if its span is not in its text. The sheets have the text of the docs, so they should be made
again rather than stored.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from examples import LEFT_OUT
from trueref_core.generations.served_generation import open_index
from trueref_core.records import Chunk
from trueref_server.evaluation.span_finder import SpanFinder

MIN_TEXT: Final = 160
"""The least characters of a text for which a question is written. Shorter ones are mostly announcements."""

MAX_TEXT: Final = 1100
"""The most characters of a text that a sheet shows. Code can be longer."""

MAX_TITLE: Final = 80
"""The most characters of a heading that a sheet shows. The signature of a class can have hundreds."""

API_SHARE: Final = 0.25
"""The largest share of texts from API references. There are many of these, and users ask about few."""

NO_QUESTIONS: Final = frozenset(["changelog", "blog", "landing", "redirect"])
"""Kinds of pages about which users do not ask."""


class Section(msgspec.Struct, frozen=True):
    """The section in which a text stands."""

    page: str
    anchor: str


class Written(msgspec.Struct, frozen=True):
    """A question as a line of a case file, with some of the fields of `trueref_server.evaluation.cases.Case`."""

    id: str
    question: str
    gold: tuple[Section, ...]
    nuggets: tuple[tuple[str, ...], ...]
    answerable: bool = True
    kind: str = "written"


@dataclass(frozen=True)
class Draw:
    """How texts are drawn: the most of a site, those on a sheet, the seed, and the sheets of an earlier draw."""

    most: int
    page: int
    seed: int
    without: Path | None


async def chunks_of(index_folder: Path) -> list[Chunk]:
    """All chunks of a site."""
    index = await open_index(index_folder)
    try:
        return list((await index.chunks(index.rows.ids)).values())
    finally:
        await index.close()


def draw_texts(chunks: Iterable[Chunk], draw: Draw, drawn_before: frozenset[str] = frozenset()) -> list[Chunk]:
    """Draws the chunks for which questions are written, in the order of the site. Equal arguments give equal chunks.

    Args:
        chunks: The chunks of one site.
        draw: How many are drawn, and the seed.
        drawn_before: Texts that are not drawn again.
    """
    shuffled = sorted(chunks, key=lambda chunk: chunk.id)
    random.Random(draw.seed).shuffle(shuffled)  # noqa: S311 - a draw that can be made again, nothing secret
    twin_counts = Counter(chunk.twin_key for chunk in shuffled)
    chunk_of_section: dict[tuple[str, str], Chunk] = {}
    for chunk in shuffled:
        fits = chunk.page_kind not in NO_QUESTIONS and len(chunk.text) >= MIN_TEXT
        if fits and twin_counts[chunk.twin_key] == 1 and chunk.text not in drawn_before:
            chunk_of_section.setdefault((chunk.page, chunk.anchor), chunk)
    drawn = list(chunk_of_section.values())
    api_chunks = [chunk for chunk in drawn if chunk.page_kind == "api"][: round(draw.most * API_SHARE)]
    other_chunks = [chunk for chunk in drawn if chunk.page_kind != "api"][: draw.most - len(api_chunks)]
    # In the order of the site, so that the author reads together what belongs together.
    return sorted(api_chunks + other_chunks, key=lambda chunk: (chunk.page, chunk.position))


def sheet(chunks: Sequence[Chunk], first: int) -> str:
    """The text of a sheet: some chunks with their numbers and headings."""
    parts: list[str] = []
    for number, chunk in enumerate(chunks, first):
        titles = dict.fromkeys(part[:MAX_TITLE] for part in [*chunk.breadcrumb, chunk.title] if part)
        path = " > ".join(list(titles)[-3:])
        parts.append(f"### {number} | {path}\n{chunk.text[chunk.overlap :][:MAX_TEXT].strip()}\n")
    return "\n".join(parts)


def read_texts(sheets: Path | None, name: str) -> list[tuple[str, str, str]]:
    """The page, the anchor and the text of each chunk on the sheets of a site, in the order of their numbers."""
    file = sheets / f"{name}.json" if sheets else None
    if file is None or not file.exists():
        return []
    return msgspec.json.decode(file.read_bytes(), type=list[tuple[str, str, str]])


def write(folder: Path, sheets: Path, names: Sequence[str], draw: Draw) -> None:
    """Writes the sheets of some sites, and prints how many texts they have."""
    sheets.mkdir(parents=True, exist_ok=True)
    for name in names:
        drawn_before = frozenset(text for _, _, text in read_texts(draw.without, name))
        chunks = draw_texts(asyncio.run(chunks_of(folder / name / "index")), draw, drawn_before)
        numbered_texts = [(chunk.page, chunk.anchor, chunk.text) for chunk in chunks]
        (sheets / f"{name}.json").write_bytes(msgspec.json.encode(numbered_texts))
        for at in range(0, len(chunks), draw.page):
            file = sheets / f"{name}-{at // draw.page + 1}.md"
            file.write_text(sheet(chunks[at : at + draw.page], at + 1), "utf-8")
        print(f"{name}: {len(chunks)} texts.")


def cases_of(name: str, sheets: Path) -> Iterator[Written | str]:
    """The cases of a site, and for each line that is not a valid case a message that says why."""
    numbered_texts = read_texts(sheets, name)
    for file in sorted(sheets.glob(f"{name}-[0-9]*.tsv"), key=lambda path: int(path.stem.rpartition("-")[2])):
        for line in filter(str.strip, file.read_text("utf-8").splitlines()):
            fields = [field.strip() for field in line.split("\t")]
            if len(fields) != 3 or not fields[0].isdigit() or not 0 < int(fields[0]) <= len(numbered_texts):
                yield f"{file.name}: a line is no number, question and span: {line[:80]!r}"
                continue
            page, anchor, text = numbered_texts[int(fields[0]) - 1]
            if not SpanFinder(text).holds(fields[2]):
                yield f"{file.name}: text {fields[0]} has no span {fields[2]!r}"
                continue
            # The id is a digest of the question, so that it does not depend on other lines.
            digest = hashlib.sha256(fields[1].encode()).hexdigest()[:8]
            yield Written(f"{name}-{digest}", fields[1], (Section(page, anchor),), ((fields[2],),))


def read(sheets: Path, out: Path, names: Sequence[str]) -> None:
    """Writes the cases of some sites, and prints how many there are and how many lines were left out."""
    out.mkdir(parents=True, exist_ok=True)
    encoder = msgspec.json.Encoder()
    for name in names:
        cases_and_faults = list(cases_of(name, sheets))
        file = out / f"{name}.jsonl"
        lines = file.read_bytes().splitlines() if file.exists() else []
        cases = {case.id: case for case in (msgspec.json.decode(line, type=Written) for line in lines)}
        cases |= {case.id: case for case in cases_and_faults if isinstance(case, Written)}
        faults = [line for line in cases_and_faults if isinstance(line, str)]
        if cases:
            file.write_bytes(b"".join(encoder.encode(case) + b"\n" for case in cases.values()))
        print(f"{name}: {len(cases)} questions, {len(faults)} lines left out.", *faults[:5], sep="\n  ")


def main() -> None:
    """Writes sheets, or reads the written questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    writing, reading = commands.add_parser("write"), commands.add_parser("read")
    for command in (writing, reading):
        command.add_argument("folder", type=Path)
        command.add_argument("sheets", type=Path)
    reading.add_argument("out", type=Path)
    for command in (writing, reading):
        command.add_argument("names", nargs="*")
    writing.add_argument("--most", type=int, default=400)
    writing.add_argument("--page", type=int, default=150)
    writing.add_argument("--seed", type=int, default=1)
    writing.add_argument("--without", type=Path)
    options = parser.parse_args()
    if only_measured := LEFT_OUT.intersection(options.names):
        parser.error(f"These sites are only ever measured on: {', '.join(sorted(only_measured))}")
    folder = options.folder.absolute()
    built = sorted(path.parent.parent.name for path in folder.glob("*/index/current.json"))
    names = options.names or [name for name in built if name not in LEFT_OUT]
    if options.command == "write":
        write(folder, options.sheets, names, Draw(options.most, options.page, options.seed, options.without))
    else:
        read(options.sheets, options.out, [name for name in names if (options.sheets / f"{name}.json").exists()])


if __name__ == "__main__":
    main()
