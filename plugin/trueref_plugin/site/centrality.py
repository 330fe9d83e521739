"""How central a page is: the share of readers that end on it when they follow links at random (PageRank).

Questions that the widget offers are sorted by it (see `offered_questions`). By their addresses alone, docs of a package
manager would begin with "How do I log in to a service?" and not with "How do I manage dependencies?". Ranking does not
use it: as a signal it made nothing better (see `docs/decisions/ranking.md`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

DAMPING: Final = 0.85
"""Share of readers that follow a link; the others begin anew anywhere. From Page et al. 1998, "PageRank"."""
ROUNDS_MOST: Final = 100
TOLERANCE: Final = 1e-8


def centrality(pages: Sequence[str], leads: Mapping[str, Iterable[str]]) -> dict[str, float]:
    """The centrality of each page, 0 to 1, relative to the most central one, rounded to four places.

    Power iteration. Only links in texts count, each pair of pages once: a navigation leads everywhere.

    Args:
        pages: The pages of one site.
        leads: By page, the other pages that links in its text lead to, each once. Those that are not among `pages` do
            not count.
    """
    import numpy as np

    if not pages:
        return {}
    numbers = {page: number for number, page in enumerate(pages)}
    targets_of = [[numbers[target] for target in leads.get(page, ()) if target in numbers] for page in pages]
    sources = np.repeat(np.arange(len(pages)), list(map(len, targets_of)))
    targets = np.fromiter(chain.from_iterable(targets_of), dtype=np.intp, count=len(sources))
    leaving = np.bincount(sources, minlength=len(pages))
    ranks = np.full(len(pages), 1 / len(pages))
    for _ in range(ROUNDS_MOST):
        # A page without links would swallow the readers on it, and the ranks would no longer sum to 1. So these
        # readers begin again on any page.
        lost = ranks[leaving == 0].sum()
        passed_on = np.bincount(targets, weights=ranks[sources] / leaving[sources], minlength=len(pages))
        following = (1 - DAMPING) / len(pages) + DAMPING * (passed_on + lost / len(pages))
        moved = np.abs(following - ranks).sum()
        ranks = following
        if moved < TOLERANCE:
            break
    # Rounded, because the last digits depend on the order of additions, and would make pages new that did not change.
    return {page: round(float(rank / ranks.max()), 4) for page, rank in zip(pages, ranks, strict=True)}
