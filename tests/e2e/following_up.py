"""Conversations of two turns over the development sites: is the second turn answered as well as when asked in full?

Asked of any index of these sites: `python -m tests.e2e.following_up uv=INDEX mkdocs-material=INDEX`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from trueref_server.records import Exchange, Hit, Question
from trueref_server.service import Service
from trueref_server.settings import Settings

CASES = Path(__file__).with_name("cases")
"""Cases for `trueref eval`, a file for each site. Those of the kind `follow-up` have two fields more."""

AMONG = 5
"""Sections that a reader looks at."""

Place = tuple[str, str]
"""Page and anchor."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Two turns: `second` as people type it after `first` was answered from `cited`, and `full`, which stands alone.

    Any of `gold` answers the second turn.
    """

    id: str
    site: str
    first: str
    cited: Place
    second: str
    full: str
    gold: frozenset[Place]


@dataclass(frozen=True, slots=True)
class Outcome:
    """At which place, from 1, the second turn finds gold: asked in full, in the conversation, and without it.

    0 is beyond the first ten. `cited` is that of the first turn for its own gold; `read_as` how the second was read.
    """

    conversation: Conversation
    cited: int
    full: int
    second: int
    alone: int
    read_as: str


def conversations(site: str = "") -> list[Conversation]:
    """Those over one site, or all."""
    found = [
        Conversation(
            row["id"],
            file.stem,
            row["history"][0]["question"],
            (row["cited"]["page"], row["cited"]["anchor"]),
            row["question"],
            row["full"],
            frozenset((place["page"], place["anchor"]) for place in row["gold"]),
        )
        for file in sorted(CASES.glob("*.jsonl"))
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        if row["kind"] == "follow-up"
    ]
    return [one for one in found if site in ("", one.site)]


async def outcomes(index: Path, asked: Iterable[Conversation]) -> list[Outcome]:
    """Ask all turns of some conversations of one index."""
    service = Service(Settings(index=index))
    try:
        return [await _outcome(service, conversation) for conversation in asked]
    finally:
        await service.close()


async def _outcome(service: Service, conversation: Conversation) -> Outcome:
    first = Question(conversation.first)
    history = (Exchange(conversation.first, (await service.ask_whole(first)).text),)
    cited, full, second, alone = [
        await service.explain(question)
        for question in (
            first,
            Question(conversation.full),
            Question(conversation.second, history),
            Question(conversation.second),
        )
    ]
    return Outcome(
        conversation,
        _place(cited.hits, {conversation.cited}),
        _place(full.hits, conversation.gold),
        _place(second.hits, conversation.gold),
        _place(alone.hits, conversation.gold),
        second.plan.read_as,
    )


def _place(hits: Sequence[Hit], gold: Iterable[Place]) -> int:
    wanted = set(gold)
    return next((number for number, hit in enumerate(hits, 1) if (hit.page, hit.anchor) in wanted), 0)


def rate(places: Iterable[int]) -> float:
    """The share of places among the first `AMONG`."""
    are_near = [0 < place <= AMONG for place in places]
    return sum(are_near) / max(1, len(are_near))


def figures(found: Sequence[Outcome]) -> dict[str, float]:
    """Hit rates of the second turn, and what share of that in full it reaches in the conversation."""
    full, second = rate(one.full for one in found), rate(one.second for one in found)
    return {
        "conversations": len(found),
        "full": round(full, 3),
        "second": round(second, 3),
        "alone": round(rate(one.alone for one in found), 3),
        "ratio": round(second / full, 3) if full else 0.0,
    }


def main(indexes: Mapping[str, Path]) -> None:
    """Print what is found for each conversation, and the figures over all sites."""
    found: list[Outcome] = []
    for site, index in indexes.items():
        found += asyncio.run(outcomes(index, conversations(site)))
    for one in found:
        ranks = f"{one.conversation.id} first {one.cited} full {one.full} second {one.second} alone {one.alone}"
        print(ranks, one.read_as, sep="  ")
    print(json.dumps(figures(found)))


if __name__ == "__main__":
    main({site: Path(index) for site, _, index in (argument.partition("=") for argument in sys.argv[1:])})
