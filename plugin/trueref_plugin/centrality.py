"""How central a page is: the share of readers that end on it when they follow links at random."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from trueref_core.records import Link

DAMPING: Final = 0.85
"""Share of readers that follow a link; the others begin anew anywhere. From Page et al. 1998, "PageRank"."""
ROUNDS_MOST: Final = 100
TOLERANCE: Final = 1e-8


def centrality(pages: Sequence[str], links: Iterable[Link]) -> dict[str, float]:
    """The centrality of each page, 0 to 1, relative to the most central one, rounded to four places.

    Power iteration. Only links in texts count, each pair of pages once: a navigation leads everywhere.

    Args:
        pages: The pages of one site.
        links: Its edges; those to other sites, to itself, and to nowhere are passed over.
    """
    import numpy as np

    if not pages:
        return {}
    numbers = {page: number for number, page in enumerate(pages)}
    pairs = {
        (numbers[link.from_page], numbers[link.to_page])
        for link in links
        if link.kind == "internal"
        and link.status in ("ok", "redirect")
        and link.from_page != link.to_page
        and link.from_page in numbers
        and link.to_page in numbers
    }
    edges = np.array(sorted(pairs), dtype=np.intp).reshape(-1, 2)
    sources, targets = edges[:, 0], edges[:, 1]
    leaving = np.bincount(sources, minlength=len(pages))
    ranks = np.full(len(pages), 1 / len(pages))
    for _ in range(ROUNDS_MOST):
        # Who stands on a page without links begins anew.
        lost = ranks[leaving == 0].sum()
        given = np.bincount(targets, weights=ranks[sources] / leaving[sources], minlength=len(pages))
        following = (1 - DAMPING) / len(pages) + DAMPING * (given + lost / len(pages))
        moved = np.abs(following - ranks).sum()
        ranks = following
        if moved < TOLERANCE:
            break
    return {page: round(float(rank / ranks.max()), 4) for page, rank in zip(pages, ranks, strict=True)}
