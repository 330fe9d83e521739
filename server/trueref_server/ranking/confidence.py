"""How likely it is that the first card answers a question: a logistic curve over a few features, and the verdict.

Confidence is about the passage of the first card. The curve was fitted to the nuggets of eleven sites, none of which
the embedder was trained on, and tested on each site with the weights of the others: see `docs/decisions/confidence.md`.
If passages were not read word by word (`late_interaction.py`), confidence is derived from another curve, which says
whether the docs answer at all, whatever is shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Final

from trueref_core.text.key_combinations import key_name
from trueref_server.corpus.words import (
    absence_matters,
    content_stems,
    content_words,
    stems,
    without_names,
)
from trueref_server.question.question_text import asks_whether
from trueref_server.ranking import signals
from trueref_server.ranking.asked_identifier import is_wordless
from trueref_server.ranking.asked_title import ABOUT_NAME
from trueref_server.ranking.confidence_features import (
    FIRST_HITS,
    features,
    share_of_words,
    shown_features,
    text_features,
)
from trueref_server.ranking.name_in_text import has_any
from trueref_server.ranking.rank import signal_value
from trueref_server.ranking.weighted_question import WeightedQuestion
from trueref_server.records import Hit, Verdict

ANSWER_FROM: Final = 0.3
ANSWER_UNREAD: Final = 0.2
"""The least confidence for the verdict `answer`: the first if passages were read word by word, the second if not. With
the first, the verdict is `answer` for .65 of the questions that a left-out site answers (.81 of those whose first card
shows everything), for .23 of those that it does not answer, and for .09 of the questions of other sites."""

CLOSEST_FROM: Final = 0.05
"""The least confidence for the verdict `closest`, with which the closest passage is shown as such. Below it are .03 of
the questions that a site answers, .14 of those that it does not answer, and .40 of the questions of other sites. With
a higher bound, cards that answer would be withheld (`docs/decisions/confidence.md`)."""

AS_WRITTEN_UNREAD: Final = 0.27
"""The least confidence if an identifier, or a version whose changes are asked for, is found as it was typed, and no
passage was read word by word. If a passage was read word by word, the least is `ANSWER_FROM`."""

DECISIVE: Final = 1 / 3
DECISIVE_OF_WHETHER: Final = 1 / 4
BELOW: Final = 0.01
"""If at least the share `DECISIVE` of the question's words is on no page, confidence is below the bound of `answer`, by
`BELOW` at least. `DECISIVE_OF_WHETHER` is the share for questions such as `can I ...?`. Whether the docs answer
`install griffe with conda` is decided by `conda`. Of the 724 questions of seven sites none with such a share had the
verdict `answer`."""

MIN_VOCABULARY: Final = 1000
"""The fewest different stems of docs for which `DECISIVE` counts: docs of a few pages lack many words for what they
say, and `translate the buttons` is answered by a page about localizing them."""

USUAL: Final = 0.75
"""The value of `signals.usual_title` from which a section is what a question about a usual topic asks for: sections
with a lower one are about installing, say, a part of the docs' subject."""

# Fitted on two sites to tell answerable questions from others. Its AUROC is .86 with the bundled vectors, and was not
# measured with those of other embedders.
WITH_VECTORS: Final[Mapping[str, float]] = {
    "vector": 6.4,
    "margin": 8.4,
    "page": 8.9,
    "linked": 1.2,
    "absent": -3.4,
    "": -8.1,
}
# Fitted to thirteen sites, but for `word_share` and `absent`: the fit gives 1.2 and -5 with hardly another result. On a
# site of a few sections every margin is large, and only these two tell a question about something else.
BY_TEXT: Final[Mapping[str, float]] = {
    "word_share": 5.0,
    "margin": 16.5,
    "absent": -3.0,
    "": -3.7,
}
"""The weight of each feature for the docs having an answer, and under "" the constant of the curve. There are two
tables: for an index with vectors, and for full text alone."""

# Chosen from twenty-one features by the loss on sites that the fit left out. The number of content words, the nearest
# of all chunks, the share of words in a section and the mean over all words did not lower it
# (`docs/decisions/confidence.md`).
SHOWN: Final[Mapping[str, float]] = {
    "rare_word_similarity": 5.1,
    "nearest": 6.2,
    "margin": 14.7,
    "score": -9.5,
    "absent": -3.2,
    "": -4.25,
}
"""The weight of each feature for the first card showing the answer, if its passage was read word by word. `score` has a
negative weight: on a site where every section is near to a question, nearness tells little."""

