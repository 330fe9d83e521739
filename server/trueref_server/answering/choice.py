"""Chooses the passages that answer: those of the best sections compete with one another.

The choice is one function of a question and passages. Every passage is scored by what is cheap to tell; the best few
are then read word by word with the embedder, which costs some milliseconds each, and scored with that as well. What
each signal brings, and how the weights were fitted, is in docs/decisions/choice.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from trueref_core.matching.anchor_names import is_dated_release
from trueref_server.answering.excerpt import WORDS_MOST, rows_around, stands, window
from trueref_server.answering.relevance import Relevance
from trueref_server.answering.tab_panels import asked_panels, is_excluded, names_file
from trueref_server.corpus.words import stems, words
from trueref_server.ranking.signals import ASIDE

if TYPE_CHECKING:
    from trueref_server.answering.passages import Passage
    from trueref_server.ranking.late_interaction import LateInteraction
    from trueref_server.ranking.signals import WeightedQuestion
    from trueref_server.records import Hit

COMPETING: Final = 3
"""Sections whose passages compete for the first card. With more sections the right passage competes more often, and a
wrong passage wins more often still, as long as nothing but these signals tells them apart."""

READ_MOST: Final = 3
"""Passages that are read word by word. Each costs about as much as a question, and an answer should cost no more than
twelve of these; with six or ten the choice is no better."""

BEHIND_MOST: Final = 1.3
"""How much less than the best passage one may score, before they are read, to be read itself: reading made up for no
more than this on the development sites."""

AS_GOOD: Final = 0.35
"""How much less the first of variants in tabs may score to be shown in place of the best one. They differ by less for
questions that mean none of them, and by three for the panel of macOS and `install it on my Mac`."""

_DEPRECATED: Final = re.compile(r"\b(?:deprecated|no longer|legacy|removed in|obsolete|discouraged)\b", re.IGNORECASE)

POINTER_MOST: Final = 25
"""Words up to which what would be shown may do nothing but point elsewhere."""

_POINTER: Final = re.compile(
    r"(?:answer: |note: )?(?:please )?(?:for [^.,]{1,80}, )?(?:please )?(?:also )?(?:see|refer to|consult)\b",
    re.IGNORECASE,
)
"""How a line begins that only says where something stands."""

_OBJECTS: Final = "function method class constructor"
"""What documented objects are called: `What does the connect function do?` names nothing besides `connect`."""


@dataclass(frozen=True, slots=True)
class ReadSection:
    """A section that was found, with its passages in order."""

    hit: Hit
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class PassageCandidate:
    """A passage that may answer the question.

    `behind` is how much less its section scores than the best one. `text` is what it says: of a long table the row that
    has most of the question, under its header. `shown` is the text of what would be shown for it, code and lists not
    yet shortened. `met` says how it meets the words of the question, None if it was not read word by word.
    """

    section: ReadSection
    at: int
    behind: float
    text: str
    shown: str
    met: float | None = None

    @property
    def passage(self) -> Passage:
        """The passage itself."""
        return self.section.passages[self.at]

    @property
    def read_as(self) -> str:
        """The text that the embedder reads: a passage under its headings, since it may not name its own topic."""
        chunk = self.section.hit.chunk
        return "\n".join([" > ".join(dict.fromkeys([*chunk.breadcrumb, chunk.title])), self.text])


@dataclass(frozen=True, slots=True)
class Choice:
    """A candidate with its score: how well it answers beside others of the same question."""

    candidate: PassageCandidate
    score: float


def near(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How near the chunk in which it begins is to the whole question."""
    return candidate.section.hit.near.get(candidate.passage.chunk, 0.0)


