"""Collects what a reader of documentation learns from: questions with texts that answer them and texts that do not.

    python training/collect_examples.py FOLDER OUT [NAME ...]

FOLDER is where `training/fetch_sites.py` has put the sites. For every answerable question of a site OUT/NAME.jsonl gets
one line (an `Example`): the passages of the ten best sections as Trueref finds them now, and the chunks of these and of
the sections that answer. Texts that were found and do not answer are the hard ones to tell apart. OUT holds the text of
the docs: it is made again rather than kept. The name `real/flask` collects for the real questions of that site.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from examples import QUESTIONS, Example, Text
from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.publication import open_index
from trueref_core.records import Chunk
from trueref_server.answering.choice import ReadSection, candidates_of
from trueref_server.answering.excerpt import excerpt
from trueref_server.answering.passages import passages
from trueref_server.answering.relevance import Relevance
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.shown import fenced
from trueref_server.evaluation.spans import SpanFinder
from trueref_server.question.plan import make_plan
from trueref_server.records import Question
from trueref_server.search.evidence import gather
from trueref_server.search.search_rounds import Found, find

SECTIONS: Final = 10
"""Sections whose passages are collected, as many as an answer may choose from."""

Key = tuple[str, str]


async def examples_of(index_folder: Path, cases: Iterable[Case]) -> list[Example]:
    """The examples of one site, one for each question that has nuggets."""
    index = await open_index(index_folder)
    corpus = await Corpus.of(index)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    sections: dict[Key, list[Chunk]] = {}
    for chunk in (await index.chunks(index.rows.ids)).values():
        sections.setdefault((chunk.page, chunk.anchor), []).append(chunk)
    collected: list[Example] = []
    for case in cases:
        plan = make_plan(Question(case.question), "en", corpus.statistics)
        found = await find(index, corpus, embedder, plan, limit=SECTIONS)
        evidence = await gather(index, found.asked, found.hits)
        read = [ReadSection(hit, passages(told)) for hit, told in zip(evidence.hits, evidence.sections, strict=False)]
        seen = _passages(case, found, [section for section in read if section.passages])
        keys = [(section.hit.chunk.page, section.hit.chunk.anchor) for section in read]
        collected.append(Example(case.id, plan.query, seen, _chunks(case, keys, sections)))
    await index.close()
    return collected


def _passages(case: Case, found: Found, read: Sequence[ReadSection]) -> list[Text]:
    gold = {(place.page, place.anchor) for place in case.gold}
    collected: list[Text] = []
    for section in read:
        is_gold = (section.hit.chunk.page, section.hit.chunk.anchor) in gold
        for candidate in candidates_of(found.asked, section, read[0]):
            blocks = excerpt(section.passages, candidate.at, Relevance.of(found.asked))
            answers = see(case, Outcome(case.id, shown=fenced(blocks))).is_full
            collected.append(Text(candidate.read_as, answers, is_gold))
    return collected


def _chunks(case: Case, found: Sequence[Key], sections: Mapping[Key, Sequence[Chunk]]) -> list[Text]:
    gold = {(place.page, place.anchor) for place in case.gold}
    spans = [span for nugget in case.nuggets for span in nugget]
    collected: list[Text] = []
    for key in dict.fromkeys([*found, *sorted(gold)]):
        for chunk in sections.get(key, ()):
            finder = SpanFinder(chunk.text)
            answers = key in gold and any(finder.holds(span) for span in spans)
            collected.append(Text(chunk.embedded_text, answers, key in gold))
    return collected


def main(arguments: Sequence[str]) -> None:
    """Collect the examples of the sites that are named, of all that have questions where none is."""
    if len(arguments) < 2:
        raise SystemExit(__doc__)
    folder, out, names = Path(arguments[0]).absolute(), Path(arguments[1]), arguments[2:]
    for name in names or sorted(path.stem for path in QUESTIONS.glob("*.jsonl")):
        path, written = QUESTIONS / f"{name}.jsonl", out / f"{name}.jsonl"
        cases = [case for case in read_cases([path]) if case.has_nuggets]
        collected = asyncio.run(examples_of(folder / path.stem / "index", cases))
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_bytes(b"".join(msgspec.json.encode(example) + b"\n" for example in collected))
        possible = sum(any(text.answers for text in example.passages) for example in collected)
        print(f"{name}: {len(collected)} questions, {possible} with a passage that answers among those found.")


if __name__ == "__main__":
    main(sys.argv[1:])