_DIGIT: Final = re.compile(r"\d")

MIN_WORD_SHARE: Final = 0.25
"""Without vectors nothing is near if no section has this share of the question's words. On thirteen sites .01 of the
questions that the docs answer have less, and .17 of the questions of other sites."""

SHOWN_MEAN: Final = 0.45
"""How often the first card shows the answer of a question that the docs answer, on four sites. The other curves are
multiplied by it."""


def confidence(
    question: WeightedQuestion,
    hits: Sequence[Hit],
    max_sim: float | None = None,
    nearest: float = 0.0,
    card: Hit | None = None,
) -> float:
    """How likely it is that the first card answers the question, 0 to 1; 0 if nothing was found.

    Args:
        question: The question with the weights of its words.
        hits: The sections that were found, best first.
        max_sim: How similar the passage of the first card is to these words, see `LateInteraction.max_sim`; None if it
            was not read word by word.
        nearest: The cosine of the question and the chunk of the first card's section that is nearest to it.
        card: The section of the first card; None if it is the first hit.
    """
    if not hits:
        return 0.0
    # Only a passage that was read word by word can be judged itself. Otherwise confidence is the likelihood that the
    # docs answer, times the share of answerable questions whose answer is shown.
    values = features(question, hits, max_sim)
    if max_sim is not None:
        likelihood = _curve(SHOWN, shown_features(values, nearest))
    else:
        likelihood = SHOWN_MEAN * (_curve(WITH_VECTORS, values) if "vector" in values else _by_text(values))
    has_many_words = len(question.statistics.section_counts) >= MIN_VOCABULARY
    is_absent = values["absent"] >= (DECISIVE_OF_WHETHER if asks_whether(question.plan.query) else DECISIVE)
    if (has_many_words and is_absent) or _lacks_option(question, card or hits[0]) or _lacks_names(question, hits):
        likelihood = min(likelihood, (ANSWER_FROM if max_sim is not None else ANSWER_UNREAD) - BELOW)
    return round(max(likelihood, _least_confidence(question, hits, card or hits[0], is_read=max_sim is not None)), 4)


def _least_confidence(question: WeightedQuestion, hits: Sequence[Hit], card: Hit, *, is_read: bool) -> float:
    """The least confidence of an answer that has the name or the keywords that are asked for; 0 if it has neither.

    Args:
        question: The question with the weights of its words.
        hits: The sections that were found, best first.
        card: The section of the first card.
        is_read: Whether the passage of the first card was read word by word.
    """
    is_named = not question.plan.carried and signal_value(card, signals.named) > 0.99
    is_meant = signal_value(card, signals.offered) > 0 or signal_value(card, signals.usual_title) >= USUAL
    is_explained = not question.plan.carried and signal_value(card, signals.explained_option) > 0.99
    # `hint --rapid` asks for the option alone. Another command than `hint` may have an option that is called so.
    is_explained = is_explained and _is_called_by_others(question, card)
    if is_named or is_meant or is_explained or _is_found_as_written(question, hits[:FIRST_HITS]):
        return ANSWER_FROM if is_read else AS_WRITTEN_UNREAD
    # A section about installing a part of the docs' subject is near the question how to install it.
    if signal_value(card, signals.usual_title) > 0:
        return CLOSEST_FROM
    # A section with such a title is near the question, although another one is shown first. One word is the title of
    # sections about many things: `Usage`, `Overview`.
    if question.keyword_count > 1 and any(signal_value(hit, signals.named) > 0.99 for hit in hits[:FIRST_HITS]):
        return CLOSEST_FROM
    # A section that has all keywords is near them: readers who type two words look for a place, and not for an answer.
    if question.plan.is_keywords and not question.plan.carried and share_of_words(question, card) == 1.0:
        return CLOSEST_FROM
    # `reveal_type default value` is near a section that has the identifier. `YouTube video downloader` is near none in
    # docs that mention YouTube, and have nothing about downloaders.
    has_identifier = not question.plan.carried and signal_value(card, signals.asked_identifier) > 0.99
    return CLOSEST_FROM if has_identifier and _has_words_beside_identifiers(question) else 0.0


