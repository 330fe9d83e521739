"""Collects training examples: questions with texts that answer them and texts that do not.

    python training/collect_examples.py FOLDER OUT [NAME ...]

FOLDER is the folder of `training/fetch_sites.py` with the sites. For every question of a site, OUT/NAME.jsonl gets one
line (an `Example`): the passages of the ten best sections that Trueref finds now, with the signals of their choice, and
the chunks of these sections and of those that answer. For `train_embedder.py --ranked` it also has a text of each of
the sixty best sections, with the section's score, and of each that answers and is among the best 250. Texts that were
found and do not answer are the hardest for a model to recognise. If the docs do not answer a question, all of its texts
are such texts. OUT has the text of the docs, so it should be made again rather than stored.

    python training/collect_examples.py --site NAME INDEX CASES NUGGETS OUT

does the same for your own site, with nuggets in a separate file. With the name `real/flask` the examples are those of
the real questions of a site.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from examples import QUESTIONS, Example, Ranked, Shown, Text
from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.served_generation import open_index
from trueref_core.records import Chunk
from trueref_server.answering.candidates import SectionPassages
from trueref_server.answering.choice import WEIGHTS_BEFORE_COMPARISON, candidates_of
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.case_runs import fenced
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import ShownNuggets, add_nuggets, see
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.evaluation.span_finder import SpanFinder
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.records import Hit, Question
from trueref_server.search.search import RankedSections, SearchIndex, search_plan

SECTIONS: Final = 10
"""How many sections are collected: as many as an answer may choose from."""

FOUND: Final = 250
"""How many sections are searched for, of which those that answer are kept wherever they stand."""
RANKED: Final = 60
"""How many of the best sections are kept for training on the order of sections."""
OF_VECTORS: Final = ("vector", "nearest_two", "parts")
"""The signals of ranking that compare vectors."""

NOTHING: Final = ShownNuggets(missing=((),), misleading=(), recall=0.0, in_cards=False)
"""The judgement of a text for a question that the docs do not answer."""

SectionKey = tuple[str, str]
"""The page and the anchor of a section."""


async def examples_of(index_folder: Path, cases: Iterable[Case]) -> list[Example]:
    """The examples of one site: one for each of the questions."""
    index = await open_index(index_folder)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    search_index = SearchIndex(index, await Corpus.of(index), Scopes(index.manifest), embedder)
    sections: dict[SectionKey, list[Chunk]] = {}
    for chunk in (await index.chunks(index.rows.ids)).values():
        sections.setdefault((chunk.page, chunk.anchor), []).append(chunk)
    collected: list[Example] = []
    for case in cases:
        plan = make_plan(Question(case.question), "en", search_index.corpus.statistics)
        ranked = await search_plan(search_index, plan, limit=SECTIONS)
        read_sections = [SectionPassages(hit, passages(hit.in_page_order)) for hit in ranked.hits[:SECTIONS]]
        collected_passages = _passages(case, ranked, read_sections)
        keys = [(section.hit.chunk.page, section.hit.chunk.anchor) for section in read_sections]
        chunks = _chunks(case, keys, sections)
        # A search of its own: a search for more sections may list others among the first ten.
        found = _ranked(case, (await search_plan(search_index, plan, limit=FOUND)).hits)
        collected.append(Example(case.id, plan.query, collected_passages, chunks, case.answerable, case.kind, found))
    await index.close()
    return collected


def _passages(case: Case, ranked: RankedSections, read_sections: Sequence[SectionPassages]) -> list[Shown]:
    """The passages of the sections that were found, each judged by what would be shown for it."""
    gold = {(section.page, section.anchor) for section in case.gold}
    sections_with_text = [(at, section) for at, section in enumerate(read_sections) if section.passages]
    collected: list[Shown] = []
    for at, section in sections_with_text:
        is_gold = (section.hit.chunk.page, section.hit.chunk.anchor) in gold
        for candidate in candidates_of(ranked.question, section, sections_with_text[0][1]):
            blocks = excerpt(section.passages, candidate.number, Relevance.of(ranked.question))
            shown = fenced(blocks)
            seen = see(case, Outcome(case.id, shown=shown)) if case.has_nuggets else NOTHING
            signals = {signal.__name__: signal(ranked.question, candidate) for signal in WEIGHTS_BEFORE_COMPARISON}
            texts = (candidate.text_with_headings, seen.is_full, is_gold)
            collected.append(Shown(*texts, shown, at, seen.recall, signals))
    return collected


def _ranked(case: Case, hits: Sequence[Hit]) -> list[Ranked]:
    """A text of each of the best sections, and of each section that answers."""
    gold = {(section.page, section.anchor) for section in case.gold}
    spans = [span for nugget in case.nuggets for span in nugget]
    collected: list[Ranked] = []
    for at, hit in enumerate(sorted(hits, key=lambda hit: -hit.score)):
        is_gold = any((page, anchor) in gold for _, page, anchor in (hit.address, *hit.twins))
        if at >= RANKED and not is_gold:
            continue
        answering = [chunk for chunk in hit.chunks if is_gold and any(map(SpanFinder(chunk.text).holds, spans))]
        text = (answering or hit.chunks)[0].embedded_text
        without_vectors = hit.score - sum(hit.signals.get(signal, 0.0) for signal in OF_VECTORS)
        collected.append(Ranked(text, bool(answering), is_gold, hit.score, without_vectors))
    return collected


def _chunks(case: Case, keys: Sequence[SectionKey], sections: Mapping[SectionKey, Sequence[Chunk]]) -> list[Text]:
    """The chunks of the sections that were found and of those that answer."""
    gold = {(section.page, section.anchor) for section in case.gold}
    spans = [span for nugget in case.nuggets for span in nugget]
    collected: list[Text] = []
    for key in dict.fromkeys([*keys, *sorted(gold)]):
        for chunk in sections.get(key, ()):
            finder = SpanFinder(chunk.text)
            answers = key in gold and any(finder.holds(span) for span in spans)
            collected.append(Text(chunk.embedded_text, answers, key in gold))
    return collected


def collect(index: Path, cases: Sequence[Case], out: Path) -> None:
    """Writes the examples of a site, and prints how many there are."""
    usable = [case for case in cases if case.has_nuggets or not case.answerable]
    collected = asyncio.run(examples_of(index, usable))
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(b"".join(msgspec.json.encode(example) + b"\n" for example in collected))
    answered = [example for example in collected if example.answerable]
    possible = sum(any(text.answers for text in example.passages) for example in answered)
    print(f"{out.stem}: {len(answered)} questions, {possible} with a passage that answers among those found.")


def main() -> None:
    """Collects the examples of the named sites, or of all sites with questions."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", metavar="NAME", help="a site of one's own: INDEX CASES NUGGETS OUT follow")
    parser.add_argument("arguments", nargs="+", metavar="ARGUMENT")
    options = parser.parse_args()
    arguments: list[str] = options.arguments
    if options.site:
        if len(arguments) != 4:
            parser.error("--site NAME needs INDEX CASES NUGGETS OUT")
        index, cases, nuggets, out = map(Path, arguments)
        collect(index.absolute(), add_nuggets(read_cases([cases]), [nuggets])[0], out / f"{options.site}.jsonl")
        return
    if len(arguments) < 2:
        parser.error("FOLDER and OUT are needed")
    folder, out, names = Path(arguments[0]).absolute(), Path(arguments[1]), arguments[2:]
    for name in names or sorted(path.stem for path in QUESTIONS.glob("*.jsonl")):
        path = QUESTIONS / f"{name}.jsonl"
        if not path.exists():
            parser.error(f"there are no questions for {name} in {QUESTIONS}")
        collect(folder / path.stem / "index", read_cases([path]), out / f"{name}.jsonl")


if __name__ == "__main__":
    main()
