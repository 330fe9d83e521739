"""The passages that compete to be shown, each with its section, and later with its score."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from trueref_server.answering.sections.passage import Passage
from trueref_server.records import Hit


@dataclass(frozen=True, slots=True)
class SectionPassages:
    """A section that was found, with its passages in order."""

    hit: Hit
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True)
class PassageCandidate:
    """A passage that may answer the question.

    `number` is the number of the passage in its section, from 0. `behind` is how far the section's score is below the
    best one. `text` is the text of the passage; of a long table it has the header and the row with most of the
    question. `shown` is the text of all that would be shown for the passage, before code and lists are shortened.
    `max_sim` is its similarity to the words of the question, see `LateInteraction.max_sim`; None if it was not read
    word by word.
    """

    section: SectionPassages
    number: int
    behind: float
    text: str
    shown: str
    max_sim: float | None = None

    @property
    def passage(self) -> Passage:
        """The passage itself."""
        return self.section.passages[self.number]

    @property
    def text_with_headings(self) -> str:
        """The text that the embedder reads: the passage with its headings, since it may not name its own topic."""
        chunk = self.section.hit.chunk
        # The heading is the caption of the first passage below it. Those behind do not show it either.
        headings = filter(None, [*chunk.breadcrumb, chunk.title, self.passage.heading])
        return "\n".join([" > ".join(dict.fromkeys(headings)), self.text])


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A candidate with its score: how well it answers beside others of the same question.

    `values` has the values of the signals that the score is made of.
    """

    candidate: PassageCandidate
    score: float
    values: Mapping[Callable[..., float], float]
