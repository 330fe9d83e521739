"""Which passage answers a question for a name: an option, a setting or an entry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.server.competing import asked, first, found
from tests.sharing import bundled_embedder

from trueref_server.answering.candidates import SectionPassages
from trueref_server.answering.choice import choose
from trueref_server.answering.passage_comparison import PassageComparison
from trueref_server.ranking.late_interaction import LateInteraction
from trueref_server.ranking.weighted_question import WeightedQuestion

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Alike(LateInteraction):
    """Finds every passage as similar to the question."""

    def __init__(self) -> None:
        super().__init__(bundled_embedder())

    def max_sim(self, question: WeightedQuestion, texts: Sequence[str | NDArray[np.uint8]]) -> list[float] | None:
        return [0.5 for _ in texts]


@pytest.mark.parametrize("question", ["--import-mode", "What does --import-mode do?"])
def test_a_passage_with_the_identifier_that_is_asked_for_wins(question: str) -> None:
    modes = found(1, "The import mode says how modules are imported: import modes are three.")
    other, option = found(2, "Pass --import-mode-x to it.", score=0.9), found(3, "Set --import-mode.", score=0.9)
    assert first(question, modes, other, option)[0] == "s3"
    assert first("How are modules imported by import mode?", modes, other, option)[0] == "s1"


def test_a_passage_that_explains_the_identifier_wins_over_one_that_mentions_it() -> None:
    mentioned = found(1, "Modules are found as --import-mode says, and --import-mode has three values.")
    explained = found(2, "--import-mode says how modules are found.", score=0.9)
    assert first("What is --import-mode?", mentioned, explained)[0] == "s2"


@pytest.mark.parametrize(
    ("entry", "winner"),
    [
        ("property kiln_delay", "s2"),
        ("property kiln_delay: int", "s2"),
        ("async kiln_delay()", "s2"),
        ("kiln_delay: how long a fire waits", "s1"),  # the title describes it
        ("kiln_delay = 3600", "s1"),  # the value may be what is asked for
        ("kiln_delay(seconds, unit=None)", "s1"),  # and so may the arguments
    ],
)
@pytest.mark.parametrize("near", [0.5, 0.0])
def test_an_entry_that_nobody_has_described_gives_way_to_what_says_something(
    entry: str, winner: str, near: float
) -> None:
    undescribed = found(1, entry, score=1.0 if near else 0.0)
    chunks = (replace(undescribed.hit.chunk, title=f"`{entry}`"),)
    undescribed = replace(
        undescribed, hit=replace(undescribed.hit, score=1.0, chunks=chunks, signal_values={"named": 1.0})
    )
    guide = found(2, "Fires wait as long as kiln_delay says.", score=0.99 if near else 0.0)
    assert first("kiln_delay", undescribed, guide)[0] == winner
    assert len(choose(asked("kiln_delay"), [undescribed, guide])) == 2
    # It is shown if it is all that the docs have.
    other = found(2, "Fires wait for a while.", score=0.99 if near else 0.0)
    assert first("kiln_delay", undescribed, other)[0] == "s1"
    assert first("kiln_delay", undescribed)[0] == "s1"


def test_an_entry_that_nobody_has_described_does_not_compete_with_what_says_less_of_its_name() -> None:
    entry = found(1, "property kiln_delay: int")
    chunks = (replace(entry.hit.chunk, title="property kiln_delay: int"),)
    entry = replace(entry, hit=replace(entry.hit, chunks=chunks, signal_values={"named": 1.0}))
    guide = found(2, f"{'Fires wait as long as is set, and no longer. ' * 6}See kiln_delay.", score=0.6)
    assert first("what does kiln_delay do", entry, guide)[0] == "s2"


@pytest.mark.parametrize(
    ("question", "beginning"), [("trim -e", "-e"), ("what does trim do?", "Cuts"), ("trim", "Cuts")]
)
def test_a_command_with_an_option_of_one_letter_asks_for_the_option(question: str, beginning: str) -> None:
    section = found(1, f"Cuts the ends of lines. {'And so on. ' * 90}", f"-e trim at each end. {'And so on. ' * 90}")
    titled = replace(section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="trim"),)))
    assert first(question, titled)[1].startswith(beginning)


def test_the_entry_of_an_option_need_not_repeat_the_command_of_its_section() -> None:
    entries = ("-e: at the end only, and nothing else.", "-n COUNT: trim takes COUNT marks, and trim counts them.")
    section = found(1, *(f"{entry} {'And so on. ' * 90}" for entry in entries))
    titled = replace(section, hit=replace(section.hit, chunks=(replace(section.hit.chunk, title="trim"),)))
    assert first("what does trim -e do", titled)[1].startswith("-e")
    assert first("what does trim count?", titled)[1].startswith("-n")


def on_page(section: SectionPassages, page: str, title: str) -> SectionPassages:
    own = replace(section.hit.chunk, title=title, breadcrumb=(page,))
    return replace(section, hit=replace(section.hit, chunks=(own,), near={own.id: section.hit.score}))


def test_of_a_command_the_entry_of_the_option_wins_over_a_synopsis_that_is_nearer() -> None:
    synopsis = on_page(found(1, f"kiln [-a] [-i] [-o FILE] POT {'[POT] ' * 150}"), "kiln(1)", "Synopsis")
    entries = found(2, "-a: fire all pots of the shelf.", "-i: fire them at once.", score=0.8)
    options = on_page(entries, "kiln(1)", "Options")
    for question in ("what does kiln -i do", "kiln -i"):
        (choice, *_) = choose(asked(question), [synopsis, options], PassageComparison(Alike(), {}))
        assert choice.candidate.passage.text.startswith("-i")
    # Another command may have an option of this letter.
    other = on_page(entries, "oven(1)", "Options")
    assert choose(asked("kiln -i"), [synopsis, other], PassageComparison(Alike(), {}))[0].candidate.section is synopsis
