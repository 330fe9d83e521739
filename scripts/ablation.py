"""Measures how much each signal adds to the ranking.

    python -m scripts.ablation INDEX CASES [INDEX CASES ...]

Asks the questions as `trueref eval` does, with the page and the conversation of each case, and prints a Markdown table.
The figures are those of the questions of all sites together. The first rows compare Trueref with a common quick start:
BM25 over the sections under headings, joined by reciprocal rank fusion with the nearest piece of 1,000 characters of
each section. Each further row leaves out one signal or the second round of searches, and shows the differences with
their 95 % intervals (paired bootstrap). `changed` counts the questions for which the first ten sections or their order
changed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unittest.mock import patch

import numpy as np
from scripts.arguments import groups_of

from trueref_core.embedding.embedder import load_embedder
from trueref_core.generations.served_generation import open_index
from trueref_server.corpus.corpus import Corpus, Section
from trueref_server.evaluation.bootstrap import PairedDifference, differences
from trueref_server.evaluation.case_runs import run_cases
from trueref_server.evaluation.cases import Case, SectionAddress, read_cases
from trueref_server.evaluation.figures import Columns, columns_of, figures_of
from trueref_server.evaluation.gold import settle
from trueref_server.evaluation.judgements import judge
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.question.plan import make_plan
from trueref_server.ranking import rank
from trueref_server.ranking.confidence_features import DEPTH
from trueref_server.ranking.signals import K1, TITLE_TIMES, B
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Question
from trueref_server.search import search
from trueref_server.search.gaps import Gaps
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    from trueref_core.embedding.embedder import Embedder
    from trueref_core.generations.open_generation import OpenIndex

SEED: Final = 1
FUSION: Final = 60
"""The constant of reciprocal rank fusion, with its usual value."""
PIECE: Final = 1_000
"""Characters of a piece of text. The quick start embeds such pieces, without titles."""
FIGURES: Final = ("page@5", "section@5", "mrr@10", "abstain_auroc")


class IndexedSite:
    """An index and the questions that are asked of it."""

    def __init__(self, folder: Path, index: OpenIndex, corpus: Corpus, embedder: Embedder, cases: list[Case]) -> None:
        self.index, self.corpus, self.embedder, self.cases = index, corpus, embedder, cases
        self._service = Service(Settings(index=folder))

    async def ask(self) -> list[Outcome]:
        """The sections that Trueref finds for each question, asked as `trueref eval` does."""
        return await run_cases(self._service, self.cases)

    async def close(self) -> None:
        """Closes the service that answered."""
        await self._service.close()

    async def ask_quick_start(self) -> list[Outcome]:
        """The sections that the quick start finds: ranks by BM25 and by the nearest piece of text, fused."""
        sections = await self._under_headings()
        pieces = [(number, piece) for number, section in enumerate(sections) for piece in _pieces(section)]
        section_of_piece = np.array([number for number, _ in pieces])
        vectors = np.stack(list(self.embedder.embed([piece for _, piece in pieces])))
        term_counts = [_term_counts(section) for section in sections]
        average = sum(section_counts.total() for section_counts in term_counts) / len(term_counts)
        outcomes: list[Outcome] = []
        for case in self.cases:
            terms = WeightedQuestion(make_plan(Question(case.question), "en"), self.corpus.statistics).terms("en")
            text_scores = np.array([_bm25(terms, section_counts, average) for section_counts in term_counts])
            vector_scores = np.full(len(sections), -1.0)
            np.maximum.at(vector_scores, section_of_piece, vectors @ next(iter(self.embedder.embed([case.question]))))
            ranks = [
                np.argsort(np.argsort(-scores, kind="stable"), kind="stable") for scores in (text_scores, vector_scores)
            ]
            fused = sum(1 / (FUSION + 1 + rank) for rank in ranks)
            first_chunks = [sections[at][0].chunks[0] for at in np.argsort(-fused, kind="stable")[:DEPTH]]
            targets = tuple(SectionAddress(chunk.page, chunk.anchor, chunk.site) for chunk in first_chunks)
            outcomes.append(Outcome(case.id, targets, float(vector_scores.max())))
        return outcomes

    async def _under_headings(self) -> list[list[Section]]:
        """All sections in groups: a heading with the sections of terms and rows under it."""
        sections = await self.corpus.sections(self.index, dict.fromkeys(sorted(self.index.rows.sections), ""))
        ordered = sorted(sections.values(), key=lambda section: (section.chunks[0].page, section.chunks[0].position))
        headings = {
            (page.site, page.page, anchor.anchor)
            for page in self.index.manifest.pages()
            for anchor in self.index.manifest.anchors(page.page, page.site)
            if anchor.kind == "heading"
        }
        groups: list[list[Section]] = []
        for section in ordered:
            first = section.chunks[0]
            is_heading = not first.anchor or (first.site, first.page, first.anchor) in headings
            if is_heading or not groups or groups[-1][0].chunks[0].page != first.page:
                groups.append([])
            groups[-1].append(section)
        return groups


def _pieces(sections: list[Section]) -> list[str]:
    """The text of some sections, cut after every `PIECE` characters."""
    text = "\n".join(chunk.text[chunk.overlap :] for section in sections for chunk in section.chunks)
    return [text[at : at + PIECE] for at in range(0, max(1, len(text)), PIECE)]


def _term_counts(sections: list[Section]) -> Counter[str]:
    """How often each term occurs in a heading with the sections under it, its title counted several times."""
    first, *others = sections
    counts = Counter([*first.body, *first.title * TITLE_TIMES, *first.path])
    for other in others:
        counts.update([*other.title, *other.body])
    return counts


def _bm25(terms: dict[str, float], term_counts: Counter[str], average_total: float) -> float:
    """The BM25 score of a section, given the weights of terms, the counts of its terms, and the average total."""
    damping = K1 * (1 - B + B * term_counts.total() / average_total)
    return sum(weight * term_counts[term] * (K1 + 1) / (term_counts[term] + damping) for term, weight in terms.items())


@contextmanager
def without(signal: Callable[..., float]) -> Iterator[None]:
    """Ranks without one of the signals. Its value is still computed, because the confidence needs it."""
    original = rank.WEIGHTS, rank.WEIGHTS_BY_WORDS, rank.RELATIONS
    rank.WEIGHTS, rank.WEIGHTS_BY_WORDS, rank.RELATIONS = (  # type: ignore[misc]
        {other: 0.0 if other is signal else weight for other, weight in weights.items()} for weights in original
    )
    try:
        yield
    finally:
        rank.WEIGHTS, rank.WEIGHTS_BY_WORDS, rank.RELATIONS = original  # type: ignore[misc]


@contextmanager
def without_second_round() -> Iterator[None]:
    """Searches without the second round."""
    with patch.object(search, "assess", lambda *_: Gaps()):
        yield


async def run(pairs: list[tuple[Path, Path]]) -> None:
    """Asks all questions in all ways, and prints the table."""
    embedder = load_embedder("bundled")
    assert embedder is not None
    sites = [await _open(index, cases, embedder) for index, cases in pairs]

    async def ask() -> list[Outcome]:
        return [outcome for site in sites for outcome in await site.ask()]

    baseline = await ask()
    quick_start = [outcome for site in sites for outcome in await site.ask_quick_start()]
    _print_row("", *FIGURES, "changed")
    print("|---" * (2 + len(FIGURES)) + "|")
    _print("quick start", sites, quick_start)
    _print("Trueref", sites, baseline)
    _print_difference("Trueref against the quick start", sites, quick_start, baseline)
    with without_second_round():
        _print_difference("without the second round", sites, baseline, await ask())
    for signal in (*rank.WEIGHTS, *rank.RELATIONS):
        with without(signal):
            _print_difference(f"without `{signal.__name__}`", sites, baseline, await ask())
    for site in sites:
        await site.close()


async def _open(folder: Path, cases: Path, embedder: Embedder) -> IndexedSite:
    index = await open_index(folder.absolute())
    settled, _ = settle(index.manifest, read_cases([cases]))
    return IndexedSite(folder.absolute(), index, await Corpus.of(index), embedder, settled)


def _columns(sites: list[IndexedSite], outcomes: list[Outcome]) -> Columns:
    return columns_of(judge([case for site in sites for case in site.cases], outcomes))


def _print(name: str, sites: list[IndexedSite], outcomes: list[Outcome]) -> None:
    figures = figures_of(_columns(sites, outcomes))
    _print_row(name, *(f"{figures[figure]:.3f}" if figure in figures else "" for figure in FIGURES), "")


def _print_difference(name: str, sites: list[IndexedSite], before: list[Outcome], after: list[Outcome]) -> None:
    by_figure = differences(_columns(sites, before), _columns(sites, after), SEED)
    cells = [_cell(by_figure[figure]) if figure in by_figure else "" for figure in FIGURES]
    changed = sum(old.results != new.results for old, new in zip(before, after, strict=True))
    _print_row(name, *cells, f"{changed} of {len(before)}")


def _cell(change: PairedDifference) -> str:
    low, high = change.interval
    return f"{change.difference:+.3f} ({low:+.3f} to {high:+.3f})"


def _print_row(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |", flush=True)


def main() -> None:
    """Reads the pairs of index and cases."""
    asyncio.run(run([(index, cases) for index, cases in groups_of(__doc__, "INDEX", "CASES")]))


if __name__ == "__main__":
    main()
