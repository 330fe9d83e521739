"""Collects pairs of texts that belong together from the indexes of sites, without written questions.

    python training/collect_pairs.py FOLDER OUT [NAME ...] [--most 400] [--seed 1] [--wrong 12]

FOLDER is the folder of `training/fetch_sites.py` with the sites. OUT is the file that gets one line for each pair (a
`Pair`). Without names, all sites are taken except those that are left out of training. There are four kinds of pairs:

    link        the sentence with an internal link, and the section that the link leads to
    changelog   the same in a change log: the entry, and the section that the link leads to
    faq         a heading that is a question, and the text under it
    heading     any other heading with its path, and the text under it

At most `--most` pairs of each kind are drawn from a site, so that a large site does not outweigh the others. With
`--wrong N` each pair also gets the N texts of its site that are nearest to its question and do not belong to it. OUT
has the text of the docs, so it should be made again rather than stored.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import msgspec
import numpy as np

from examples import LEFT_OUT
from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.open_generation import OpenIndex
from trueref_core.generations.served_generation import open_index, read_links
from trueref_core.records import Chunk, Link
from trueref_core.text.sentences import split_sentences

Kind = Literal["link", "changelog", "faq", "heading"]
KINDS: Final[tuple[Kind, ...]] = ("link", "changelog", "faq", "heading")

MIN_WORDS: Final = 8
"""The least words of a sentence with a link. A shorter one is little more than the name of the target."""

ASKING_WORDS: Final = 4
"""The least words of a heading that is a question. A shorter one is a name."""

MIN_TEXT: Final = 80
"""The least characters of the text under a heading. A shorter text says hardly more than the heading."""

ASKS: Final = re.compile(r"(?i)^(how|why|what|when|where|which|who|can|could|do|does|is|are|should|will) .*\w|.*\?$")

SectionKey = tuple[str, str]
"""The page and the anchor of a section."""


class Pair(msgspec.Struct, frozen=True):
    """A text in the role of a question, a text in the role of its answer, and near texts that do not answer."""

    kind: Kind
    question: str
    answer: str
    wrong: tuple[str, ...] = ()


def sentence_of(text: str, link_text: str) -> str:
    """The sentence of a text with the words of a link; "" if there is none or it is too short.

    Args:
        text: The text of a section.
        link_text: The words of the link.
    """
    words = re.compile(rf"(?<!\w){re.escape(link_text)}(?!\w)")
    for begin, end in split_sentences(text):
        sentence = text[begin:end]
        if words.search(sentence) and len(sentence.split()) >= MIN_WORDS:
            return sentence.strip("-*# ")
    return ""


def link_pairs(links: Iterable[Link], sections: Mapping[SectionKey, Sequence[Chunk]]) -> list[Pair]:
    """The sentences with a link to another section, each with the beginning of that section, and each pair once."""
    pairs: dict[tuple[str, SectionKey], Pair] = {}
    for link in links:
        source, target = (link.from_page, link.from_anchor), (link.to_page, link.to_anchor)
        if link.kind != "internal" or source == target or target not in sections or not link.text.strip():
            continue
        for chunk in sections.get(source, ()):
            sentence = sentence_of(chunk.text, link.text)
            if sentence:
                kind: Kind = "changelog" if chunk.page_kind == "changelog" else "link"
                pair = Pair(kind, sentence, sections[target][0].embedded_text)
                pairs.setdefault((sentence, target), pair)
                break
    return list(pairs.values())


def heading_pairs(chunks: Iterable[Chunk]) -> list[Pair]:
    """The headings with their path, each with every prose chunk under it. The text of the chunk has no path."""
    pairs: list[Pair] = []
    for chunk in chunks:
        path = [part for part in dict.fromkeys([*chunk.breadcrumb, chunk.title]) if part]
        if chunk.kind != "prose" or not chunk.title or len(chunk.text) < MIN_TEXT:
            continue
        # The title of an API member is its signature, and that of a release its number: no user asks for these.
        if chunk.page_kind in ("api", "changelog"):
            continue
        is_question = ASKS.match(chunk.title) is not None and len(chunk.title.split()) >= ASKING_WORDS
        question = chunk.title if is_question else " > ".join(path)
        pairs.append(Pair("faq" if is_question else "heading", question, chunk.text))
    return pairs


def draw(pairs: Iterable[Pair], most: int, seed: int) -> list[Pair]:
    """At most `most` pairs of each kind, always the same for the same seed and pairs."""
    rng = random.Random(seed)  # noqa: S311 - a draw that can be made again, nothing secret
    by_kind: dict[str, list[Pair]] = {kind: [] for kind in KINDS}
    for pair in dict.fromkeys(pairs):
        by_kind[pair.kind].append(pair)
    return [pair for of_kind in by_kind.values() for pair in rng.sample(of_kind, min(most, len(of_kind)))]


def wrong_of(pair: Pair, chunks: Iterable[Chunk], most: int) -> tuple[str, ...]:
    """The first chunks that do not belong to a pair, in the form of its answer: without path if that has none."""
    heading = pair.question.rpartition(" > ")[2]
    path, _, _ = pair.answer.partition("\n")
    texts: dict[str, None] = {}
    for chunk in chunks:
        if pair.kind in ("faq", "heading"):
            belongs, text = heading in (chunk.title, *chunk.breadcrumb), chunk.text
        else:
            text = chunk.embedded_text
            belongs = pair.question in chunk.text or text.startswith(f"{path}\n")
        if not belongs and len(texts) < most:
            texts[text] = None
    return tuple(texts)


async def with_wrong(pairs: Sequence[Pair], index: OpenIndex, chunks: Sequence[Chunk], most: int) -> list[Pair]:
    """The pairs, each with the nearest chunks that do not belong to it."""
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    if embedder is None or not pairs:
        return list(pairs)
    vectors = np.stack(list(embedder.embed(pair.question for pair in pairs)))
    rows = [index.rows.row_of[chunk.id] for chunk in chunks]
    nearest: list[list[int]] = np.argsort(-await index.cosines(rows, vectors), axis=0)[: 3 * most].T.tolist()
    return [
        msgspec.structs.replace(pair, wrong=wrong_of(pair, [chunks[at] for at in order], most))
        for pair, order in zip(pairs, nearest, strict=True)
    ]


async def pairs_of(index_folder: Path, most: int, seed: int, wrong: int) -> list[Pair]:
    """The pairs that are drawn from a site."""
    index = await open_index(index_folder)
    chunks = list((await index.chunks(index.rows.ids)).values())
    sections: dict[SectionKey, list[Chunk]] = {}
    for chunk in chunks:
        sections.setdefault((chunk.page, chunk.anchor), []).append(chunk)
    drawn = draw([*link_pairs(read_links(index_folder), sections), *heading_pairs(chunks)], most, seed)
    drawn = await with_wrong(drawn, index, chunks, wrong) if wrong else drawn
    await index.close()
    return drawn


def main() -> None:
    """Collects the pairs of the named sites, or of all sites that may be used for training."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--wrong", type=int, default=0)
    options = parser.parse_args()
    if refused := LEFT_OUT.intersection(options.names):
        parser.error(f"only ever measured on: {', '.join(sorted(refused))}")
    names = options.names or sorted(
        {path.parent.parent.name for path in options.folder.glob("*/index/current.json")} - LEFT_OUT
    )
    collected: list[Pair] = []
    for name in names:
        index = (options.folder / name / "index").absolute()
        drawn = asyncio.run(pairs_of(index, options.most, options.seed, options.wrong))
        print(f"{name}: {_counts(drawn)}", flush=True)
        collected += drawn
    options.out.write_bytes(b"".join(msgspec.json.encode(pair) + b"\n" for pair in collected))
    print(f"{len(names)} sites: {_counts(collected)}")


def _counts(pairs: Sequence[Pair]) -> str:
    counted = Counter(pair.kind for pair in pairs)
    return ", ".join(f"{counted[kind]} {kind}" for kind in KINDS)


if __name__ == "__main__":
    main()
