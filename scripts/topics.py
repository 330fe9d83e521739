"""Asks pairs of questions about the development sites, to see which second questions use the first one.

A new topic should ignore the first question, and a follow-up should be understood by it.

    python -m scripts.topics NAME=INDEX [NAME=INDEX ...]

NAME is uv or mkdocs-material, whose pairs are in `tests/e2e/pairs`, and INDEX is an index of that site. Prints for each
pair the rank of the first section that answers, in the conversation and without it, and then the figures of all pairs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from scripts.arguments import index_folder, parser_of

from trueref_server.evaluation.cases import Case, read_cases
from trueref_server.records import Exchange, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

if TYPE_CHECKING:
    from trueref_server.records import Draft
    from trueref_server.service import Explanation

PAIRS: Final = Path(__file__).parents[1] / "tests" / "e2e" / "pairs"
"""The folder with a file of pairs for each site: cases for `trueref eval` with an earlier question.

Their kind is `NEW_TOPIC` or `FOLLOW_UP`.
"""

NEW_TOPIC: Final = "new-topic"
FOLLOW_UP: Final = "follow-up"

AMONG: Final = 5
"""How many sections a reader looks at."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of the second question of a pair.

    `rank` is the rank of the first gold section in the conversation, from 1, and `alone` its rank without the
    conversation; 0 if it is not among the first ten. `read_as` is the question as it was read, and `is_same` whether
    the answer is the same without the conversation.
    """

    case: Case
    rank: int
    alone: int
    read_as: str
    is_same: bool


def pairs(site: str) -> list[Case]:
    """The pairs about one site."""
    return read_cases([PAIRS / f"{site}.jsonl"])


def ellipses(site: str) -> list[Case]:
    """The pairs about one site whose second question is elliptic (`what about fonts?`), without a word like `it`."""
    return read_cases([PAIRS / f"{site}.ellipses.jsonl"])


async def outcomes(index: Path, cases: Iterable[Case]) -> list[Outcome]:
    """Asks both questions of each pair."""
    service = Service(Settings(index=index))
    try:
        return [await _outcome(service, case) for case in cases]
    finally:
        await service.close()


async def _outcome(service: Service, case: Case) -> Outcome:
    first = case.history[0].question
    history = (Exchange(first, (await service.ask_whole(Question(first))).text),)
    question = Question(case.question)
    second, alone = await service.explain(replace(question, history=history)), await service.explain(question)
    read_as = second.plan.read_as
    return Outcome(case, _rank(second, case), _rank(alone, case), read_as, _shown(second.draft) == _shown(alone.draft))


def _rank(explanation: Explanation, case: Case) -> int:
    """The rank of the first gold section, from 1; 0 if none was found."""
    gold = {(section.page, section.anchor) for section in case.gold}
    return next((number for number, hit in enumerate(explanation.hits, 1) if (hit.page, hit.anchor) in gold), 0)


def _shown(draft: Draft) -> tuple[str, tuple[str, ...]]:
    """What a reader sees of an answer: its text, and the links of its sections."""
    return draft.text, tuple(source.href for source in (*draft.sources, *draft.more))


def figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """The share of new topics that ignore the conversation, and of follow-ups with a gold section among the first."""
    topics = [outcome for outcome in outcomes if outcome.case.kind == NEW_TOPIC]
    going_on = [outcome for outcome in outcomes if outcome.case.kind == FOLLOW_UP]
    return {
        "new_topics": len(topics),
        "left_alone": _share(outcome.is_same for outcome in topics),
        "follow_ups": len(going_on),
        "section@5": _share(0 < outcome.rank <= AMONG for outcome in going_on),
        "section@1": _share(outcome.rank == 1 for outcome in going_on),
        "section@5 without a conversation": _share(0 < outcome.alone <= AMONG for outcome in going_on),
    }


def _share(flags: Iterable[bool]) -> float:
    values = list(flags)
    return round(sum(values) / max(1, len(values)), 3)


def site_and_index(argument: str) -> tuple[str, Path]:
    """The site and the index that an argument names."""
    site, _, index = argument.partition("=")
    if not (PAIRS / f"{site}.jsonl").is_file() or not index:
        raise argparse.ArgumentTypeError(f"{argument} is not NAME=INDEX with a NAME that has pairs in tests/e2e/pairs")
    return site, index_folder(index)


def main() -> None:
    """Prints the result of each pair, and the figures of all sites together."""
    parser = parser_of(__doc__)
    parser.add_argument("indexes", nargs="+", type=site_and_index, metavar="NAME=INDEX")
    indexes: list[tuple[str, Path]] = parser.parse_args().indexes
    collected: list[Outcome] = []
    for site, index in indexes:
        collected += asyncio.run(outcomes(index, [*pairs(site), *ellipses(site)]))
    for outcome in collected:
        reading = "as without a conversation" if outcome.is_same else f"read as {outcome.read_as}"
        print(outcome.case.id, f"rank {outcome.rank} alone {outcome.alone}", outcome.case.question, reading, sep="  ")
    print(json.dumps(figures(collected)))


if __name__ == "__main__":
    main()
