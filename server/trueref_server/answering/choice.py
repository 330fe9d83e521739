"""Chooses the passages that answer: the passages of the best sections compete with one another.

The choice depends on the question and the passages alone. Every passage is scored by signals that are cheap to compute.
The best are then compared with the question word by word, and scored again with what this tells. What each signal
brings, and how the weights were fitted, is in docs/decisions/choice.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice
from operator import mul
from typing import TYPE_CHECKING, Final

from trueref_server.answering import passage_signals
from trueref_server.answering.candidates import PassageCandidate, ScoredPassage, SectionPassages
from trueref_server.answering.excerpts.beginnings import may_begin
from trueref_server.answering.excerpts.excerpt import MAX_WORDS, window
from trueref_server.answering.excerpts.relevance import Relevance
from trueref_server.answering.excerpts.screen import rows_around
from trueref_server.answering.excerpts.tab_panels import asked_panels
from trueref_server.answering.passage_signals import PassageSignal
from trueref_server.answering.variants import first_of_variants
from trueref_server.corpus.words import words
from trueref_server.ranking import signals
from trueref_server.ranking.late_interaction import can_compare
from trueref_server.ranking.rank import signal_value

if TYPE_CHECKING:
    from trueref_server.answering.passage_comparison import Comparable, PassageComparison
    from trueref_server.answering.sections.passage import Passage
    from trueref_server.ranking.weighted_question import WeightedQuestion

COMPETING: Final = 3
"""Sections whose passages compete for the first card. With more sections the right passage competes more often, but
with these signals a wrong passage wins even more often. For the folded cards all sections that are read compete."""

MAX_COMPARED: Final = 30
"""How many passages are compared word by word where the index has the vectors of their words. With twelve, the folded
cards show less."""

MAX_READ: Final = 3
"""How many passages the embedder reads where the index has none. Each costs about as much as embedding a question, and
an answer should cost no more than twelve of these."""

MAX_BEHIND: Final = 1.3
"""How far the score of a passage may be below the best one for the embedder to read the passage: on the development
sites, reading made up for no greater difference."""

_BARE_ENTRY: Final = re.compile(
    r"(?:[a-z]{1,20} ){0,4}[\w.:]{1,200}(?:\(\))?(?:: (?:\S{1,80}|\S{1,80}\[[^\]]{0,80}\]))?"
)
"""The title of an entry with a name and perhaps its type, and neither a value nor arguments: `property size: int`. The
title of `E501: line too long` says what it is."""


# Fitted to 479 questions of twelve sites. Weights that were fitted to a site brought hardly more there than weights
# that were fitted to the others, so that there is one set for all (`docs/decisions/choice.md`).
WEIGHTS_BEFORE_COMPARISON: Final[Mapping[PassageSignal, float]] = {
    passage_signals.near: 6.1,
    passage_signals.nearest: 3.4,
    passage_signals.behind: -8.1,
    passage_signals.shared: 5.4,
    passage_signals.room: 2.7,
    passage_signals.deprecated: -1.6,
    passage_signals.points: -4.0,
    passage_signals.aside: -2.4,
    passage_signals.asked_identifier: 2.0,
    passage_signals.explained_identifier: 3.0,
    passage_signals.says_what_word_means: 5.0,
    passage_signals.does_without: 2.0,
    passage_signals.named: 3.0,
    passage_signals.offered: 10.0,
    passage_signals.usual_title: 10.0,
}
"""The weight of each signal before passages are read word by word, and if they cannot be read so. Here and in
`WEIGHTS_AFTER_COMPARISON`, `deprecated`, `points` and `aside` are not fitted: few questions have such a passage, and
readers should not be led to it. `named`, `offered`, `usual_title`, `says_what_word_means` and the two of
identifiers are not fitted either: hardly a question of those sites asks for a name, for a usual topic, for what a word
means, or in the words of a heading."""

# A sum of the signals that are fitted chose better than boosted trees over these and twenty other signals did
# (`docs/decisions/choice.md`).
WEIGHTS_AFTER_COMPARISON: Final[Mapping[PassageSignal, float]] = {
    passage_signals.near: 3.6,
    passage_signals.nearest: 2.3,
    passage_signals.behind: -6.3,
    passage_signals.shared: 3.4,
    passage_signals.room: 2.6,
    passage_signals.deprecated: -1.5,
    passage_signals.points: -4.0,
    passage_signals.aside: -3.8,
    passage_signals.asked_identifier: 2.0,
    passage_signals.explained_identifier: 3.0,
    passage_signals.says_what_word_means: 5.0,
    passage_signals.does_without: 2.0,
    passage_signals.named: 3.0,
    passage_signals.offered: 10.0,
    passage_signals.usual_title: 10.0,
    passage_signals.rare_word_similarity: 10.2,
}
"""The weight of each signal once passages are read word by word."""


def choose(
    question: WeightedQuestion,
    sections: Sequence[SectionPassages],
    comparison: PassageComparison | None = None,
    optional: frozenset[str] = frozenset(),
) -> list[ScoredPassage]:
    """The best passage of each section, best first; sections beyond those that compete follow in their order.

    Args:
        question: The question with the weights of its words.
        sections: The sections that were found, best first.
        comparison: Compares passages with the question word by word; None if the embedder cannot.
        optional: The stems of words that the title of a section need not have for the question to be its title.
    """
    with_passages, described_count = _undescribed_last(question, [section for section in sections if section.passages])
    choices_by_section = [
        _best_first(question, candidates_of(question, section, with_passages[0]), WEIGHTS_BEFORE_COMPARISON)
        for section in with_passages
    ]
    # Without vectors no signal compares passages of several sections better than ranking has compared the sections. And
    # if the embedder was not trained on the language of the texts, it cannot read them word by word either.
    has_vectors = any(section.hit.near for section in with_passages)
    can_be_compared = has_vectors and can_compare(question.plan.query, question.plan.language)
    comparison = comparison if can_be_compared else None
    first_count = min(COMPETING if has_vectors else 1, described_count)
    # What a comparison word by word tells is good enough to choose the folded cards among all sections.
    competing_count = described_count if comparison else first_count
    chosen = [
        *_chosen_by_section(question, choices_by_section[:competing_count], comparison),
        *(choices[0] for choices in choices_by_section[competing_count:] if choices),
    ]
    may_come_first = set(map(id, with_passages[:first_count]))
    best = next((choice for choice in chosen if id(choice.candidate.section) in may_come_first), None)
    # A stable sort: the best choice of the first sections comes first, and nothing else moves.
    chosen.sort(key=lambda choice: choice is not best)
    return [_opening_of_title(question, choice, chain(*choices_by_section), optional) for choice in chosen]


def _chosen_by_section(
    question: WeightedQuestion,
    choices_by_section: Sequence[Sequence[ScoredPassage]],
    comparison: PassageComparison | None,
) -> list[ScoredPassage]:
    """The best passage of each of some sections, best first.

    Args:
        question: What is asked.
        choices_by_section: The passages of each section, best first.
        comparison: Compares passages with the question word by word; None if they cannot be compared.
    """
    competing = sorted(chain(*choices_by_section), key=_falling_score)
    worth_comparing = _worth_comparing(question, competing, comparison) if comparison else []
    compared_choices = _compared_word_by_word(question, worth_comparing, comparison)
    chosen: dict[int, ScoredPassage] = {}
    # Choices that were compared come first: their scores have one more signal, and cannot be compared with the others.
    for choices in (compared_choices, competing):
        for choice in choices:
            if id(choice.candidate.section) not in chosen:
                chosen[id(choice.candidate.section)] = first_of_variants(question, choice, choices)
    return [*chosen.values()]


def _worth_comparing(
    question: WeightedQuestion, competing: Sequence[ScoredPassage], comparison: PassageComparison
) -> list[tuple[ScoredPassage, Comparable]]:
    """The passages that are compared word by word: the best ones, or the entry of the option that is asked for.

    Each comes with what it is compared by.

    The first panel of a set of tabs comes before another one if it is hardly worse, so that the two can be compared
    afterwards: as few passages are compared, often only the other one would be.

    A synopsis has the command and all of its options, and is longer than the entry of any. So the entry on the page of
    the command is the only passage that is compared, and comes first.
    """
    if question.letter_options:
        for choice in competing:
            is_explained = passage_signals.explained_identifier(question, choice.candidate) == 1.0
            if is_explained and question.title.is_of_page(choice.candidate.section.hit.chunk):
                return [(choice, comparison.comparable(choice.candidate))]
    best = competing[:MAX_COMPARED]
    with_first_panels = chain.from_iterable((first_of_variants(question, choice, competing), choice) for choice in best)
    # By identity: the first panel may be one of the best, and of a choice without tabs it is the choice itself.
    compared: list[tuple[ScoredPassage, Comparable]] = []
    read_count = 0
    for choice in islice({id(choice): choice for choice in with_first_panels}.values(), MAX_COMPARED):
        compared_by = comparison.comparable(choice.candidate)
        if isinstance(compared_by, str):
            if read_count == MAX_READ or choice.score < competing[0].score - MAX_BEHIND:
                continue
            read_count += 1
        compared.append((choice, compared_by))
    return compared


def _undescribed_last(
    question: WeightedQuestion, sections: Sequence[SectionPassages]
) -> tuple[list[SectionPassages], int]:
    """The sections, those of entries with nothing but a name last, and how many come before these and may compete.

    Nobody has described such an entry: `property size` tells whoever asks for `size` nothing, and was shown, since its
    few words are all asked for. If no other section has the identifiers that are asked for, the sections stay as they
    are: then the entry is all that the docs have.
    """
    described, undescribed = list[SectionPassages](), list[SectionPassages]()
    for section in sections:
        (undescribed if _is_name_alone(section) else described).append(section)
    if question.plan.asks_for_identifier and len(described) < len(sections):
        texts = ("\n".join(passage.text for passage in section.passages) for section in described)
        if not any(map(question.share_of_asked_identifiers, texts)):
            return [*sections], len(sections)
    return [*described, *undescribed], len(described) or len(sections)


def _is_name_alone(section: SectionPassages) -> bool:
    """Whether a section has nothing but its title, and that is the name of an entry without value and arguments."""
    title = section.hit.chunk.title.replace("`", "")
    return _BARE_ENTRY.fullmatch(title) is not None and all(
        words(passage.text) == words(title) for passage in section.passages
    )


def _opening_of_title(
    question: WeightedQuestion, choice: ScoredPassage, choices: Iterable[ScoredPassage], optional: frozenset[str]
) -> ScoredPassage:
    """The choice, or the opening of its section if the question asks for the section as a whole, by its title.

    No word of `What is a fixture?` distinguishes the passages of `What fixtures are`, and authors first say what a
    thing is. The section is still taken by its best passage, and the score stays that of this passage.
    """
    section = choice.candidate.section
    first = section.hit.chunk
    is_named = (
        passage_signals.usual_title(question, choice.candidate) > 0
        or question.title.names(first)
        # `--output` names the entry titled `-o FILE, --output FILE`.
        or (question.title.asks_for_name_alone and signal_value(section.hit, signals.named) > 0)
    )
    # Of a command the section with its options is named by `kiln_load -a`, and begins with another option.
    is_one_option = bool(question.letter_options) and question.title.is_of_page(first)
    if is_one_option or (not is_named and not question.title.is_whole(first.title, optional)):
        return choice
    candidates = (other.candidate for other in choices if other.candidate.section is section)
    # Left out are passages of a few words, such as the type or the default with which a reference may begin, passages
    # that only point elsewhere, and passages about something deprecated.
    openings = [
        candidate
        for candidate in candidates
        if len(words(candidate.shown)) >= passage_signals.MIN_EXPLANATION
        and not (passage_signals.points(question, candidate) or passage_signals.deprecated(question, candidate))
    ]
    # A note may come before the sentence that says what the thing is.
    openings = [other for other in openings if passage_signals.says_what_thing_is(question, other)] or openings
    # A description that comes after the fields of a function says what it does all the same.
    opening = min(
        openings, key=lambda candidate: (bool(candidate.passage.entry), candidate.number), default=choice.candidate
    )
    return replace(choice, candidate=replace(opening, max_sim=choice.candidate.max_sim))


def is_about(question: WeightedQuestion, choice: ScoredPassage, optional: frozenset[str]) -> bool:
    """Whether a passage is about what a question names: its section has this title, or the passage explains it.

    Args:
        question: What is asked.
        choice: The passage.
        optional: The stems of words that the title need not have.
    """
    title = choice.candidate.section.hit.chunk.title
    return (
        question.title.is_whole(title, optional) or passage_signals.explained_identifier(question, choice.candidate) > 0
    )


def candidates_of(
    question: WeightedQuestion, section: SectionPassages, best: SectionPassages
) -> list[PassageCandidate]:
    """The passages of a section that can be shown as candidates; `best` is the section that was found first.

    A passage that cannot be understood without an earlier one is left out if a screen has no room for both. One that
    is longer than a screen is cut anyway, and competes: nobody would find any item of a long list otherwise.
    """
    # A passage competes with what would be shown for it, not with its own words alone: see `shown`.
    passages = section.passages
    relevance = Relevance.of(question)
    passage_texts = [_competing_text(passage, relevance) for passage in passages]
    wants_parameters = question.title.asks_beyond(section.hit.chunk.title) or all(
        passage.is_parameter for passage in passages
    )
    panels = asked_panels(passages, relevance.asked)
    windows = (
        (number, window(passages, number, panels))
        for number, passage in enumerate(passages)
        if wants_parameters or not passage.is_parameter
    )
    return [
        PassageCandidate(
            section,
            number,
            behind=best.hit.score - section.hit.score,
            text=passage_texts[number],
            shown="\n".join(passage_texts[position] for position in positions),
        )
        for number, positions in windows
        if (may_begin(passages, positions[0]) or passages[number].words > MAX_WORDS)
        and not _is_title(section, passage_texts[number])
    ]


def _is_title(section: SectionPassages, text: str) -> bool:
    """Whether a passage says nothing but the title of its section, and the section has others."""
    return len(section.passages) > 1 and words(text) == words(section.hit.chunk.title)


def _competing_text(passage: Passage, relevance: Relevance) -> str:
    """The text of a passage; of a long table only the header and the row that has most of the question."""
    blocks = [
        replace(block, text=rows_around(block.text, relevance, 1)) if block.kind == "table" else block
        for block in passage.blocks
    ]
    return replace(passage, blocks=tuple(blocks)).text


def _compared_word_by_word(
    question: WeightedQuestion, best: Sequence[tuple[ScoredPassage, Comparable]], comparison: PassageComparison | None
) -> list[ScoredPassage]:
    """Some choices, compared word by word and scored again, best first; none if they cannot be compared so."""
    similarities = comparison.similarities(question, [compared_by for _, compared_by in best]) if comparison else None
    if similarities is None:
        return []
    added = WEIGHTS_AFTER_COMPARISON.keys() - WEIGHTS_BEFORE_COMPARISON.keys()
    choices: list[ScoredPassage] = []
    for (choice, _), similarity in zip(best, similarities, strict=True):
        candidate = replace(choice.candidate, max_sim=similarity)
        # No other signal depends on the comparison, and some of them look at all words of a passage.
        values = dict(choice.values)
        values.update((signal, signal(question, candidate)) for signal in added)
        choices.append(_scored(candidate, values, WEIGHTS_AFTER_COMPARISON))
    return sorted(choices, key=_falling_score)


def _best_first(
    question: WeightedQuestion, candidates: Sequence[PassageCandidate], weights: Mapping[PassageSignal, float]
) -> list[ScoredPassage]:
    """The candidates with their scores, best first."""
    choices = [
        _scored(candidate, {signal: signal(question, candidate) for signal in weights}, weights)
        for candidate in candidates
    ]
    # A stable sort: of equal scores the first passage of the first section wins.
    return sorted(choices, key=_falling_score)


def _scored(
    candidate: PassageCandidate, values: Mapping[Callable[..., float], float], weights: Mapping[PassageSignal, float]
) -> ScoredPassage:
    """A candidate with the weighted sum of its signals."""
    # A sum and no trained model: one that was trained for this chose no better (`docs/decisions/reader.md`).
    score = sum(map(mul, weights.values(), map(values.__getitem__, weights)))
    return ScoredPassage(candidate, score, values)


def _falling_score(choice: ScoredPassage) -> float:
    return -choice.score
