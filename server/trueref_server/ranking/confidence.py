"""How likely it is that what is shown answers a question: a logistic curve over a few features, and the verdict.

Confidence is about the passage of the first card. The curve was fitted to the nuggets of seven sites, none of which the
embedder was trained on, and tried on each of them with the weights of the others: see `docs/decisions/confidence.md`.
If passages were not read word by word, confidence is derived from another curve, which says whether the docs answer at
all, whatever is shown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from trueref_core.text.word_forms import language_of
from trueref_server.corpus.words import is_bare_identifier, is_long, stems
from trueref_server.ranking import signals
from trueref_server.ranking.rank import raw
from trueref_server.ranking.signals import CARRIED, WeightedQuestion
from trueref_server.records import Hit, Verdict

ANSWER_FROM: Final = 0.3
ANSWER_UNREAD: Final = 0.2
"""From these confidences on the verdict is `answer`: the first if passages were read word by word, the second if not.
With the first, the verdict is `answer` for .60 of the questions that a left-out site answers (.79 of those whose first
card shows everything), for .20 of those that it does not answer, and for .07 of the questions of other sites."""

CLOSEST_FROM: Final = 0.05
"""From this confidence on the closest passage is shown as such. Below it are .02 of the questions that a site answers,
.16 of those that it does not answer, and .52 of the questions of other sites. With .08 it would be .06, .29 and .63,
and cards that answer would be withheld (`docs/decisions/confidence.md`)."""

AS_WRITTEN_UNREAD: Final = 0.27
"""The least confidence if an identifier, or a version whose changes are asked for, is found as it was typed, and no
passage was read word by word; of one that was read, `ANSWER_FROM` is the least."""

FIRST_HITS: Final = 5
DEPTH: Final = 10
"""How many of the first hits the features are taken from, and the rank of the hit that the first one is compared with:
whatever is asked, some section is as good as the one at that rank."""

NOT_OF_CONTENT: Final = ("aside", "owner", "topic")
"""Parts of a score that do not come from what a section says: from the kind of its page, from the weight that the owner
of the site gave it, or from the conversation."""

PAGE_ALONE: Final = 0.77
"""How good the rest of a page is taken to be, beside the first hit, if nothing else of it was found: on both sites it
is .79 for questions with an answer and .76 for others, so that it speaks neither for nor against one. By text alone the
words that a section holds tell enough."""

SHORT_ABSENT: Final = 0.5
"""The weight of a short word that no page has. It may be an article, or in Chinese a pair across two words."""

MARGIN_MOST: Final = 0.3
"""Nearly no question on the development sites has a larger margin."""

# Fitted to the answerable questions of two sites against the others, before the curve of what is shown.
# An AUROC of .86 with the bundled vectors. With those of other embedders it was not measured.
WITH_VECTORS: Final[Mapping[str, float]] = {
    "vector": 6.4,
    "margin": 8.4,
    "page": 8.9,
    "linked": 1.2,
    "absent": -3.4,
    "": -8.1,
}
# An AUROC of .80.
BY_TEXT: Final[Mapping[str, float]] = {
    "held": 4.5,
    "margin": 7.0,
    "page": 7.5,
    "linked": 1.4,
    "absent": -2.5,
    "": -4.5,
}
"""The weight of each feature for there being an answer, and under "" what is added to all of them. There are two
tables: for an index with vectors, and for full text alone."""

# Chosen out of twenty-one features by the loss on sites left out. The number of telling words, the nearest of all
# chunks, the share of words held and the mean over all words did not lower it (`docs/decisions/confidence.md`).
SHOWN: Final[Mapping[str, float]] = {
    "met_rare": 5.5,
    "nearest": 7.6,
    "margin": 11.95,
    "score": -14.0,
    "absent": -2.7,
    "": -3.05,
}
"""The weight of each feature for the first card showing the answer, if its passage was read word by word. `score`
counts against: on a site where every section is near to a question, to be near tells little."""

SHOWN_MARGIN_MOST: Final = 0.16
SHOWN_SCORE_LEAST: Final = 0.35
"""Beyond these values more margin, or a lower score of the first five, tells nothing further. Only a fifth of the
questions are beyond; on a site of a few dozen sections nearly all are, and without these bounds a question that is near
to nothing there had .73."""

SHOWN_MEAN: Final = 0.45
"""How often the first card shows the answer of a question that the docs answer, on four sites: what the other curves
are multiplied with."""


def confidence(
    question: WeightedQuestion, hits: Sequence[Hit], met: float | None = None, nearest: float = 0.0
) -> float:
    """How likely it is that the first card answers the question, 0 to 1; 0 if nothing was found.

    Args:
        question: The question with the weights of its words.
        hits: What was found, best first.
        met: How well the passage of the first card meets its words, from 0 to 1; None if it was not read word by word.
        nearest: The cosine of the question and the chunk of the first card's section that is nearest to it.
    """
    if not hits:
        return 0.0
    # Only a passage that was read word by word can be judged itself. Elsewhere it is how likely the docs answer, times
    # the share of answerable questions whose answer is shown.
    values = features(question, hits, met)
    if met is not None:
        sure = _curve(SHOWN, shown_features(values, nearest))
    else:
        sure = _curve(WITH_VECTORS if "vector" in values else BY_TEXT, values) * SHOWN_MEAN
    # What was looked up by its name and found is an answer, however little stands out.
    least = ANSWER_FROM if met is not None else AS_WRITTEN_UNREAD
    return round(max(sure, least if _is_found_as_written(question, hits[:FIRST_HITS]) else 0.0), 4)


def shown_features(values: Mapping[str, float], nearest: float) -> dict[str, float]:
    """What tells whether the first card shows the answer, by name: some of `features`, within the bounds of the curve.

    Args:
        values: The features with the passage of the first card.
        nearest: See `confidence`.
    """
    return {
        "met_rare": values["met_rare"],
        "nearest": nearest,
        "margin": min(SHOWN_MARGIN_MOST, values["margin"]),
        "score": max(SHOWN_SCORE_LEAST, values["score"]),
        "absent": values["absent"],
    }


def _curve(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    """The logistic curve of a weighted sum; the weight under "" is the constant."""
    odds = weights[""] + sum(weight * values[name] for name, weight in weights.items() if name)
    return 1 / (1 + math.exp(-odds))


def features(question: WeightedQuestion, hits: Sequence[Hit], met: float | None = None) -> dict[str, float]:
    """The features, by name, that tell whether the hits answer the question.

    - `vector`: the cosine of the question and the nearest section. An index without vectors does not have it.
    - `held`: the greatest share of the question's words that one section has.
    - `margin`: how much higher the first hit scores than the tenth.
    - `page`: how well other sections of the first hit's page match.
    - `linked`: whether sections that match well link to one another.
    - `absent`: the share of the question's words that no page has.
    - `score`: the mean score of the first five hits.
    - `met_rare`: how well the text that was read word by word meets the telling words, rare ones counting for more. It
      is not there without such a text.
    """
    best = hits[:FIRST_HITS]
    nearest = max(raw(hit, signals.vector) for hit in best)
    alone = PAGE_ALONE * _content_score(hits[0]) if nearest else 0.0
    values = {
        "held": max(_share_of_words(question, hit) for hit in best),
        "margin": _margin(question, hits),
        "page": raw(hits[0], signals.page) or alone,
        "linked": max(raw(hit, signals.linked) for hit in best[:3]),
        "absent": _absent(question),
        "score": sum(map(_content_score, best)) / len(best),
    }
    if met is not None:
        values["met_rare"] = met
    return values | ({"vector": nearest} if nearest else {})


def _is_found_as_written(question: WeightedQuestion, best: Sequence[Hit]) -> bool:
    """Whether the question is nothing but an identifier, or asks for a version, and a hit has it as it was typed.

    Many sections may have an identifier. Their scores are then close to one another, which lowers the confidence
    although the first section is a right one; so such a question has a least confidence.
    """
    if best[0].signals.get(signals.release.__name__):
        return True
    # `pyproject.toml`, which many sections have, was said not to be in docs with a section of that name.
    is_bare = not question.plan.carried and is_bare_identifier(question.plan.query)
    return is_bare and any(raw(hit, signals.identifiers) > 0.99 for hit in best)


def _absent(question: WeightedQuestion) -> float:
    """The share of the question's own telling words that no page has, 0 to 1."""
    # Words from the conversation are left out: the answer before was already about them.
    language = question.plan.language
    terms = [term for term in question.terms(language) if term not in question.carried(language)]
    absent = sum(is_long(term) and not question.statistics.section_counts.get(term) for term in terms)
    return absent / max(1, len(terms))