def nearest(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How near the nearest chunk of its section is to the whole question."""
    return max(candidate.section.hit.near.values(), default=0.0)


def behind(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How much less its section scores than the best one."""
    return candidate.behind


def shared(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """The share of the question's words, rare ones counting for more, that would be shown."""
    return Relevance.of(question).share(candidate.shown)


def room(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How many words would be shown, on a logarithmic scale: fewer at the end of a section, where nothing follows."""
    return math.log(1 + len(candidate.shown.split())) / math.log(1 + WORDS_MOST)


def deprecated(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """1 if what would be shown has a word such as `deprecated` or `no longer`."""
    return float(_DEPRECATED.search(candidate.shown) is not None)


def points(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """1 if what would be shown only says where the answer stands."""
    return float(len(candidate.shown.split()) <= POINTER_MOST and _POINTER.match(candidate.shown) is not None)


def aside(question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """1 for change logs, dated releases, blogs and landing pages, unless changes are asked for."""
    if question.plan.wants_releases:
        return 0.0
    chunk = candidate.section.hit.chunk
    # Not every page of changes is called one: that of requests is `community/updates.html`.
    return float(chunk.page_kind in ASIDE or any(map(is_dated_release, (chunk.title, *chunk.breadcrumb))))


def met_rare(_question: WeightedQuestion, candidate: PassageCandidate) -> float:
    """How well each word of the question is met by one of its words, both read in context, rare words counting more."""
    return candidate.met or 0.0


PassageSignal = Callable[["WeightedQuestion", PassageCandidate], float]

# Fitted to 479 questions of twelve sites. A weight that was fitted to a site brought hardly more there than one that
# was fitted to the others, so that there is one set for all (`docs/decisions/choice.md`).
UNREAD: Final[Mapping[PassageSignal, float]] = {
    near: 6.1,
    nearest: 3.4,
    behind: -8.1,
    shared: 5.4,
    room: 2.7,
    deprecated: -1.6,
    points: -4.0,
    aside: -2.4,
}
"""The weight of each signal before passages are read word by word, and if they cannot be read so. `deprecated`,
`points` and `aside` are not fitted here and below: few questions have such a passage, and readers are not to be led to
one."""

# Nine signals added up show more than boosted trees over these and twenty others did (`docs/decisions/choice.md`).
READ: Final[Mapping[PassageSignal, float]] = {
    near: 3.6,
    nearest: 2.3,
    behind: -6.3,
    shared: 3.4,
    room: 2.6,
    deprecated: -1.5,
    points: -4.0,
    aside: -3.8,
    met_rare: 10.2,
}
"""The weight of each signal once passages are read word by word."""


def choose(
    question: WeightedQuestion, sections: Sequence[ReadSection], late: LateInteraction | None = None
) -> list[Choice]:
    """The best passage of each section, best first; sections beyond those that compete follow in their order.

    Args:
        question: The question with the weights of its words.
        sections: Those that were found, best first.
        late: Reads passages with the question, word by word; None if the embedder cannot.
    """
    filled = [section for section in sections if section.passages]
    unread = [_best_first(question, candidates_of(question, section, filled[0]), UNREAD) for section in filled]
    # Without vectors no signal compares passages of several sections better than ranking has compared the sections. And
    # a text that the embedder cannot read, such as one in a language that it was not trained on, it cannot read word by
    # word either.
    by_meaning = any(section.hit.near for section in filled)
    most = COMPETING if by_meaning else 1
    competing = sorted((choice for choices in unread[:most] for choice in choices), key=lambda choice: -choice.score)
    chosen: dict[int, Choice] = {}
    # What was read comes first: its scores have one signal more, and do not compare with the others.
    worth_reading = [choice for choice in competing[:READ_MOST] if choice.score >= competing[0].score - BEHIND_MOST]
    read = _read(question, worth_reading, late if by_meaning else None)
    for choices in (read, competing):
        for choice in choices:
            if id(choice.candidate.section) not in chosen:
                chosen[id(choice.candidate.section)] = _first_of_variants(question, choice, choices)
    return [*chosen.values(), *(choices[0] for choices in unread[most:] if choices)]


def _first_of_variants(question: WeightedQuestion, best: Choice, choices: Sequence[Choice]) -> Choice:
    """The choice in the first panel of a set of tabs in place of one in a later panel that is no more than as good.

    Readers look at the first one, and its author put it there. Another one is shown if the question names it, if it
    says more of what is asked, or if the question excludes the first.

    Args:
        question: What is asked.
        best: The best choice of a section.
        choices: Those whose scores compare with its score.
    """
    tabs, passages = best.candidate.passage.tabs, best.candidate.section.passages
    if tabs is None or tabs[1] == "1" or names_file(best.candidate.passage):
        return best
    asked = Relevance.of(question).asked
    if tabs[0] in asked_panels(passages, asked).named:
        return best
    in_first = (
        choice
        for choice in choices
        if choice.candidate.section is best.candidate.section and choice.candidate.passage.tabs == (tabs[0], "1")
    )
    first = next(in_first, None)
    if first is None or first.score < best.score - AS_GOOD or is_excluded(first.candidate.passage.label, asked):
        return best
    return first


def candidates_of(question: WeightedQuestion, section: ReadSection, best: ReadSection) -> list[PassageCandidate]:
    """The passages of a section that can be shown as candidates; `best` is the section that was found first.

    A passage that cannot be understood without an earlier one is left out if a screen has no room for both.
    """
    # A passage competes with what would be shown for it, not with its own words alone: see `shown`.
    passages = section.passages
    relevance = Relevance.of(question)
    texts = [_competing_text(passage, relevance) for passage in passages]
    of_more = _asks_of_more(question, section.hit.chunk.title) or all(passage.is_parameter for passage in passages)
    panels = asked_panels(passages, relevance.asked)
    windows = (
        (at, window(passages, at, panels)) for at, passage in enumerate(passages) if of_more or not passage.is_parameter
    )
    return [
        PassageCandidate(
            section,
            at,
            behind=best.hit.score - section.hit.score,
            text=texts[at],
            shown="\n".join(texts[position] for position in positions),
        )
        for at, positions in windows
        if stands(passages, positions[0]) and not _is_title(section, texts[at])
    ]


def _asks_of_more(question: WeightedQuestion, title: str) -> bool:
    """Whether a question has a word besides the name of a function: else it asks for none of its parameters."""
    language = question.plan.language
    return not question.terms(language).keys() <= stems(f"{title.partition('(')[0]} {_OBJECTS}", language)


def _is_title(section: ReadSection, text: str) -> bool:
    """Whether a passage says nothing but the title of its section, and the section has others."""
    return len(section.passages) > 1 and words(text) == words(section.hit.chunk.title)


def _competing_text(passage: Passage, relevance: Relevance) -> str:
    """The text of a passage, of a long table the row that has most of the question."""
    blocks = [
        replace(block, text=rows_around(block.text, relevance, 1)) if block.kind == "table" else block
        for block in passage.blocks
    ]
    return replace(passage, blocks=tuple(blocks)).text


def _read(question: WeightedQuestion, best: Sequence[Choice], late: LateInteraction | None) -> list[Choice]:
    """Some choices read word by word and scored again, best first; none if that is not possible."""
    met = late.met(question, [choice.candidate.read_as for choice in best]) if late else None
    if met is None:
        return []
    candidates = [replace(choice.candidate, met=passage_met) for choice, passage_met in zip(best, met, strict=True)]
    return _best_first(question, candidates, READ)


def _best_first(
    question: WeightedQuestion, candidates: Sequence[PassageCandidate], weights: Mapping[PassageSignal, float]
) -> list[Choice]:
    """The candidates with their scores, best first."""
    # A sum and no trained reader: one that was trained for this shows no more (`docs/decisions/reader.md`).
    scored = [
        Choice(candidate, sum(weight * signal(question, candidate) for signal, weight in weights.items()))
        for candidate in candidates
    ]
    # Stable: of equals the first of the first section is taken.
    return sorted(scored, key=lambda choice: -choice.score)
