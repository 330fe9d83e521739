"""How likely it is that the best sections answer a question: a logistic curve over a few features, and what it says.

The coefficients were fitted to the answerable questions of both development sites against those that their docs do not
answer and against those of the other site, both groups with the same weight: so 0.5 is as likely as not where half of
all questions have an answer. See `docs/decisions/confidence.md` for both error rates at each threshold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from trueref_server.records import Hit, Verdict
from trueref_server.retrieval import signals
from trueref_server.retrieval.rank import raw
from trueref_server.retrieval.signals import Asked

ANSWER_FROM: Final = 0.45
CLOSEST_FROM: Final = 0.2
"""Confidence from which there is an answer, and from which the closest sections are shown as such."""

LOOKED_AT: Final = 5
DEPTH: Final = 10
"""Hits whose best features count, and the one that the first is compared with: any question finds one like it."""

WITH_VECTORS: Final[Mapping[str, float]] = {
    "vector": 6.2,
    "margin": 9.8,
    "page": 8.6,
    "linked": 1.2,
    "absent": -3.7,
    "": -8.0,
}
BY_TEXT: Final[Mapping[str, float]] = {"held": 2.0, "margin": 9.8, "page": 8.6, "linked": 1.2, "absent": -3.7, "": -5.0}
"""What each feature counts, and what is added to all of them under "": with vectors, and without."""


def confidence(asked: Asked, hits: Sequence[Hit]) -> float:
    """How likely it is that the best sections answer the question, 0 to 1; 0 where nothing was found."""
    if not hits:
        return 0.0
    found = features(asked, hits)
    weights = WITH_VECTORS if "vector" in found else BY_TEXT
    odds = weights[""] + sum(weights[name] * value for name, value in found.items() if name in weights)
    return round(1 / (1 + math.exp(-odds)), 4)


def features(asked: Asked, hits: Sequence[Hit]) -> dict[str, float]:
    """What tells whether the question has an answer among the hits, by name.

    `vector` is how near the nearest section is, left out for an index without vectors; `held` how much of the question
    one section holds; `margin` how far the first is before the tenth; `page` how good other sections of the first one's
    page are; `linked` whether good sections link to one another; `absent` the share of the question's words that no
    page has.
    """
    terms = asked.terms(asked.plan.language)
    best = hits[:LOOKED_AT]
    found = {
        "held": max(asked.share(hit.chunks) for hit in best),
        "margin": hits[0].score - hits[:DEPTH][-1].score,
        "page": raw(hits[0], signals.page),
        "linked": max(raw(hit, signals.linked) for hit in best[:3]),
        "absent": sum(not asked.statistics.held.get(term) for term in terms) / max(1, len(terms)),
    }
    nearest = max(raw(hit, signals.vector) for hit in best)
    return found | ({"vector": nearest} if nearest else {})


def verdict_of(confidence: float) -> Verdict:
    """What is said at a confidence."""
    if confidence < CLOSEST_FROM:
        return "not-found"
    return "answer" if confidence >= ANSWER_FROM else "closest"