def _share_of_words(question: WeightedQuestion, hit: Hit) -> float:
    """The share of the question's words that a section holds, 0 to 1."""
    # Not weighted by rarity: of a question in a language without a list of stop words, some say nothing of its topic.
    language = language_of(hit.chunk.language)
    section_stems = frozenset[str]().union(
        *(stems(f"{chunk.embedded_text} {chunk.page}", language) for chunk in hit.chunks)
    )
    section_counts, carried = question.statistics.section_counts, question.carried(language)
    counts = {
        term: (CARRIED if term in carried else 1.0)
        * (1.0 if section_counts.get(term) or is_long(term) else SHORT_ABSENT)
        for term in question.terms(language)
    }
    return sum(count for term, count in counts.items() if term in section_stems) / max(1.0, sum(counts.values()))


def _margin(question: WeightedQuestion, hits: Sequence[Hit]) -> float:
    """How much higher the first hit scores than the tenth, at most `MARGIN_MOST`.

    If fewer than ten sections were found although the index has more, the first hit is compared with a score of 0.
    """
    # A small site has no tenth section: the last one stands for it there.
    are_all = len(hits) >= min(DEPTH, question.statistics.sections)
    return min(MARGIN_MOST, _content_score(hits[0]) - (_content_score(hits[:DEPTH][-1]) if are_all else 0.0))


def _content_score(hit: Hit) -> float:
    """The score for what a section says: not for the kind of its page, or for what its owner thinks of it."""
    return hit.score - sum(hit.signals.get(name, 0.0) for name in NOT_OF_CONTENT)


def verdict_of(confidence: float, *, is_read: bool) -> Verdict:
    """What is said at a confidence.

    Args:
        confidence: Of the first card.
        is_read: Whether passages were read word by word.
    """
    if confidence < CLOSEST_FROM:
        return "not-found"
    # Two bounds, since the two curves say different things: an unread confidence is the chance of an answer times the
    # share that is shown of these.
    return "answer" if confidence >= (ANSWER_FROM if is_read else ANSWER_UNREAD) else "closest"
