"""How central a page is: the share of readers that end on it if they follow links at random (PageRank).

The questions that the widget offers are sorted by centrality (see `offered_questions`). Sorted by address, those for
the docs of a package manager would begin with "How do I log in to a service?" and not with "How do I manage
dependencies?". Ranking does not use centrality: as a signal it improved nothing (see `docs/decisions/ranking.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

DAMPING: Final = 0.85
"""Share of readers that follow a link. The others start again on any page. From Page et al. 1998, "PageRank"."""
MAX_ROUNDS: Final = 100
TOLERANCE: Final = 1e-8
"""The ranks are final if their changes in one round sum to less than this."""


def centrality(pages: Sequence[str], links_by_page: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """The centrality of each page, 0 to 1, relative to the most central page, rounded to four places.

    It is computed by power iteration. Only links in texts count, since a navigation links to every page, and each pair
    of pages counts once.

    Args:
        pages: The pages of one site.
        links_by_page: By page: the other pages that links in its text lead to, each once. Pages that are not among
            `pages` do not count.
    """
    import numpy as np

    if not pages:
        return {}
    numbers = {page: number for number, page in enumerate(pages)}
    targets_of = [[numbers[target] for target in links_by_page.get(page, ()) if target in numbers] for page in pages]
    sources = np.repeat(np.arange(len(pages)), list(map(len, targets_of)))
    targets = np.fromiter(chain.from_iterable(targets_of), dtype=np.intp, count=len(sources))
    link_counts = np.bincount(sources, minlength=len(pages))
    ranks = np.full(len(pages), 1 / len(pages))
    for _ in range(MAX_ROUNDS):
        # The readers on a page without links start again on any page. Otherwise they would be lost, and the ranks would
        # no longer sum to 1.
        lost = ranks[link_counts == 0].sum()
        passed_on = np.bincount(targets, weights=ranks[sources] / link_counts[sources], minlength=len(pages))
        next_ranks = (1 - DAMPING) / len(pages) + DAMPING * (passed_on + lost / len(pages))
        change = np.abs(next_ranks - ranks).sum()
        ranks = next_ranks
        if change < TOLERANCE:
            break
    # Rounded, because the last digits depend on the order of additions: pages that did not change would count as
    # changed.
    return {page: round(float(rank / ranks.max()), 4) for page, rank in zip(pages, ranks, strict=True)}