def _lacks_option(question: WeightedQuestion, card: Hit) -> bool:
    """Whether an option of one letter is asked for, and the section has none that is called so.

    No word tells this: a letter is none, so that what a command does would answer the question for any option of it.
    """
    is_option_asked = bool(question.letter_options) and question.plan.asks_for_identifier
    return is_option_asked and not signal_value(card, signals.asked_identifier)


def _lacks_names(question: WeightedQuestion, hits: Sequence[Hit]) -> bool:
    """Whether little more than identifiers is asked for, and none of the sections that were found has one of them.

    Their words are of others too: `HTTP/3` is no `HTTP/2`, and `E_FOO` no `E_BAR`.
    """
    plan = question.plan
    names = [name for name in plan.identifiers if any(map(str.isalnum, name)) and not key_name(name)]
    # `Acronyms/Glossary` are two things, and an option of one letter is looked for by `_lacks_option`.
    are_names = all("/" not in name or _DIGIT.search(name) for name in names) and not question.letter_options
    if not names or not are_names or not plan.asks_for_identifier or plan.carried:
        return False
    return not has_any(names, [" ".join((hit.page, chunk.title, chunk.text)) for hit in hits for chunk in hit.chunks])


def _has_words_beside_identifiers(question: WeightedQuestion) -> bool:
    """Whether the docs have all that a question asks for besides its identifiers."""
    others = words_beside_identifiers(question)
    return all(question.statistics.section_counts.get(term) or not absence_matters(term) for term in others)


def _is_called_by_others(question: WeightedQuestion, card: Hit) -> bool:
    """Whether a section is called by all words of a question but its identifiers: by titles, address, or the docs."""
    chunk = card.chunk
    called = stems(" ".join((chunk.title, *chunk.breadcrumb, chunk.page)), question.plan.language)
    return question.subject_stems.union(called).issuperset(words_beside_identifiers(question))


def words_beside_identifiers(question: WeightedQuestion) -> list[str]:
    """The stems of the content words of a question but those of its identifiers, and but `mean` and the like."""
    plan = question.plan
    others = content_stems(without_names(plan.query, plan.identifiers), plan.language)
    return [term for term in others if term not in ABOUT_NAME]


def _by_text(values: Mapping[str, float]) -> float:
    """How likely it is that the docs answer, without vectors."""
    return _curve(BY_TEXT, text_features(values)) if values["word_share"] >= MIN_WORD_SHARE else 0.0


def _curve(weights: Mapping[str, float], values: Mapping[str, float]) -> float:
    """The logistic curve of a weighted sum; the weight under "" is the constant."""
    odds = weights[""] + sum(weight * values[name] for name, weight in weights.items() if name)
    return 1 / (1 + math.exp(-odds))


def _is_found_as_written(question: WeightedQuestion, best: Sequence[Hit]) -> bool:
    """Whether the question is nothing but an identifier, or asks for a version, and a hit has it as it was typed.

    Many sections may have an identifier. Their scores are then close to one another, which lowers the confidence
    although the first section is a right one; so such a question has a least confidence.
    """
    if best[0].signals.get(signals.release.__name__):
        return True
    # Without this, docs with a section named `pyproject.toml` were said not to have it, since many sections have the
    # name.
    plan = question.plan
    is_bare = plan.identifiers and not content_words(without_names(plan.query, plan.identifiers), plan.language)
    # A table of operators has `&&` as well, and need not explain it.
    is_bare = is_bare and not all(map(is_wordless, plan.identifiers))
    return bool(is_bare) and not plan.carried and any(signal_value(hit, signals.identifiers) > 0.99 for hit in best)


def verdict_of(confidence: float, *, is_read: bool) -> Verdict:
    """The verdict for a confidence.

    Args:
        confidence: The confidence of the first card.
        is_read: Whether passages were read word by word.
    """
    if confidence < CLOSEST_FROM:
        return "not-found"
    # Two bounds, since the two curves mean different things: without reading, confidence is the likelihood of an answer
    # times the share of answers that are shown.
    return "answer" if confidence >= (ANSWER_FROM if is_read else ANSWER_UNREAD) else "closest"
