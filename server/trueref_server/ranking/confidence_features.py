"""What tells how likely an answer is: features of the question, of the sections that were found, and of their scores.

`confidence.py` has the curves over these features, and which of them each curve takes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from trueref_core.text.word_forms import language_of
from trueref_server.corpus.words import absence_matters, stem, stems, stems_of_chunks
from trueref_server.ranking import signals
from trueref_server.ranking.rank import signal_value
from trueref_server.ranking.weighted_question import CARRIED, WeightedQuestion, weighted_share
from trueref_server.records import Hit

FIRST_HITS: Final = 5
"""How many of the first hits the features are taken from."""

DEPTH: Final = 10
"""The first hit is compared with the hit at this rank. Its score tells how near to a question some section always is,
even if the docs have no answer."""

NOT_OF_CONTENT: Final = ("aside", "owner", "compilation", "topic", "offered", "usual_title")
"""Parts of a score that do not come from what a section says, but from the kind of its page, from the weight that the
owner of the site gave it, from the conversation, from a question that the panel makes of its heading, or from a title
that nearly all docs have."""

PAGE_ALONE: Final = 0.77
"""The feature `page`, as a share of the first hit's score, if no other section of its page was found. On both
development sites this share is .79 for questions with an answer and .76 for others, so that the value speaks neither
for nor against an answer. With full text alone it is not needed: the words that a section has tell enough."""

SHORT_ABSENT: Final = 0.5
"""The weight of a short word that no page has. It may be an article, or in Chinese a pair across two words."""

MAX_MARGIN: Final = 0.3
"""The largest margin that counts: hardly any question on the development sites has a larger one."""

MAX_SHOWN_MARGIN: Final = 0.16
MIN_SHOWN_SCORE: Final = 0.35
"""A margin above the first value, or a mean score of the first five below the second, tells nothing further. Only a
fifth of the questions are beyond these bounds. On a site of a few dozen sections nearly all are, and without the bounds
a question there that was near to no section had a confidence of .73."""

MAX_TEXT_MARGIN: Final = 0.1
"""The largest margin that counts without vectors, for the same reason: a quarter of the questions have a larger one."""


def features(question: WeightedQuestion, hits: Sequence[Hit], max_sim: float | None = None) -> dict[str, float]:
    """The features, by name, that tell whether the hits answer the question.

    - `vector`: the cosine of the question and the nearest section. An index without vectors does not have it.
    - `word_share`: the greatest share of the question's words that one section has.
    - `margin`: how much higher the first hit scores than the tenth.
    - `page`: how well other sections of the first hit's page match.
    - `linked`: whether sections that match well link to one another.
    - `absent`: the share of the question's words that no page has.
    - `score`: the mean score of the first five hits.
    - `rare_word_similarity`: how similar the passage that was read word by word is to the content words, rare ones
      counting for more. It is left out if no passage was read so.
    """
    best = hits[:FIRST_HITS]
    nearest = max(signal_value(hit, signals.vector) for hit in best)
    page_alone = PAGE_ALONE * _content_score(hits[0]) if nearest else 0.0
    values = {
        "word_share": max(share_of_words(question, hit) for hit in best),
        "margin": _margin(question, hits),
        "page": signal_value(hits[0], signals.page) or page_alone,
        "linked": max(signal_value(hit, signals.linked) for hit in best[:3]),
        "absent": _absent(question),
        "score": sum(map(_content_score, best)) / len(best),
    }
    if max_sim is not None:
        values["rare_word_similarity"] = max_sim
    return values | ({"vector": nearest} if nearest else {})


def shown_features(values: Mapping[str, float], nearest: float) -> dict[str, float]:
    """The features that tell whether the first card shows the answer: some of `features`, within the curve's bounds.

    Args:
        values: The `features` for the passage of the first card.
        nearest: See `confidence`.
    """
    return {
        "rare_word_similarity": values["rare_word_similarity"],
        "nearest": nearest,
        "margin": min(MAX_SHOWN_MARGIN, values["margin"]),
        "score": max(MIN_SHOWN_SCORE, values["score"]),
        "absent": values["absent"],
    }


def text_features(values: Mapping[str, float]) -> dict[str, float]:
    """The features that tell whether the docs answer, without vectors: some of `features`, within their bounds."""
    return {
        "word_share": values["word_share"],
        "margin": min(MAX_TEXT_MARGIN, values["margin"]),
        "absent": values["absent"],
    }


def _absent(question: WeightedQuestion) -> float:
    """The share of the question's own content words that no page has, 0 to 1, without the name of the docs' subject."""
    # Words from the conversation are left out: the previous answer was already about them. So is the subject's name,
    # which every page has: `install griffe with conda` lacks as much as `install with conda` does.
    language = question.plan.language
    present = question.statistics.section_counts
    # The docs' own word for a verb with its particle is nothing that the question has besides the verb.
    joined = {stem(word, language) for _, word in question.plan.with_particle}
    terms = [
        term
        for term in question.terms(language)
        if term not in question.carried(language)
        and term not in joined
        and not (term in question.subject_stems and present.get(term))
    ]
    absent = sum(absence_matters(term) and not present.get(term) for term in terms)
    return absent / max(1, len(terms))


def share_of_words(question: WeightedQuestion, hit: Hit) -> float:
    """The share of the question's words that a section has, 0 to 1."""
    # Not weighted by rarity: in a language without a list of stop words, some of these words tell nothing about the
    # topic.
    language = language_of(hit.chunk.language)
    section_stems = stems_of_chunks(hit.chunks, language) | stems(hit.page, language)
    section_counts, carried = question.statistics.section_counts, question.carried(language)
    weights = {
        term: (CARRIED if term in carried else 1.0)
        * (1.0 if section_counts.get(term) or absence_matters(term) else SHORT_ABSENT)
        for term in question.terms(language)
    }
    return weighted_share(weights, section_stems, least_total=1.0)


def _margin(question: WeightedQuestion, hits: Sequence[Hit]) -> float:
    """How much higher the first hit scores than the tenth, at most `MAX_MARGIN`.

    If fewer than ten sections were found although the index has more, the first hit is compared with a score of 0.
    """
    # On a site with fewer than ten sections the last section takes the place of the tenth.
    are_all = len(hits) >= min(DEPTH, question.statistics.sections)
    return min(MAX_MARGIN, _content_score(hits[0]) - (_content_score(hits[:DEPTH][-1]) if are_all else 0.0))


def _content_score(hit: Hit) -> float:
    """The score for what a section says, without the parts that `NOT_OF_CONTENT` names."""
    return hit.score - sum(hit.signals.get(name, 0.0) for name in NOT_OF_CONTENT)
