"""What each signal of the ranking brings.

    python -m scripts.ablation INDEX CASES [INDEX CASES ...]

Asks as `trueref eval` does, page and conversation of a case included, and prints a Markdown table: the figures of all
questions pooled, without one signal after the other and without the second round of searches, each as a difference with
its 95 % interval (paired bootstrap). The first rows compare with the usual quick start: BM25 over the sections under
headings and the nearest of their pieces of 1,000 characters, by reciprocal rank fusion. `changed` counts the questions
whose first ten sections are others, or in another order.
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
from trueref_server.evaluation.cases import Case, Place, read_cases
from trueref_server.evaluation.figures import Columns, columns_of, figures_of
from trueref_server.evaluation.gold import settle
from trueref_server.evaluation.judgements import judge
from trueref_server.evaluation.outcomes import Outcome
from trueref_server.question.plan import make_plan
from trueref_server.ranking import rank
from trueref_server.ranking.confidence import DEPTH
from trueref_server.ranking.signals import K1, TITLE_TIMES, B, WeightedQuestion
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
"""The usual constant of reciprocal rank fusion."""
PIECE: Final = 1_000
"""Characters of a piece of text that the quick start embeds, without titles."""
SHOWN: Final = ("page@5", "section@5", "mrr@10", "abstain_auroc")


class Site:
    """An index with its questions."""

    def __init__(self, folder: Path, index: OpenIndex, corpus: Corpus, embedder: Embedder, cases: list[Case]) -> None:
        self.index, self.corpus, self.embedder, self.cases = index, corpus, embedder, cases
        self._service = Service(Settings(index=folder))

    async def ask(self) -> list[Outcome]:
        """What is found for each question, as `trueref eval` asks it."""
        return await run_cases(self._service, self.cases)

    async def close(self) -> None:
        """Close what was asked."""
        await self._service.close()

    async def fuse(self) -> list[Outcome]:
        """The same by the quick start: ranks of BM25 over sections and of the nearest piece of text, fused."""
        sections = await self._under_headings()
        pieces = [(number, piece) for number, section in enumerate(sections) for piece in _pieces(section)]
        owners = np.array([number for number, _ in pieces])
        vectors = np.stack(list(self.embedder.embed([piece for _, piece in pieces])))
        counts = [_counted(section) for section in sections]
        average = sum(counted.total() for counted in counts) / len(counts)
        outcomes: list[Outcome] = []
        for case in self.cases:
            terms = WeightedQuestion(make_plan(Question(case.question), "en"), self.corpus.statistics).terms("en")
            worded = np.array([_bm25(terms, counted, average) for counted in counts])
            near = np.full(len(sections), -1.0)
            np.maximum.at(near, owners, vectors @ next(iter(self.embedder.embed([case.question]))))
            ranks = [np.argsort(np.argsort(-scores, kind="stable"), kind="stable") for scores in (worded, near)]
            fused = sum(1 / (FUSION + 1 + rank) for rank in ranks)
            firsts = [sections[at][0].chunks[0] for at in np.argsort(-fused, kind="stable")[:DEPTH]]
            targets = tuple(Place(first.page, first.anchor, first.site) for first in firsts)
            outcomes.append(Outcome(case.id, targets, float(near.max())))
        return outcomes

    async def _under_headings(self) -> list[list[Section]]:
        """All sections, those of terms and rows with the heading that they are under."""
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
    text = "\n".join(chunk.text[chunk.overlap :] for section in sections for chunk in section.chunks)
    return [text[at : at + PIECE] for at in range(0, max(1, len(text)), PIECE)]


def _counted(sections: list[Section]) -> Counter[str]:
    first, *others = sections
    counts = Counter([*first.body, *first.title * TITLE_TIMES, *first.path])
    for other in others:
        counts.update([*other.title, *other.body])
    return counts


def _bm25(terms: dict[str, float], counted: Counter[str], average: float) -> float:
    damping = K1 * (1 - B + B * counted.total() / average)
    return sum(weight * counted[term] * (K1 + 1) / (counted[term] + damping) for term, weight in terms.items())


@contextmanager
def without(signal: Callable[..., float]) -> Iterator[None]:
    """The ranking without one of its signals; confidence still reads its value."""
    original = rank.WEIGHTS, rank.RELATIONS
    rank.WEIGHTS, rank.RELATIONS = (  # type: ignore[misc]
        {other: 0.0 if other is signal else weight for other, weight in weights.items()} for weights in original
    )
    try:
        yield
    finally:
        rank.WEIGHTS, rank.RELATIONS = original  # type: ignore[misc]


@contextmanager
def without_second_round() -> Iterator[None]:
    """The first round of searches alone."""
    with patch.object(search, "assess", lambda *_: Gaps()):
        yield


async def run(pairs: list[tuple[Path, Path]]) -> None:
    """Print the table."""
    embedder = load_embedder("bundled")
    assert embedder is not None
    sites = [await _open(index, cases, embedder) for index, cases in pairs]

    async def ask() -> list[Outcome]:
        return [outcome for site in sites for outcome in await site.ask()]

    everything = await ask()
    fused = [outcome for site in sites for outcome in await site.fuse()]
    _print_row("", *SHOWN, "changed")
    print("|---" * (2 + len(SHOWN)) + "|")
    _print("quick start", sites, fused)
    _print("Trueref", sites, everything)
    _print_difference("Trueref against the quick start", sites, fused, everything)
    with without_second_round():
        _print_difference("without the second round", sites, everything, await ask())
    for signal in (*rank.WEIGHTS, *rank.RELATIONS):
        with without(signal):
            _print_difference(f"without `{signal.__name__}`", sites, everything, await ask())
    for site in sites:
        await site.close()


async def _open(folder: Path, cases: Path, embedder: Embedder) -> Site:
    index = await open_index(folder.absolute())
    settled, _ = settle(index.manifest, read_cases([cases]))
    return Site(folder.absolute(), index, await Corpus.of(index), embedder, settled)


def _columns(sites: list[Site], outcomes: list[Outcome]) -> Columns:
    return columns_of(judge([case for site in sites for case in site.cases], outcomes))


def _print(name: str, sites: list[Site], outcomes: list[Outcome]) -> None:
    figures = figures_of(_columns(sites, outcomes))
    _print_row(name, *(f"{figures[shown]:.3f}" if shown in figures else "" for shown in SHOWN), "")


def _print_difference(name: str, sites: list[Site], before: list[Outcome], after: list[Outcome]) -> None:
    by_figure = differences(_columns(sites, before), _columns(sites, after), SEED)
    cells = [_cell(by_figure[shown]) if shown in by_figure else "" for shown in SHOWN]
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
