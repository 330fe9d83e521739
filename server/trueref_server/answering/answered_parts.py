"""Answers a question, or each of the things that it asks or compares, by passages of the sections that were found."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from trueref_core.text.identifiers import identifiers
from trueref_core.text.sentences import split_sentences
from trueref_core.text.word_forms import language_of
from trueref_server.answering.candidates import ScoredPassage, SectionPassages
from trueref_server.answering.choice import COMPETING, choose, is_about
from trueref_server.answering.differences import telling_of
from trueref_server.answering.passage_signals import (
    MIN_EXPLANATION,
    explained_identifier,
    is_first_below_named,
    nearest,
    says_in_sentence_what_thing_is,
)
from trueref_server.answering.sections.passages import passages
from trueref_server.corpus.words import stem, stems, without_names, words
from trueref_server.question.pointing import points_to_unnamed
from trueref_server.ranking.confidence import (
    ANSWER_FROM,
    ANSWER_UNREAD,
    AS_WRITTEN_UNREAD,
    BELOW,
    confidence,
    verdict_of,
    words_beside_identifiers,
)
from trueref_server.ranking.object_titles import is_titled_by, name_of_entry
from trueref_server.ranking.title_words import topic_stems
from trueref_server.records import Hit, Verdict

if TYPE_CHECKING:
    from trueref_server.answering.candidates import PassageCandidate
    from trueref_server.answering.passage_comparison import PassageComparison
    from trueref_server.ranking.weighted_question import WeightedQuestion

SECTIONS_READ: Final = 5
"""How many sections have their passages read. An answer shows three cards, and a section may have no passage that can
be shown."""


_NOT_DONE: Final = re.compile(
    r"\b(?:not|never|cannot|no longer|unless|instead|disable[sd]?|"
    r"excludes?|omit(?:s|ted)?|skip(?:s|ped)?|avoids?|prevents?|off)\b|--no-|"
    r"n['\u2019]t\b",
    re.IGNORECASE,
)
"""Words of a sentence that says how something does not happen."""


@dataclass(frozen=True, slots=True)
class AnsweredPart:
    """A question, or a part of one, with the passages chosen for it.

    `cards` has the best passage of each section, best first. `confidence` says how likely the first of them answers,
    and `verdict` is the verdict for it. `compares_meaning` says whether the index has vectors of the embedder whose
    vectors of words there are: otherwise words decide what is marked. `optional` has the stems of the words that all
    things have which the question compares.
    """

    question: WeightedQuestion
    cards: Sequence[ScoredPassage]
    confidence: float
    verdict: Verdict
    compares_meaning: bool = False
    optional: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        question: WeightedQuestion,
        hits: Sequence[Hit],
        comparison: PassageComparison | None,
        optional: frozenset[str] = frozenset(),
    ) -> AnsweredPart:
        """The question with the passages chosen from its hits."""
        # Nothing is read from the index: a hit has the chunks of its section.
        sections = [SectionPassages(hit, passages(hit.in_page_order)) for hit in hits[:SECTIONS_READ]]
        choices = choose(question, sections, comparison, optional)
        if not choices:
            return cls(question, choices, 0.0, "not-found")
        shown = choices[0].candidate
        # Confidence is about the passage that is shown, so it is computed after the choice: a section may be right and
        # its passage wrong.
        likelihood = confidence(question, hits, shown.max_sim, nearest(question, shown), shown.section.hit)
        is_read = shown.max_sim is not None
        if _says_all_in_one_sentence(question, shown):
            likelihood = max(likelihood, ANSWER_FROM if is_read else ANSWER_UNREAD)
        # As for a section that a question names by its heading: see `confidence`.
        is_named = is_first_below_named(question, shown) and not question.plan.carried
        # `why those options` may be a line of any page: what it means, the page before it says.
        if is_named and not points_to_unnamed(question.plan.query):
            likelihood = max(likelihood, ANSWER_FROM if is_read else AS_WRITTEN_UNREAD)
        # Confidence asks how much of a question is met. Of `what is a kiln` any sentence about one meets as much as the
        # sentence that says it.
        if is_read and says_in_sentence_what_thing_is(question, shown):
            likelihood = max(likelihood, ANSWER_FROM)
        if _does_what_is_unwanted(question, shown):
            likelihood = min(likelihood, (ANSWER_FROM if is_read else ANSWER_UNREAD) - BELOW)
        return cls(
            question, choices, likelihood, verdict_of(likelihood, is_read=is_read), comparison is not None, optional
        )

    def asks_for_entry(self, card: ScoredPassage) -> bool:
        """Whether a passage is of an entry, such as a method, and the question is its name, with its class or without.

        `What is a path?` has no word but those of `Kiln.file_path`, and does not ask for it.
        """
        # The nearest chunk may be the list of its parameters.
        first, title, plan = card.candidate.section.hit.in_page_order[0], self.question.title, self.question.plan
        owner, name = "".join(first.breadcrumb[-1:]).partition("(")[0], name_of_entry(first.title)
        if first.kind != "definition" or title.asks_beyond(f"{owner} {name}", self.optional):
            return False
        is_written_so = is_titled_by(first.title, plan.identifiers) or title.is_nothing_but(first)
        return is_written_so or topic_stems(name, language_of(plan.language)) <= title.words


def about_compared(
    parts: Sequence[tuple[WeightedQuestion, Sequence[Hit]]], comparison: PassageComparison | None
) -> list[AnsweredPart]:
    """The answered parts of a question that compares things, each with a card about its thing first.

    There are none if a thing has no such card, or if no card has more than a name: then the question is answered as a
    whole.

    Args:
        parts: The question about each thing with its hits, in the order of `Plan.compared`.
        comparison: Compares passages word by word; None if the embedder cannot.
    """
    # `beet update` and `beet write` are about `update` and `write`, whether their titles have `beet` or not. A part of
    # an identifier cannot be left out: `--fifo` is not `--player-fifo`.
    terms = (
        question.terms(question.plan.language).keys()
        - stems(" ".join(question.plan.identifiers), question.plan.language)
        for question, _ in parts
    )
    optional = frozenset[str].intersection(*map(frozenset[str], terms)) if parts else frozenset[str]()
    about = [_about_first(AnsweredPart.of(question, hits, comparison, optional)) for question, hits in parts]
    found = [part for part in about if part is not None]
    is_whole = len(found) == len(parts) and any(_says_something(part.cards[0]) for part in found)
    return found if is_whole else []


def telling_difference(whole: AnsweredPart, hits: Sequence[Hit]) -> AnsweredPart | None:
    """The answer to a whole question that compares things, with a passage first that says how these differ.

    None if no passage of the sections that compete says so. An author who writes `The main differences between a lock
    and a freeze are:` tells more than the sections about both do.

    Args:
        whole: The answer by the passages that were chosen.
        hits: The sections that were found, best first.
    """
    compared = whole.question.plan.compared
    tellings = [(telling_of(c.candidate.passage, compared), c) for c in whole.cards[:COMPETING]]
    card = next((card for wanted in ("plainly", "of two") for told, card in tellings if told == wanted), None)
    if card is None:
        return None
    shown = card.candidate
    likelihood = confidence(whole.question, hits, shown.max_sim, nearest(whole.question, shown), shown.section.hit)
    # Confidence asks whether a section with the words of a question answers it. This one says what is asked.
    if ("plainly", card) in tellings:
        likelihood = max(likelihood, ANSWER_FROM)
    verdict = verdict_of(likelihood, is_read=shown.max_sim is not None)
    cards = [card, *(other for other in whole.cards if other is not card)]
    return replace(whole, cards=cards, confidence=likelihood, verdict=verdict) if verdict != "not-found" else None


def _says_all_in_one_sentence(question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    """Whether a sentence that is shown has the identifiers that are asked for, and all else that the question asks.

    `is site_url required` is answered by `Both site_name and site_url are required`. Confidence tells little there,
    since many sections have the identifier, and their scores are close to one another.
    """
    plan = question.plan
    asked = frozenset(words_beside_identifiers(question)) if plan.asks_for_identifier and not plan.carried else None
    if not asked:
        return False
    sentences = (text[start:end] for text in candidate.shown.split("\n") for start, end in split_sentences(text))
    # Of other names the words say nothing: `--kiln-version` is no version of `kiln_url`.
    return any(
        question.share_of_asked_identifiers(sentence) == 1.0
        and asked <= stems(without_names(sentence, identifiers(sentence)), plan.language)
        for sentence in sentences
    )


def _does_what_is_unwanted(question: WeightedQuestion, candidate: PassageCandidate) -> bool:
    """Whether a passage begins with the verb of what the question does not want: `Overwrite files that exist.`."""
    unwanted, language = question.plan.unwanted_verb, question.plan.language
    # The title above an entry is a name, and what a later sentence denies is something else.
    text = candidate.passage.blocks[0].text
    first_sentence = next((text[start:end] for start, end in split_sentences(text)), "") if unwanted else ""
    begins_with_it = [stem(word, language) for word in words(first_sentence)[:1]] == [stem(unwanted, language)]
    return begins_with_it and _NOT_DONE.search(first_sentence) is None


def _about_first(part: AnsweredPart) -> AnsweredPart | None:
    """A part with its best card about what it asks first; None if it has no such card."""
    card = next((card for card in part.cards if is_about(part.question, card, part.optional)), None)
    if card is None:
        return None
    part = replace(part, cards=[card, *(other for other in part.cards if other is not card)])
    # Confidence asks whether a section with the words of a question answers it. This one has the very name. A single
    # word is the title of sections about many things: `Usage`, `State`.
    is_telling = explained_identifier(part.question, card.candidate) > 0 or part.question.keyword_count > 1
    if is_telling and _says_something(card):
        return replace(part, confidence=max(part.confidence, ANSWER_FROM), verdict="answer")
    return part


def _says_something(card: ScoredPassage) -> bool:
    """Whether a passage has more than a name."""
    return len(words(card.candidate.shown)) >= MIN_EXPLANATION
