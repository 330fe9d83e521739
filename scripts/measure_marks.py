"""Counts how often the mark of the first card is on what answers.

    python -m scripts.measure_marks INDEX CASES NUGGETS [INDEX CASES NUGGETS ...]

Of the questions whose first card shows a nugget: in how many of them the marked sentence, item, row or line is the
nugget or a part of it, if words alone decide and as the program marks; then how many only one of the two marks. A mark
and a nugget are the same if half of the words of the shorter one are in both. NUGGETS is CASES again if the cases have
nuggets themselves.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.arguments import groups_of

from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.served_generation import open_index
from trueref_server.answering.answered_parts import AnsweredPart
from trueref_server.answering.excerpts.excerpt import excerpt
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.extractive import Card
from trueref_server.corpus.corpus import Corpus
from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.evaluation.nuggets import add_nuggets
from trueref_server.evaluation.span_finder import words
from trueref_server.pipeline import passage_comparison
from trueref_server.question.plan import make_plan
from trueref_server.question.scope import Scopes
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.records import ExcerptBlock, Question
from trueref_server.search.search import SearchIndex, search_plan


async def count(folder: Path, cases: Sequence[Case]) -> Counter[tuple[bool, bool]]:
    """How many first cards are marked rightly by words alone, and by the program."""
    index = await open_index(folder)
    embedder = load_embedder(index.generation.embedder, for_questions=True)
    late = LateInteraction(embedder) if embedder is not None else None
    search_index = SearchIndex(index, await Corpus.of(index), Scopes(index.manifest), embedder, late)
    counts: Counter[tuple[bool, bool]] = Counter()
    for case in filter(lambda case: case.has_nuggets, cases):
        hits = await search_plan(search_index, make_plan(Question(case.question), "en", search_index.corpus.statistics))
        part = AnsweredPart.of(hits.question, hits.hits, await passage_comparison(search_index, [hits]))
        if not part.cards:
            continue
        shown = Card(part, part.cards[0], is_open=True).blocks
        candidate = part.cards[0].candidate
        by_words = excerpt(candidate.section.passages, candidate.number, Relevance.of(hits.question))
        if any(True for block in shown for _ in _nuggets_in(block, case)):
            counts[_is_right(by_words, case), _is_right(shown, case)] += 1
    await index.close()
    return counts


def _is_right(blocks: Sequence[ExcerptBlock], case: Case) -> bool:
    """Whether the mark of these blocks is on a nugget."""
    for block in blocks:
        if block.highlight is not None:
            start = len(words(block.text[: block.highlight[0]]))
            end = start + len(words(block.text[slice(*block.highlight)]))
            return any(
                min(end, last) - max(start, first) >= min(end - start, last - first) / 2
                for first, last in _nuggets_in(block, case)
            )
    return False


def _nuggets_in(block: ExcerptBlock, case: Case) -> Iterator[tuple[int, int]]:
    """Where spans of the nuggets begin and end in a block, counted in words."""
    text_words = words(block.text)
    for span in (span for nugget in case.nuggets for span in nugget):
        span_words = words(span)
        for start in range(len(text_words) - len(span_words) + 1):
            if text_words[start : start + len(span_words)] == span_words:
                yield start, start + len(span_words)


def main() -> None:
    """Prints a line for each site."""
    print(f"{'':24}{'cards':>8}{'words':>8}{'program':>8}{'words only':>12}{'program only':>14}")
    for folder, cases_path, nuggets_path in groups_of(__doc__, "INDEX", "CASES", "NUGGETS"):
        cases = read_cases([cases_path])
        if nuggets_path != cases_path:
            cases, _ = add_nuggets(cases, [nuggets_path])
        counts = asyncio.run(count(folder, cases))
        by_words = sum(number for (words_right, _), number in counts.items() if words_right)
        by_program = sum(number for (_, program_right), number in counts.items() if program_right)
        print(
            f"{cases_path.stem:24}{sum(counts.values()):8}{by_words:8}{by_program:8}{counts[True, False]:12}"
            f"{counts[False, True]:14}",
            flush=True,
        )


if __name__ == "__main__":
    main()
